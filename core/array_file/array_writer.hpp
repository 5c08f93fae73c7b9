// Writing a file of one array piece by piece, so that no second copy of a large one is needed.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "core/array_file/element_type.hpp"
#include "core/result.hpp"
#include "core/staged_file.hpp"

namespace sassafras {

/// The file appears under its name only once it is whole (finish()); before that it is beside it (StagedFile), and is
/// removed if the writer goes away unfinished. A name that ends in .npy makes a .npy file, any other a raw one.
class ArrayWriter {
  public:
    /// `count` elements will be appended. Error bad_input if the file cannot be made.
    [[nodiscard]] static Result<ArrayWriter> create(const std::string& path, ElementType type, std::uint64_t count);

    /// The next elements, of the type's width. Error bad_input if they cannot be written (the disk is full).
    [[nodiscard]] Result<void> append(std::span<const std::uint32_t> elements);
    [[nodiscard]] Result<void> append(std::span<const std::uint64_t> elements);
    /// Throws InvariantViolation if not exactly `count` were appended.
    [[nodiscard]] Result<void> finish();

  private:
    explicit ArrayWriter(StagedFile staged) : staged_(std::move(staged)) {}
    Result<void> append_bytes(std::span<const std::byte> bytes);

    StagedFile staged_;
    std::uint32_t element_bytes_ = 0;
    std::uint64_t missing_bytes_ = 0;
};

}  // namespace sassafras
