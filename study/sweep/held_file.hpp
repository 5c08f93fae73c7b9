// A file that one process at a time holds, and that nobody holds once that process has died, however it died.
#pragma once

#include <filesystem>
#include <optional>
#include <utility>

#include "core/result.hpp"

namespace sassafras::study::sweep {

/// By flock(): the kernel knows who holds it, which names of hosts and numbers of processes do not tell where
/// containers have both in common. The file goes when it is released.
class HeldFile {
  public:
    /// Makes the file if there is none. Nothing if somebody holds it, here or in another process. Where the file system
    /// has no locks it is as if nobody did (is_locked() is false). Error bad_input if the file cannot be made.
    [[nodiscard]] static Result<std::optional<HeldFile>> take(const std::filesystem::path& path);
    /// One that a process left that has died; nothing if it lives, if there is no such file, or if nothing tells.
    [[nodiscard]] static std::optional<HeldFile> take_left(const std::filesystem::path& path);

    [[nodiscard]] bool is_locked() const { return is_locked_; }

    HeldFile(HeldFile&& other) noexcept
        : path_(std::move(other.path_)),
          descriptor_(std::exchange(other.descriptor_, -1)),
          is_locked_(other.is_locked_) {}
    HeldFile& operator=(HeldFile&& other) noexcept {
        std::swap(path_, other.path_);
        std::swap(descriptor_, other.descriptor_);
        std::swap(is_locked_, other.is_locked_);
        return *this;
    }
    HeldFile(const HeldFile&) = delete;
    HeldFile& operator=(const HeldFile&) = delete;
    ~HeldFile();

  private:
    HeldFile(std::filesystem::path path, int descriptor, bool is_locked)
        : path_(std::move(path)), descriptor_(descriptor), is_locked_(is_locked) {}
    static std::optional<HeldFile> opened(const std::filesystem::path& path, int flags, int& error_number);

    std::filesystem::path path_;
    int descriptor_ = -1;
    bool is_locked_ = false;
};

}  // namespace sassafras::study::sweep
