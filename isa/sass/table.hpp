// The opcode table: one row an operation and operand form. Types and look-up; the rows are in table_rows.hpp.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "isa/sass/architecture.hpp"
#include "isa/sass/opcode.hpp"
#include "isa/sass/word.hpp"

namespace sassafras::isa {

/// Where one logical source sits in the word.
enum class Source : std::uint8_t {
    none,
    a,          ///< R [31:24]
    b,          ///< R [39:32]
    c,          ///< R [71:64]
    uniform_a,  ///< UR [29:24]
    uniform_b,  ///< UR [37:32]
    uniform_c,  ///< UR [69:64]
    immediate,  ///< [63:32]
    constant,   ///< bank [58:54], offset [53:38]
    bindless,   ///< UR [37:32], offset [53:38]
};

/// Which sign bits the operation has, by physical slot; elsewhere the same bits are other fields.
enum SourceModifiers : std::uint8_t {
    no_modifiers = 0,
    sign_a = 1,        ///< 72
    magnitude_a = 2,   ///< 73
    sign_b = 4,        ///< 63
    magnitude_b = 8,   ///< 62
    sign_c = 16,       ///< 75
    magnitude_c = 32,  ///< 74
    half_c = 64,       ///< 84 and 83: third source of packed halves
};
constexpr SourceModifiers operator|(SourceModifiers x, SourceModifiers y) {
    return static_cast<SourceModifiers>(static_cast<unsigned>(x) | static_cast<unsigned>(y));
}

enum class Destination : std::uint8_t { none, vector, uniform };

struct OpcodeRow {
    std::uint16_t key = 0;  ///< 13 bits: bit 91 above bits 11..0
    Opcode opcode = Opcode::invalid;
    std::array<Source, 3> sources{};  ///< logical order
    SourceModifiers modifiers = no_modifiers;
    Destination destination = Destination::none;
    Pipe pipe = Pipe::none;
    LatencyClass latency = LatencyClass::fixed;
    Architecture since = Architecture::sm_75;  ///< the first and the last architecture that have it
    Architecture until = Architecture::sm_90;
    [[nodiscard]] constexpr bool holds_for(Architecture architecture) const {
        return since <= architecture && architecture <= until;
    }
};

/// The row of a 13-bit key, or null.
[[nodiscard]] const OpcodeRow* find_row(std::uint16_t key, Architecture architecture = Architecture::sm_90);

/// The register port, and the bit of ControlCode::reuse, of a logical source: 0, 1, 2 in logical order, but the second
/// source of operations whose forms are those of an addend (FADD, DADD, HADD2, HSET2, HSETP2, DSETP) goes through the
/// third port.
[[nodiscard]] constexpr int reuse_slot(const OpcodeRow& row, int index) {
    switch (row.opcode) {
        case Opcode::FADD:
        case Opcode::DADD:
        case Opcode::HADD2:
        case Opcode::HSET2:
        case Opcode::HSETP2:
        case Opcode::DSETP: return index == 0 ? 0 : 2;
        default:
            // A lone source in the place of b goes through b's port.
            return index == 0 && row.sources[0] != Source::a && row.sources[0] != Source::uniform_a ? 1 : index;
    }
}

[[nodiscard]] constexpr std::uint16_t opcode_key(const Word128& word) {
    return static_cast<std::uint16_t>((word.low & 0xfffU) | (((word.high >> 27U) & 1U) << 12U));
}

}  // namespace sassafras::isa
