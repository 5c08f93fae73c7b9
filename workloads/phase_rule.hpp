// Phases of an algorithm, for reports of what its shared-memory accesses cost. A workload declares them beside its
// kernels, by what the source says: kernels, inlined functions, text of the line. Byte offsets appear nowhere, so a
// recompiled kernel keeps its phases; a test holds that every instruction has one and every rule is of use.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "sim/access/access_analysis.hpp"
#include "sim/access/round_step.hpp"

namespace sassafras::workloads {

/// The mean that a phase's requests count for, in B. Karsin's analysis of pairwise mergesort (docs/conflicts.md).
enum class ThesisBeta : std::uint8_t { none, partitioning, merging };

/// Applies to an instruction if all that is set fits.
struct PhaseRule {
    std::string_view kernel{};    ///< its name; * stands for anything, and a rule without one applies to nothing
    std::string_view function{};  ///< inlined where the instruction is, at any depth; as isa::readable_function() says
    std::uint32_t call = 0;       ///< not 0: of the kernel's lines that call `function`, the one of this rank, from 1
    std::string_view text{};      ///< part of the source line
    std::optional<sim::SharedAccessKind> kind{};

    std::string_view part{};   ///< of the run: "block sort"
    std::string_view phase{};  ///< in the part: "merge reads"
    ThesisBeta beta = ThesisBeta::none;
    /// Requests belong to the round in which the warp is: a trip of the kernel's loop.
    bool in_round = false;
    /// What the first instruction in the kernel to which the rule applies does to the warp's round. All lanes of the
    /// warp must execute it together, once a round: behind a barrier, or where no branch depends on data.
    sim::RoundStep begins = sim::RoundStep::none;
};

}  // namespace sassafras::workloads
