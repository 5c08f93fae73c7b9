// Opening a file that a user named, for reading, without ever waiting for somebody at the other end: a pipe is read
// where somebody writes to it (as a shell's <(...) does), and refused where nobody does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "core/result.hpp"

namespace sassafras {

class InputFile {
  public:
    /// Error bad_input: it is a folder, or cannot be opened.
    [[nodiscard]] static Result<InputFile> open(const std::string& path);

    InputFile(InputFile&& other) noexcept
        : path_(std::move(other.path_)),
          descriptor_(std::exchange(other.descriptor_, -1)),
          size_(other.size_),
          is_untried_pipe_(other.is_untried_pipe_) {}
    InputFile& operator=(InputFile&&) = delete;
    InputFile(const InputFile&) = delete;
    InputFile& operator=(const InputFile&) = delete;
    ~InputFile();

    /// In bytes; 0 of what does not say: pipes, devices, files of /proc.
    [[nodiscard]] std::uint64_t size() const { return size_; }
    /// Fills `to` unless the file ends before; says how much it got. Error bad_input if it cannot be read, or is a pipe
    /// that nothing comes from and nobody writes to.
    [[nodiscard]] Result<std::size_t> read(std::span<std::byte> to);

  private:
    InputFile(std::string path, int descriptor) : path_(std::move(path)), descriptor_(descriptor) {}

    std::string path_;
    int descriptor_ = -1;
    std::uint64_t size_ = 0;
    bool is_untried_pipe_ = false;
};

/// For what is sought in or read twice. Error bad_input, naming it, if this is there and no regular file. Where nothing
/// is there, opening it will say so.
[[nodiscard]] Result<void> check_regular_file(const std::string& path);

}  // namespace sassafras
