// What a run is known by: the hash of all that its result depends on.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/result.hpp"

namespace sassafras::study::sweep {

/// 32 hexadecimal digits: XXH3 of its content. Error bad_input if it cannot be read.
[[nodiscard]] Result<std::string> file_digest(const std::string& path);

class RunKeys {
  public:
    /// `version` of the program: what it computes may depend on that.
    explicit RunKeys(std::string version) : version_(std::move(version)) {}

    /// 32 hexadecimal digits: of the version, the command's words, the content of each file that a word names (alone,
    /// or behind = or :), and the numbers of the platform that --platform names, its bases' included. --threads and
    /// --json are left out, and --set counts by its value: 25M is 26214400. What a program of the user's reads by
    /// itself is not seen. Error bad_input if a file cannot be read.
    [[nodiscard]] Result<std::string> of(const std::vector<std::string>& command);

  private:
    Result<void> add_files(const std::string& word, std::string& text);

    std::string version_;
    std::map<std::string, std::string> files_;      ///< by name: its size and digest; empty if it is none
    std::map<std::string, std::string> platforms_;  ///< by name: platform_hash; empty if there is none
};

}  // namespace sassafras::study::sweep
