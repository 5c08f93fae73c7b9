// The opcode table: one row an operation and operand form. Types and look-up; the rows come from
// instruction_list.hpp.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "isa/sass/architecture.hpp"
#include "isa/sass/form.hpp"
#include "isa/sass/opcode.hpp"
#include "isa/sass/pipe.hpp"
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

/// What an operation has and does beyond its operands' kinds. A physical slot is a place in the word, as a Source; a
/// logical one is Instruction::a, b or c.
enum Properties : std::uint32_t {
    no_properties = 0,
    // Sign bits, by physical slot; elsewhere the same bits are other fields.
    sign_a = 1U << 0U,       ///< 72
    magnitude_a = 1U << 1U,  ///< 73
    sign_b = 1U << 2U,       ///< 63
    magnitude_b = 1U << 3U,  ///< 62
    sign_c = 1U << 4U,       ///< 75
    magnitude_c = 1U << 5U,  ///< 74
    half_c = 1U << 6U,       ///< 84 and 83: third source of packed halves
    // Only the addend has a sign, wherever the form puts it; by logical slot.
    addend_b = 1U << 7U,
    addend_c = 1U << 8U,
    // Values in pairs of registers, by logical slot.
    pair_a = 1U << 9U,
    pair_b = 1U << 10U,
    pair_c = 1U << 11U,
    pair_result = 1U << 12U,
    // Predicate fields beyond the guard: fields::predicate_p and so on.
    reads_p = 1U << 13U,
    reads_q = 1U << 14U,
    reads_r = 1U << 15U,
    carry_p = 1U << 16U,    ///< reads p if it has .X
    carry_q = 1U << 17U,    ///< reads q if it has .X
    chained_r = 1U << 18U,  ///< reads r if it has .EX
    writes_u = 1U << 19U,
    writes_v = 1U << 20U,
    accesses_memory = 1U << 21U,  ///< is_memory_access()
};
constexpr Properties operator|(Properties x, Properties y) {
    return static_cast<Properties>(static_cast<unsigned>(x) | static_cast<unsigned>(y));
}

enum class Destination : std::uint8_t { none, vector, uniform };

struct OpcodeRow {
    std::uint16_t key = 0;  ///< 13 bits: bit 91 above bits 11..0
    Opcode opcode = Opcode::invalid;
    Form form = Form::plain;
    std::array<Source, 3> sources{};  ///< logical order
    std::uint8_t second_port = 1;     ///< register port of the second source: 1, or 2 if it is coded as an addend
    Properties properties = no_properties;
    Destination destination = Destination::none;
    Pipe pipe = Pipe::none;
    LatencyClass latency = LatencyClass::fixed;
    Architecture since = Architecture::sm_75;  ///< the first and the last architecture that have it
    Architecture until = Architecture::sm_90;

    [[nodiscard]] constexpr bool has(Properties property) const { return (properties & property) != 0; }
    [[nodiscard]] constexpr bool holds_for(Architecture architecture) const {
        return since <= architecture && architecture <= until;
    }
};

/// The row of a 13-bit key, or null.
[[nodiscard]] const OpcodeRow* find_row(std::uint16_t key, Architecture architecture = Architecture::sm_90);

/// The register port, and the bit of ControlCode::reuse, of a logical source: 0, 1, 2 in logical order, but for second
/// sources that are coded as addends, and a lone source in the place of b, which goes through b's port.
[[nodiscard]] constexpr int reuse_slot(const OpcodeRow& row, int index) {
    if (index == 1) return row.second_port;
    return index == 0 && row.sources[0] != Source::a && row.sources[0] != Source::uniform_a ? 1 : index;
}

[[nodiscard]] constexpr std::uint16_t opcode_key(const Word128& word) {
    return static_cast<std::uint16_t>((word.low & 0xfffU) | (((word.high >> 27U) & 1U) << 12U));
}

}  // namespace sassafras::isa
