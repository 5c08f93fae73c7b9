// A kernel ready to run: decoded instructions, basic blocks, control-flow graph, post-dominators.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "isa/cubin/cubin.hpp"
#include "isa/sass/instruction.hpp"
#include "isa/sass/print.hpp"

namespace sassafras::isa {

inline constexpr std::uint32_t no_block = 0xffffffffU;

/// Instructions that are entered at the first and left after the last, under one active mask. The mask or the pc can
/// change only at its end (ends_block in targets.hpp).
struct BasicBlock {
    std::uint32_t first = 0;  ///< index of the first instruction
    std::uint32_t count = 0;
    /// Basic block numbers, the one that follows in memory first. An indirect branch lists every block it can reach, or
    /// none if unknown; a call lists its return point and the callee, RET the return points of its function.
    std::vector<std::uint32_t> successors;
    /// Within its function: a call goes on at its return point, RET and EXIT end. no_block where paths end apart or
    /// never.
    std::uint32_t immediate_post_dominator = no_block;
};

struct Program {
    Kernel kernel;
    std::vector<Instruction> instructions;  ///< pc / 16 indexes it
    std::vector<BasicBlock> blocks;
    std::vector<std::uint32_t> block_of;  ///< instruction index -> basic block
};

/// Fails with not_modelled (kernel, pc, hex word) where an instruction cannot be decoded or the kernel calls what its
/// file does not define, with bad_input where a branch leaves the code or .nv.info and code disagree (EXIT offsets,
/// indirect branches).
[[nodiscard]] Result<Program> build_program(const Kernel& kernel);

}  // namespace sassafras::isa
