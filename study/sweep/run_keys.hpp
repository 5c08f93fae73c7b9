// What a run is known by: the hash of all that its result depends on.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "study/sweep/run_inputs.hpp"

namespace sassafras::study::sweep {

struct RunKey {
    std::string digits;  ///< 32, hexadecimal
    RunInputs inputs;    ///< the files and folders whose content it has
};

class RunKeys {
  public:
    /// `version` of the program: what it computes may depend on that. Digests are looked up in `inputs`, which must
    /// outlive this.
    RunKeys(std::string version, InputFiles& inputs) : version_(std::move(version)), inputs_(inputs) {}

    /// Of the version, the command's words, the content of each file and each trace's folder that a word names (alone,
    /// or behind = or :), of the program behind -- also where PATH finds it, and the numbers of the platform that
    /// --platform names, its bases' included. Names of the command, of its workload and of variants are no files, nor
    /// is what -o, --timeline and the like say is written. --threads and --json are left out, and --set counts by its
    /// value: 25M is 26214400. What a program of the user's reads by itself is not seen. Errors: as InputFiles::of().
    [[nodiscard]] Result<RunKey> of(const std::vector<std::string>& command);

  private:
    struct KnownPlatform {
        std::string hash;  ///< platform_hash; empty if there is none
        RunInputs bases;   ///< the files that it is based on, which no word of the command names
    };
    Result<const KnownPlatform*> platform(const std::string& name);
    Result<void> add_files(const std::string& word, std::string& text, RunInputs& read);

    std::string version_;
    InputFiles& inputs_;
    std::map<std::string, KnownPlatform> platforms_;
};

}  // namespace sassafras::study::sweep
