// Files of one array of numbers: raw, little-endian, one after the other; or NumPy's .npy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <istream>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/array_file/element_type.hpp"
#include "core/result.hpp"

namespace sassafras {

/// The numbers' bits. Those of 32 bits are in `narrow`, those of 64 in `wide`; the other is empty.
struct Array {
    ElementType type = ElementType::u32;
    std::vector<std::uint32_t> narrow;
    std::vector<std::uint64_t> wide;

    [[nodiscard]] std::size_t size() const { return narrow.size() + wide.size(); }
};

struct ArrayExpectation {
    std::optional<ElementType> type;     ///< of the numbers; a .npy file must agree
    ElementType raw = ElementType::u32;  ///< type of raw numbers if it is not said
    std::uint64_t greatest_count = std::numeric_limits<std::uint64_t>::max();
    bool nans = false;  ///< NaNs are let through
};

/// Reads the file; what begins as .npy files do is one, and what is called .npy must begin so. Errors bad_input, each
/// with the file's name: it cannot be read; its size does not fit its type or its header; header errors; another type
/// than expected; more numbers than greatest_count (found before any is read); a NaN, with its position.
[[nodiscard]] Result<Array> read_array(const std::string& path, const ArrayExpectation& expected);
/// The same from a stream of `size` bytes; `origin` is its name.
[[nodiscard]] Result<Array> read_array(std::istream& stream, std::uint64_t size, const std::string& origin,
                                       const ArrayExpectation& expected);

/// The bytes of the numbers alone, of any type, NaNs included, piece by piece: a .npy file's behind its header, else
/// the whole file.
class ArrayBytes {
  public:
    /// Error bad_input as read_array, and if there are more than `greatest`.
    [[nodiscard]] static Result<ArrayBytes> open(const std::string& path, std::uint64_t greatest);
    /// What has not been read yet.
    [[nodiscard]] std::uint64_t left() const { return left_; }
    /// The next ones, no more than are left. Error bad_input if they cannot be read.
    [[nodiscard]] Result<void> read(std::span<std::byte> to);

  private:
    std::string path_;
    std::ifstream stream_;
    std::uint64_t left_ = 0;
};
/// How many bytes that gives, and of what type they are if the file says it.
struct ArrayLayout {
    std::uint64_t bytes = 0;
    std::optional<ElementType> type;
};
[[nodiscard]] Result<ArrayLayout> read_array_layout(const std::string& path);

/// Numbers of 64 bits become numbers of 32: integers u32 if none is negative, else i32; floats f32. Error bad_input
/// unless that keeps every number; it names the first that does not fit.
[[nodiscard]] Result<void> narrow_to_32_bits(Array& array, const std::string& origin);

/// Replaces signed integers and floats by unsigned integers of their width, in the same order: a sign bit is flipped,
/// the bits of negative floats are inverted. So -0.0 comes before 0.0, and NaNs lie at either end.
void map_to_unsigned(Array& array);

}  // namespace sassafras
