// The types of number that a file of one array can hold.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace sassafras {

enum class ElementType : std::uint8_t { u32, u64, i32, i64, f32, f64 };

struct ElementTypeNames {
    ElementType type;
    std::string_view name;   ///< on the command line: u4, as NumPy says it
    std::string_view descr;  ///< in a .npy header: little-endian
    std::uint32_t bytes;
};

inline constexpr std::array<ElementTypeNames, 6> element_types{{
    {ElementType::u32, "u4", "<u4", 4},
    {ElementType::u64, "u8", "<u8", 8},
    {ElementType::i32, "i4", "<i4", 4},
    {ElementType::i64, "i8", "<i8", 8},
    {ElementType::f32, "f4", "<f4", 4},
    {ElementType::f64, "f8", "<f8", 8},
}};

constexpr const ElementTypeNames& names_of(ElementType type) { return element_types[static_cast<std::size_t>(type)]; }
constexpr std::uint32_t bytes_of(ElementType type) { return names_of(type).bytes; }

}  // namespace sassafras
