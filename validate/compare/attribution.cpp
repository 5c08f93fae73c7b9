#include "validate/compare/attribution.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "validate/models/profile/kernel_profile.hpp"

namespace sassafras::validate {

namespace {

using Part = double Attribution::*;

struct Reason {
    std::string_view name;
    Part part;  ///< null: that of the instruction
};

constexpr std::string_view prefix = "stall_";
constexpr std::array<Reason, 15> reasons{{
    {"long_scoreboard", &Attribution::g},
    {"lg_throttle", &Attribution::g},
    {"membar", &Attribution::g},
    {"short_scoreboard", &Attribution::s},
    {"mio_throttle", &Attribution::s},
    {"wait", &Attribution::r},
    {"math_pipe_throttle", &Attribution::r},
    {"dispatch_stall", &Attribution::r},
    {"barrier", &Attribution::y},
    {"selected", nullptr},
    {"not_selected", nullptr},
    {"no_instruction", &Attribution::other},
    {"imc_miss", &Attribution::other},
    {"branch_resolve", &Attribution::other},
    {"sleeping", &Attribution::other},
}};

Part part_of_instruction(std::string_view sass) {
    switch (classify(sass)) {
        case InstructionClass::global: return &Attribution::g;
        case InstructionClass::local:
        case InstructionClass::shared: return &Attribution::s;
        case InstructionClass::barrier: return &Attribution::y;
        case InstructionClass::arithmetic:
        case InstructionClass::control: return &Attribution::r;
    }
    return &Attribution::r;
}

Part part_of(std::string_view reason, std::string_view sass) {
    if (reason.starts_with(prefix)) reason.remove_prefix(prefix.size());
    const auto found =
        std::find_if(reasons.begin(), reasons.end(), [&](const Reason& known) { return known.name == reason; });
    if (found == reasons.end()) return &Attribution::other;
    return found->part == nullptr ? part_of_instruction(sass) : found->part;
}

}  // namespace

Attribution attribute(std::span<const sim::KernelResult> launches, double launch_overhead_cycles) {
    Attribution run;
    for (const sim::KernelResult& launch : launches) {
        Attribution warps;  // warp-cycles
        for (const sim::SourceRow& row : launch.source)
            for (const auto& [reason, cycles] : row.stalls)
                warps.*part_of(reason, row.sass) += static_cast<double>(cycles);
        const double elapsed = launch.metric("sm__cycles_elapsed.max");
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
