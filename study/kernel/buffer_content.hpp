// What a buffer of a launch holds before it, made piece by piece: the device's copy is the only whole one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "core/array_file/array_file.hpp"
#include "core/random.hpp"
#include "core/result.hpp"
#include "core/types.hpp"
#include "study/kernel/launch_argument.hpp"

namespace sassafras::study {

class BufferContent {
  public:
    /// Of a buffer of `size` bytes. Error bad_input: its file is not there, is damaged, or its numbers do not fit.
    [[nodiscard]] static Result<BufferContent> open(const BufferArgument& buffer, Bytes size, std::uint64_t seed);
    /// Bytes that have not been made yet and need making: behind them the buffer holds zeros.
    [[nodiscard]] Bytes left() const { return Bytes{file_ ? file_->left() : left_}; }
    /// The next ones, no more than are left; whole words unless they are the last. Error bad_input if the file cannot
    /// be read.
    [[nodiscard]] Result<void> read(std::span<std::byte> to);

  private:
    explicit BufferContent(std::uint64_t seed) : random_(seed) {}

    BufferArgument::Content kind_ = BufferArgument::Content::zero;
    std::optional<ArrayBytes> file_;
    std::uint64_t left_ = 0;  ///< of what is no file's
    std::uint32_t word_ = 0;  ///< the next one of iota
    SplitMix64 random_;
};

}  // namespace sassafras::study
