// A folder for files that nobody needs when the command has ended.
#pragma once

#include <string>
#include <utility>

#include "core/result.hpp"

namespace sassafras::cli {

/// A folder that goes when its owner goes.
class TemporaryFolder {
  public:
    /// In TMPDIR, or /tmp. Error bad_input if it cannot be made.
    [[nodiscard]] static Result<TemporaryFolder> make();
    TemporaryFolder(TemporaryFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(TemporaryFolder&&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    ~TemporaryFolder();

    [[nodiscard]] const std::string& path() const { return path_; }
    [[nodiscard]] std::string file(const std::string& name) const { return path_ + "/" + name; }

  private:
    explicit TemporaryFolder(std::string path) : path_(std::move(path)) {}
    std::string path_;
};

}  // namespace sassafras::cli
