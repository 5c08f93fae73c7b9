// A study in its folder: what it varies (study.json), its runs with their keys, and which have results.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "core/part.hpp"
#include "core/result.hpp"
#include "study/sweep/description.hpp"
#include "study/sweep/local_runs.hpp"
#include "study/sweep/plan.hpp"
#include "study/sweep/run_inputs.hpp"
#include "study/sweep/run_store.hpp"

namespace sassafras::study::sweep {

/// Of the runs of a study.
using Shard = Part;

struct Status {
    std::uint64_t runs = 0;
    std::uint64_t done = 0;
    std::uint64_t failed = 0;
    std::uint64_t damaged = 0;  ///< with a record that cannot be read
    /// Without a record.
    [[nodiscard]] std::uint64_t left() const { return runs - done - failed - damaged; }
    /// The study's next run makes these.
    [[nodiscard]] std::uint64_t to_make() const { return left() + damaged; }
};

class StudyFolder {
  public:
    /// `place` is a folder with a study.json, that file, or another JSON file, whose folder is its path without
    /// ".json". Errors: bad_input if there is none, or as parse_description().
    [[nodiscard]] static Result<StudyFolder> open(const std::filesystem::path& place, const std::string& version);
    /// Whatever else a study is to be asked before it is kept.
    using Check = std::function<Result<void>(const StudyFolder&)>;
    /// Writes study.json into `folder`, which is made, with the current folder as its directory, in place of one that
    /// is there: results are kept by what they depend on, and those of the new study that are there count. Errors:
    /// bad_input, or what `check` has against it; nothing is written then.
    [[nodiscard]] static Result<StudyFolder> make(const std::filesystem::path& folder, Description description,
                                                  const std::string& version, const Check& check = {});

    [[nodiscard]] const Description& description() const { return description_; }
    [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
    /// Where relative names of its commands begin, and its runs are made; empty: the current folder.
    [[nodiscard]] const std::filesystem::path& directory() const { return directory_; }
    /// Of a name in its commands, as the current folder has it.
    [[nodiscard]] std::string path_of(const std::string& name) const;
    /// What open() takes to find this study again: the folder, or the JSON file beside it.
    [[nodiscard]] const std::filesystem::path& place() const { return place_; }
    [[nodiscard]] const std::vector<PlannedRun>& runs() const { return runs_; }
    /// The runs as a table has them: each of those that are split is one.
    [[nodiscard]] const std::vector<PlannedRun>& rows() const { return rows_.empty() ? runs_ : rows_; }
    /// By row: its command as the description has it, without what varies.
    [[nodiscard]] const std::vector<std::string>& command_of(std::size_t row) const {
        return description_.commands[row / (rows().size() / description_.commands.size())];
    }
    /// By row: of the run that is not split.
    [[nodiscard]] const std::vector<std::string>& row_keys() const { return rows_.empty() ? keys_ : row_keys_; }
    /// By run: the files and folders whose content its key has.
    [[nodiscard]] const std::vector<RunInputs>& inputs() const { return inputs_; }
    /// By run; two runs that are the same have one.
    [[nodiscard]] const std::vector<std::string>& keys() const { return keys_; }
    [[nodiscard]] const RunStore& store() const { return store_; }

    /// Of the study's runs that have a record: each is read.
    [[nodiscard]] RunStore::States states() const;
    [[nodiscard]] Status status(const RunStore::States& states) const;
    /// How the run of this number is to be made.
    [[nodiscard]] Task task(std::size_t run) const;
    /// Runs of the shard without a result, or with a damaged one, each once; with `again` also those that failed.
    [[nodiscard]] std::vector<Task> tasks(const Shard& shard, bool again) const;

  private:
    StudyFolder(std::filesystem::path folder, Description description)
        : folder_(std::move(folder)), place_(folder_), description_(std::move(description)), store_(folder_) {}
    [[nodiscard]] RunStore::State checked(const RunStore::States& named, const std::string& key) const;
    static Result<StudyFolder> planned(std::filesystem::path folder, Description description,
                                       const std::filesystem::path& directory, const std::string& version,
                                       InputFiles& files);

    std::filesystem::path folder_;
    std::filesystem::path place_;
    std::filesystem::path directory_;
    Description description_;
    std::vector<PlannedRun> runs_;
    std::vector<std::string> keys_;
    std::vector<RunInputs> inputs_;  ///< by run: what its key was made of
    std::vector<PlannedRun> rows_;   ///< empty where none is split, as the next
    std::vector<std::string> row_keys_;
    RunStore store_;
};

}  // namespace sassafras::study::sweep
