// Writing to an open file through a buffer. Where that fails, why is still known: a stream of the standard library only
// knows that it did.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/result.hpp"

namespace sassafras {

class FileWriter {
  public:
    FileWriter() = default;
    /// Takes the descriptor. If it is negative, nothing can be written, for the reason of this errno.
    explicit FileWriter(int descriptor, int error_number = 0) : descriptor_(descriptor), error_number_(error_number) {}
    FileWriter(FileWriter&& other) noexcept { *this = std::move(other); }
    FileWriter& operator=(FileWriter&& other) noexcept;
    FileWriter(const FileWriter&) = delete;
    FileWriter& operator=(const FileWriter&) = delete;
    /// Closes; what is still in the buffer is lost.
    ~FileWriter();

    [[nodiscard]] bool is_open() const { return descriptor_ >= 0; }
    /// False from the first failure on.
    [[nodiscard]] bool write(std::span<const std::byte> bytes);
    [[nodiscard]] bool write(std::string_view text) { return write(std::as_bytes(std::span(text))); }
    /// What is in the buffer is written.
    [[nodiscard]] bool flush();
    /// The same, and the file is closed. False also if anything failed before.
    [[nodiscard]] bool close();
    /// An errno: of the first failure; 0 if there was none.
    [[nodiscard]] int error_number() const { return error_number_; }

  private:
    void put(std::span<const std::byte> bytes);

    int descriptor_ = -1;
    int error_number_ = 0;
    std::vector<std::byte> buffer_;
};

/// Opens a file for writing with these flags of open(2) beside O_WRONLY and O_CLOEXEC. Never as descriptor 0, 1 or 2,
/// which a program may have closed: what its other threads print then must not land in the file.
[[nodiscard]] FileWriter open_for_writing(const std::string& path, int flags);

/// Why a file cannot be written, by errno; names the limit where there is one.
[[nodiscard]] std::string reason_of(int error_number);

/// Error bad_input: "cannot write `what`: reason". `remedy` is for reasons that do not have their own, as a full disk
/// has.
[[nodiscard]] Error cannot_write(std::string_view what, const std::string& path, int error_number,
                                 std::string_view remedy);

}  // namespace sassafras
