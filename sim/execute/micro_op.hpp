// What an instruction is lowered to when a kernel is launched: a handler and its operands, resolved.
#pragma once

#include <cstdint>

namespace sassafras::sim {

struct Warp;
struct MicroOp;

/// Executes one instruction for the lanes in `mask` (the active mask with the guard applied).
using Handler = void (*)(Warp& warp, const MicroOp& op, std::uint32_t mask);

/// Instructions that end a straight run; the rest fall through to the next instruction.
enum class Control : std::uint8_t {
    none,
    branch,            ///< m0: target
    branch_divergent,  ///< m0: target, a: mask register, m1: 1 complements the mask, m2: 1 for .CONV
    branch_indirect,   ///< a: target register pair; target = value + (m1:m0)
    exit,
    converge,   ///< BSYNC: m0 is the convergence barrier
    warp_sync,  ///< a: row of the lane mask; m0: 1 for .EXCLUSIVE, 2 for .COLLECTIVE; m1: then where its region ends
    end_collective,
    yield,
    barrier,   ///< BAR
    try_wait,  ///< SYNCS.PHASECHK.TRYWAIT
    clock,     ///< reads a clock
    sleep,     ///< NANOSLEEP
    turn,      ///< a contended instruction, executed when all before it is issued
    not_modelled,
    end_of_code,
};

/// References to rows are byte offsets into the warp's registers; bit 0 set means into the launch's constant rows.
struct alignas(64) MicroOp {
    Handler full = nullptr;    ///< every lane executes
    Handler masked = nullptr;  ///< some lanes execute
    std::uint32_t d = 0;
    std::uint32_t a = 0;
    std::uint32_t b = 0;
    std::uint32_t c = 0;
    std::uint32_t guard_flip = 0;  ///< all ones where the guard is negated
    std::uint32_t always = 0;      ///< all ones on the uniform datapath: the active mask does not matter
    std::uint8_t guard = 7;        ///< index into Warp::predicates
    std::uint8_t p = 16;           ///< destination predicates
    std::uint8_t q = 16;
    std::uint8_t s0 = 7;  ///< source predicates
    std::uint8_t s1 = 7;
    std::uint8_t s2 = 7;
    std::uint8_t source_flip = 0;  ///< bit i: source predicate i is negated
    Control control = Control::none;
    std::uint32_t m0 = 0;  ///< modifiers; each handler says what it keeps here
    std::uint32_t m1 = 0;
    std::uint32_t m2 = 0;
    std::uint32_t straight = 0;  ///< instructions from here before one with a control other than none
};
static_assert(sizeof(MicroOp) == 64);

}  // namespace sassafras::sim
