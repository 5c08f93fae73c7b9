// A file that appears whole or not at all: written beside its place, then renamed. Devices, pipes and folders are never
// replaced: what is written to them goes there at once. A symbolic link that is the target is followed.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "core/result.hpp"

namespace sassafras {

class StagedFile {
  public:
    explicit StagedFile(const std::string& path);
    /// Where to write; it has failed if it cannot be opened. The file is a new one: what has its name already, a link
    /// that was planted or what a killed process left, is neither followed nor written, and another name is taken.
    [[nodiscard]] std::ofstream open();
    /// Where it is written; begins with the name of the target and has the number of this process.
    [[nodiscard]] const std::filesystem::path& place() const { return place_; }
    /// What was written takes its place, with the permissions of what it replaces. False if it cannot.
    [[nodiscard]] bool commit() const;
    /// What open() made goes away, nothing else.
    void discard() const;
    /// What would keep the file from being written, as far as it can be known before; empty if nothing. All stays as it
    /// is.
    [[nodiscard]] std::string obstacle() const;

  private:
    std::filesystem::path target_;
    std::filesystem::path place_;
    bool is_staged_ = false;  ///< place_ is not target_
    bool is_made_ = false;    ///< place_ is a file of ours
};

/// Asked before a result is computed, so that the work is not lost: error bad_input if `path` cannot be written. `what`
/// is what the file holds ("the JSON file"), `option` names it on the command line.
[[nodiscard]] Result<void> check_output_file(const std::string& path, std::string_view what, std::string_view option);

/// Writes `path` whole, or leaves it as it was and gives the error bad_input. `what` and `option` as above.
[[nodiscard]] Result<void> write_output_file(const std::string& path, std::string_view content, std::string_view what,
                                             std::string_view option);

}  // namespace sassafras
