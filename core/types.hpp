// Strong types shared by every part. Arithmetic is explicit: a cycle is not an address.
#pragma once

#include <bit>
#include <compare>
#include <cstdint>

namespace sassafras {

inline constexpr int warp_size = 32;

/// A point in time or a duration, in clock cycles of the SM clock domain.
struct Cycle {
    std::uint64_t count = 0;
    friend constexpr auto operator<=>(Cycle, Cycle) = default;
    friend constexpr Cycle operator+(Cycle a, Cycle b) { return {a.count + b.count}; }
    friend constexpr Cycle operator-(Cycle a, Cycle b) { return {a.count - b.count}; }
    constexpr Cycle& operator+=(Cycle b) {
        count += b.count;
        return *this;
    }
};

struct Bytes {
    std::uint64_t count = 0;
    friend constexpr auto operator<=>(Bytes, Bytes) = default;
    friend constexpr Bytes operator+(Bytes a, Bytes b) { return {a.count + b.count}; }
};

/// A device virtual address in bytes.
struct Address {
    std::uint64_t value = 0;
    friend constexpr auto operator<=>(Address, Address) = default;
    friend constexpr Address operator+(Address a, Bytes b) { return {a.value + b.count}; }
};

/// One bit a lane of a warp; bit i is lane i.
struct LaneMask {
    std::uint32_t bits = 0;
    friend constexpr auto operator<=>(LaneMask, LaneMask) = default;
    friend constexpr LaneMask operator&(LaneMask a, LaneMask b) { return {a.bits & b.bits}; }
    friend constexpr LaneMask operator|(LaneMask a, LaneMask b) { return {a.bits | b.bits}; }
    friend constexpr LaneMask operator~(LaneMask a) { return {~a.bits}; }
    [[nodiscard]] constexpr bool none() const { return bits == 0; }
    [[nodiscard]] constexpr bool any() const { return bits != 0; }
    [[nodiscard]] constexpr bool all() const { return bits == 0xffffffffU; }
    [[nodiscard]] constexpr bool test(int lane) const { return ((bits >> lane) & 1U) != 0; }
    [[nodiscard]] constexpr int count() const { return std::popcount(bits); }
    static constexpr LaneMask full() { return {0xffffffffU}; }
};

/// Extents of a grid or a block, and an index within one. CUDA's dim3.
struct Dim3 {
    std::uint32_t x = 1;
    std::uint32_t y = 1;
    std::uint32_t z = 1;
    friend constexpr auto operator<=>(const Dim3&, const Dim3&) = default;
    [[nodiscard]] constexpr std::uint64_t volume() const { return static_cast<std::uint64_t>(x) * y * z; }
};

}  // namespace sassafras
