// A file that appears whole or not at all: written beside its place, then renamed. Devices, pipes and folders are never
// replaced: what is written to them goes there at once. A symbolic link is followed.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "core/result.hpp"

namespace sassafras {

class StagedFile {
  public:
    explicit StagedFile(const std::string& path);
    /// Where to write. The name has the number of this process: two that write one file do not meet before the rename.
    [[nodiscard]] const std::filesystem::path& place() const { return place_; }
    /// What was written takes its place, with the permissions of what it replaces. False if it cannot.
    [[nodiscard]] bool commit() const;
    void discard() const;
    /// What would keep the file from being written, as far as it can be known before; empty if nothing. All stays as it
    /// is.
    [[nodiscard]] std::string obstacle() const;

  private:
    std::filesystem::path target_;
    std::filesystem::path place_;
};

/// Asked before a result is computed, so that the work is not lost: error bad_input if `path` cannot be written. `what`
/// is what the file holds ("the JSON file"), `option` names it on the command line.
[[nodiscard]] Result<void> check_output_file(const std::string& path, std::string_view what, std::string_view option);

/// Writes `path` whole, or leaves it as it was and gives the error bad_input. `what` and `option` as above.
[[nodiscard]] Result<void> write_output_file(const std::string& path, std::string_view content, std::string_view what,
                                             std::string_view option);

}  // namespace sassafras
