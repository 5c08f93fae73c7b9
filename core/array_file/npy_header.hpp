// The header of NumPy's .npy format, versions 1.0 and 2.0. Of more than one dimension the last index is the
// fastest (C order).
// Source: numpy.lib.format's documentation (NEP 1).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/array_file/element_type.hpp"
#include "core/result.hpp"

namespace sassafras {

struct NpyHeader {
    ElementType type = ElementType::u32;
    std::uint64_t count = 0;        ///< elements, of all dimensions
    std::uint64_t data_offset = 0;  ///< bytes before the first element
};

/// A header is refused if it is longer; it takes far less.
inline constexpr std::size_t greatest_npy_header_bytes = 65536;

/// True for a file that begins as every .npy file does.
[[nodiscard]] bool begins_as_npy(std::span<const std::byte> beginning);

/// `beginning` is the file's first greatest_npy_header_bytes bytes, or all there are. Error bad_input: no header, one
/// of another version, type of element, byte order or order of dimensions, or without any; `origin` is the file's name.
[[nodiscard]] Result<NpyHeader> parse_npy_header(std::span<const std::byte> beginning, const std::string& origin);

/// Version 1.0, padded to a multiple of 64 bytes as NumPy does.
[[nodiscard]] std::vector<std::byte> make_npy_header(ElementType type, std::uint64_t count);
/// The same of strings: `length` characters of four bytes each.
[[nodiscard]] std::vector<std::byte> make_npy_text_header(std::uint64_t length, std::uint64_t count);

}  // namespace sassafras
