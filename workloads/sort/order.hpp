// What is sorted: elements and how two compare. elements.cuh has the same for the kernels.
#pragma once

#include <cstdint>
#include <string_view>

namespace sassafras::workloads::sort {

enum class Order : std::uint8_t {
    u32,       ///< 32-bit unsigned keys
    u64,       ///< 64-bit unsigned keys
    pair,      ///< a 32-bit key in the upper half, a 32-bit value in the lower, which is not compared
    fraction,  ///< numerator in the upper half, denominator (not 0) in the lower; compared by cross multiplication
};

/// As in kernels' names.
constexpr std::string_view name_of(Order order) {
    constexpr std::string_view names[] = {"u32", "u64", "pair", "fraction"};
    return names[static_cast<std::size_t>(order)];
}

constexpr std::uint32_t bytes_of(Order order) { return order == Order::u32 ? 4 : 8; }

constexpr bool less(Order order, std::uint64_t a, std::uint64_t b) {
    constexpr std::uint64_t low = 0xffffffffU;
    switch (order) {
        case Order::pair: return (a >> 32U) < (b >> 32U);
        case Order::fraction: return (a >> 32U) * (b & low) < (b >> 32U) * (a & low);
        default: return a < b;
    }
}

}  // namespace sassafras::workloads::sort
