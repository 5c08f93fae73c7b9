// The results of runs, a file each in a folder that several machines may share. A file is there whole or not at all.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/result.hpp"

namespace sassafras::study::sweep {

class RunStore {
  public:
    /// Names do not tell `damaged`: who reads the record finds it.
    enum class State : std::uint8_t { missing, done, failed, damaged };
    using States = std::unordered_map<std::string, State>;  ///< by key

    explicit RunStore(std::filesystem::path folder) : folder_(std::move(folder)) {}

    [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
    /// Every run that is there, by its key: folders are listed, no file is opened. Empty if there is no folder.
    [[nodiscard]] States states() const;
    /// Of one run, as states() has it.
    [[nodiscard]] State state_of(std::string_view key) const;
    /// When that record was written; the clock's least time if it is not there.
    [[nodiscard]] std::filesystem::file_time_type written(std::string_view key, State state) const;
    [[nodiscard]] std::filesystem::path place(std::string_view key, State state) const;
    /// In place of what was known of the run: a failure only replaces a damaged record. It is written in the folder
    /// `staging` of the same file system, which then has what a process that is killed meanwhile leaves. Error
    /// bad_input if it cannot be written; nothing is known of the run then but what was.
    [[nodiscard]] Result<void> write(std::string_view key, State state, std::string_view record,
                                     const std::filesystem::path& staging) const;

  private:
    std::filesystem::path folder_;
};

}  // namespace sassafras::study::sweep
