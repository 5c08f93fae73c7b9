// What the opcode table says of how an operation executes: its unit, and whether its latency is fixed.
#pragma once

#include <cstdint>

namespace sassafras::isa {

/// The unit that executes an operation; rates and latencies of each are the platform's.
enum class Pipe : std::uint8_t {
    alu,   ///< integer, logic, comparison, FP32 min/max/select
    fma,   ///< FP32 multiply-add and integer multiply-add
    fp16,  ///< packed half precision
    fp64,
    xu,       ///< transcendental and conversion unit (MUFU, F2I, I2F, POPC, FLO, BREV)
    lsu,      ///< memory, shuffles, barriers through the memory pipeline
    cbu,      ///< branches, convergence barriers
    uniform,  ///< uniform datapath
    tensor,
    adu,   ///< address divergence unit: S2R, BAR, LDC, VOTE-like operations outside the ALU
    none,  ///< takes an issue slot only (NOP)
};

/// Whether the compiler may rely on a fixed delay or must use a scoreboard.
enum class LatencyClass : std::uint8_t { fixed, variable };

}  // namespace sassafras::isa
