// What a launch did, as analytical models ask for it: counts of a functional run, and how many warps a machine holds.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "isa/sass/opcode.hpp"
#include "sim/device/device.hpp"

namespace sassafras::validate {

enum class InstructionClass : std::uint8_t {
    arithmetic,  ///< whatever is none of the others: arithmetic, moves, constant loads, shuffles
    global,      ///< memory beyond an SM, generic addresses too
    local,       ///< the thread's own memory
    shared,
    barrier,  ///< of a block
    control,  ///< branches, convergence, waits, exits
};

[[nodiscard]] InstructionClass classify(isa::Opcode opcode);

/// One launch. Instructions are counted a warp, however many of its lanes take part.
struct KernelProfile {
    std::string name;
    double blocks = 0;
    double threads_per_block = 0;
    double registers_per_thread = 0;
    double shared_words_per_block = 0;
    double arithmetic = 0;
    double global = 0;
    double local = 0;
    double shared = 0;
    double barriers = 0;
    double control = 0;
    double global_sectors = 0;     ///< of 32 bytes, as addresses need them, caches left out
    double global_lane_loads = 0;  ///< lanes that load, over all instructions
    double shared_wavefronts = 0;  ///< with bank conflicts
    double shared_wavefronts_ideal = 0;
    double thread_instructions = 0;  ///< of the lanes that take part

    [[nodiscard]] double instructions() const { return arithmetic + global + local + shared + barriers + control; }
    [[nodiscard]] double warps(double lanes) const;
};

/// Errors: bad_input if the launch has no counts of its instructions (a real GPU counts none).
[[nodiscard]] Result<KernelProfile> profile_of(const sim::KernelResult& result);

}  // namespace sassafras::validate
