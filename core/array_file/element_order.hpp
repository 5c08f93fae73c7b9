// Numbers of every type as unsigned ones in the same order, and back.
#pragma once

#include <cstdint>

#include "core/array_file/element_type.hpp"

namespace sassafras {

constexpr bool is_float(ElementType type) { return type == ElementType::f32 || type == ElementType::f64; }
constexpr bool is_signed(ElementType type) { return type != ElementType::u32 && type != ElementType::u64; }

constexpr std::uint64_t sign_bit(ElementType type) { return std::uint64_t{1} << (8 * bytes_of(type) - 1); }
/// All bits of a number of the type.
constexpr std::uint64_t all_bits(ElementType type) { return sign_bit(type) | (sign_bit(type) - 1); }

/// The bits of a number become an unsigned integer of its width; unequal numbers keep their order. -0.0 comes before
/// 0.0, and NaNs lie at either end.
constexpr std::uint64_t to_ordered(ElementType type, std::uint64_t bits) {
    if (!is_signed(type)) return bits;
    const bool inverts = is_float(type) && (bits & sign_bit(type)) != 0;
    return inverts ? bits ^ all_bits(type) : bits ^ sign_bit(type);
}

/// What to_ordered took.
constexpr std::uint64_t from_ordered(ElementType type, std::uint64_t ordered) {
    if (!is_signed(type)) return ordered;
    const bool inverts = is_float(type) && (ordered & sign_bit(type)) == 0;
    return inverts ? ordered ^ all_bits(type) : ordered ^ sign_bit(type);
}

}  // namespace sassafras
