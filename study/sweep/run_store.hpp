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
    enum class State : std::uint8_t { missing, done, failed };

    explicit RunStore(std::filesystem::path folder) : folder_(std::move(folder)) {}

    [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
    /// Every run that is there, by its key: folders are listed, no file is opened. Empty if there is no folder.
    [[nodiscard]] std::unordered_map<std::string, State> states() const;
    [[nodiscard]] std::filesystem::path place(std::string_view key, State state) const;
    /// In place of what was known of the run. It is written in the folder `staging` of the same file system, which then
    /// has what a process that is killed meanwhile leaves. Error bad_input if it cannot be written.
    [[nodiscard]] Result<void> write(std::string_view key, State state, std::string_view record,
                                     const std::filesystem::path& staging) const;

  private:
    std::filesystem::path folder_;
};

}  // namespace sassafras::study::sweep
