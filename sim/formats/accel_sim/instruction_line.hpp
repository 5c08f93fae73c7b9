// One executed instruction as Accel-Sim's tracer writes it. Source of the format: Accel-Sim's tracer and reader
// (accel-sim-framework, util/tracer_nvbit and gpu-simulator/trace-parser; version 6 as Accel-Sim 2.0 reads it).
//
//   [source line] pc(hex) mask(hex) count [registers] opcode count [registers] width [mode addresses] immediate
//
//   width   bytes a lane, 0: no memory access
//   mode 0  one hexadecimal address a lane of the mask
//   mode 1  hexadecimal base and decimal stride over consecutive lanes
//   mode 2  hexadecimal base and a decimal difference for each further lane of the mask
//
// The mask has the lanes whose guard held. Accel-Sim's reader ignores what stands behind the immediate; there our
// exports (version 5) say which lanes came to the instruction, where these are others: active=ffffffff, 1 to 8
// hexadecimal digits.
//
// Versions 3 and 4 have no immediate. Version 6 has registers of every file (R, UR, P, UP), perhaps a second immediate,
// then NoVal, or Val and the values of the registers.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/result.hpp"
#include "core/types.hpp"

namespace sassafras::sim::accel_sim {

inline constexpr int oldest_version = 3;
inline constexpr int newest_version = 6;
inline constexpr int exported_version = 5;  ///< the newest that Accel-Sim 1.x reads

struct LineFormat {
    int version = 5;
    bool source_lines = false;  ///< each line begins with a line number of the source (-enable lineinfo = 1)
};

struct TracedRegister {
    enum class File : std::uint8_t { vector, uniform, predicate, uniform_predicate } file = File::vector;
    std::uint8_t number = 0;  ///< 255: RZ
    friend constexpr bool operator==(TracedRegister, TracedRegister) = default;
};

struct InstructionLine {
    std::uint32_t pc = 0;      ///< bytes from the start of its function
    std::uint32_t mask = 0;    ///< lanes that execute: after the guard
    std::uint32_t active = 0;  ///< lanes before the guard; the mask, if the line does not say
    std::string_view
        instruction;          ///< from the number of destinations to the last source: the same whenever it executes
    std::string_view opcode;  ///< with its modifiers: "LDG.E.64"
    std::uint32_t width = 0;  ///< bytes a lane as the line says (tracers err); 0: no addresses
    std::array<std::uint64_t, warp_size> address{};  ///< of the mask's lanes
    std::int64_t immediate = 0;                      ///< the last of the instruction's; 0: none, or it is 0

    [[nodiscard]] std::span<const TracedRegister> destinations() const { return {registers.data(), destination_count}; }
    [[nodiscard]] std::span<const TracedRegister> sources() const {
        return {registers.data() + destination_count, source_count};
    }

    static constexpr std::size_t most_registers = 16;  ///< of each kind
    std::array<TracedRegister, 2 * most_registers> registers{};
    std::size_t destination_count = 0;
    std::size_t source_count = 0;
};

/// Views of `out` are into `line`. Error bad_input that says what is wrong, or not_modelled for bulk copies (version 6
/// describes them in fields of their own); where it is, the caller adds.
[[nodiscard]] Result<void> parse_instruction_line(std::string_view line, const LineFormat& format,
                                                  InstructionLine& out);

}  // namespace sassafras::sim::accel_sim
