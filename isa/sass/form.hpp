// Names of encodings of one operation that differ in more than the kinds of their operands.
#pragma once

#include <cstdint>

namespace sassafras::isa {

/// What Instruction::opcode and the kinds of a, b and c do not say. The entries of instruction_list.hpp give it.
enum class Form : std::uint8_t {
    plain,
    wide,               ///< UIADD3 and conversions: operands of 64 bits, or of sizes that the word names
    relative,           ///< CALL: the target counts from the next instruction
    with_target,        ///< LEPC, ULEPC: the address of the target that the word names
    uniform_predicate,  ///< BRA, JMP: on the condition of a uniform predicate
    wide_offset,        ///< LD, ST: 32 bits of offset, and no uniform register
    floating,           ///< ATOM, ATOMG, RED of sm_90: on floating-point types
    compare_and_swap,   ///< ATOM, ATOMG, ATOMS, SYNCS
    lane_count,         ///< ATOMS.POPC.INC, ATOMS.ARRIVE: no second operand
    uniform_target,     ///< LDGSTS
    name_and_count,     ///< BAR: one register holds both the barrier's number and the count of threads
    three_operands,     ///< UTMALDG, UTMAPF: with a third uniform register
    // SYNCS: barriers in shared memory
    arrive,
    check_phase,
    exchange,
    uniform_load,
    invalidate,
    // BMOV, RPCMOV: the convergence unit's state
    read_state,   ///< to a register
    write_state,  ///< of 32 bits, from an operand
    state_from_barrier,
    barrier_from_state,
};

}  // namespace sassafras::isa
