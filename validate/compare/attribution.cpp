#include "validate/compare/attribution.hpp"

#include <algorithm>

#include "validate/models/profile/kernel_profile.hpp"

namespace sassafras::validate {

namespace {

using Part = double Attribution::*;

Part part_of_instruction(isa::Opcode opcode) {
    switch (classify(opcode)) {
        case InstructionClass::global: return &Attribution::g;
        case InstructionClass::local:
        case InstructionClass::shared: return &Attribution::s;
        case InstructionClass::barrier: return &Attribution::y;
        case InstructionClass::arithmetic:
        case InstructionClass::control: return &Attribution::r;
    }
    return &Attribution::r;
}

Part part_of(sim::Stall reason, isa::Opcode opcode) {
    using enum sim::Stall;
    switch (reason) {
        case long_scoreboard:
        case lg_throttle:
        case membar:
        case drain: return &Attribution::g;
        case short_scoreboard:
        case mio_throttle: return &Attribution::s;
        case wait:
        case math_pipe_throttle:
        case dispatch_stall: return &Attribution::r;
        case barrier: return &Attribution::y;
        case selected:
        case not_selected: return part_of_instruction(opcode);
        case no_instruction:
        case imc_miss:
        case branch_resolve:
        case sleeping:
        case count_: return &Attribution::other;
    }
    return &Attribution::other;
}

}  // namespace

Attribution attribute(std::span<const sim::KernelResult> launches, double launch_overhead_cycles) {
    Attribution run;
    for (const sim::KernelResult& launch : launches) {
        Attribution warps;  // warp-cycles
        for (const sim::SourceRow& row : launch.source)
            for (std::size_t reason = 0; reason < sim::stall_count; ++reason)
                warps.*part_of(static_cast<sim::Stall>(reason), row.instruction.opcode) +=
                    static_cast<double>(row.stalls[reason]);
        const double elapsed = launch.metric("sm__cycles_elapsed.max"_metric);
        const double all = warps.total();
        const double overhead = all > 0 ? std::min(launch_overhead_cycles, elapsed) : elapsed;
        run.launch += overhead;
        if (all <= 0) continue;
        for (const Part part :
             {&Attribution::g, &Attribution::s, &Attribution::r, &Attribution::y, &Attribution::other})
            run.*part += (elapsed - overhead) * (warps.*part) / all;
    }
    return run;
}

}  // namespace sassafras::validate
