// The 128-bit instruction word of sm_70 and later, and the fields common to all instructions.
// Bit n counts from the least significant bit of the low half. Source: docs/isa.md.
#pragma once

#include <compare>
#include <cstdint>

namespace sassafras::isa {

/// A contiguous bit range of an instruction word.
struct Field {
    int first = 0;
    int width = 1;
};

struct Word128 {
    std::uint64_t low = 0;
    std::uint64_t high = 0;

    friend constexpr auto operator<=>(const Word128&, const Word128&) = default;

    [[nodiscard]] constexpr std::uint64_t bits(int first, int width) const {
        std::uint64_t value = 0;
        if (first >= 64) {
            value = high >> (first - 64);
        } else {
            value = low >> first;
            if (first != 0 && first + width > 64) value |= high << (64 - first);
        }
        return width >= 64 ? value : value & ((std::uint64_t{1} << width) - 1);
    }
    [[nodiscard]] constexpr std::uint64_t get(Field field) const { return bits(field.first, field.width); }
    [[nodiscard]] constexpr bool bit(int index) const { return bits(index, 1) != 0; }
    [[nodiscard]] constexpr std::int64_t signed_bits(int first, int width) const {
        const std::uint64_t value = bits(first, width);
        const std::uint64_t sign = std::uint64_t{1} << (width - 1);
        return static_cast<std::int64_t>((value ^ sign) - sign);
    }
};

/// Scheduling information that the compiler puts into every instruction (bits 105 to 125).
struct ControlCode {
    std::uint8_t stall = 0;          ///< cycles before this warp may issue its next instruction, 0..15
    bool stay = false;               ///< bit 109: set means the scheduler need not switch warps (no yield hint)
    std::uint8_t write_barrier = 7;  ///< scoreboard released when the result is written; 7 is none
    std::uint8_t read_barrier = 7;   ///< scoreboard released when the sources have been read; 7 is none
    std::uint8_t wait_mask = 0;      ///< scoreboards 0..5 that must be zero before issue
    std::uint8_t reuse = 0;          ///< bit s: keep source slot s (0 = A, 1 = B, 2 = C) in the register cache

    friend constexpr auto operator<=>(const ControlCode&, const ControlCode&) = default;
};

[[nodiscard]] constexpr ControlCode control_code(const Word128& word) {
    return {.stall = static_cast<std::uint8_t>(word.bits(105, 4)),
            .stay = word.bit(109),
            .write_barrier = static_cast<std::uint8_t>(word.bits(110, 3)),
            .read_barrier = static_cast<std::uint8_t>(word.bits(113, 3)),
            .wait_mask = static_cast<std::uint8_t>(word.bits(116, 6)),
            .reuse = static_cast<std::uint8_t>(word.bits(122, 4))};
}

}  // namespace sassafras::isa
