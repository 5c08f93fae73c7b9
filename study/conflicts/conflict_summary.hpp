// Bank conflicts of a run by phase, round, instruction, degree and bank, beside what random accesses would cost and
// what the worst ones could. docs/conflicts.md defines every figure.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "isa/program/program.hpp"
#include "sim/device/conflict_device.hpp"
#include "study/conflicts/conflict_figures.hpp"
#include "study/conflicts/phase_table.hpp"
#include "study/conflicts/source_lines.hpp"

namespace sassafras::study {

/// A launch, or a trip of its outer loop where the workload says what one is.
struct RoundConflicts {
    std::size_t launch = 0;  ///< from 0, of all launches
    std::string kernel;
    std::uint32_t round = 0;  ///< trip of the loop, from 1; 0: the launch, or what of it lies outside of the loop
    ConflictFigures figures;
    std::map<std::size_t, ConflictFigures> by_phase;  ///< those of ConflictSummary::phases that it has requests of
    std::vector<sim::BankCounts> banks;               ///< empty where they are not known of each round
};

struct KernelConflicts {
    std::string kernel;
    std::size_t launches = 0;
    ConflictFigures figures;
};

struct InstructionSummary {
    std::string kernel;
    std::uint64_t code_hash = 0;  ///< LaunchConflicts::code_hash
    std::uint64_t pc = 0;
    isa::Instruction decoded;
    std::optional<SourceLine> line;
    std::size_t phase = 0;  ///< of ConflictSummary::phases
    ConflictFigures figures;
};

struct ConflictSummary {
    sim::BankGeometry geometry;
    ConflictFigures run;
    std::vector<PhaseConflicts> phases;            ///< with requests; in the order of PhaseTable
    bool phases_are_lines = false;                 ///< or instructions: nobody has named them
    std::vector<KernelConflicts> kernels;          ///< all by name, in the order of their first launches
    std::vector<RoundConflicts> rounds;            ///< with requests
    std::vector<InstructionSummary> instructions;  ///< by kernel as launched first, then pc; over all launches
    std::vector<sim::BankCounts> banks;

    /// Sum of the phases that the workload counts for this mean.
    [[nodiscard]] ConflictFigures thesis(workloads::ThesisBeta beta) const;
    /// The phase's figures; none if there is no such phase.
    [[nodiscard]] const ConflictFigures* find(std::string_view part, std::string_view phase) const;
};

/// `lines` are used where the launches' code has them.
[[nodiscard]] ConflictSummary summarise(const std::vector<sim::LaunchConflicts>& launches,
                                        std::span<const workloads::PhaseRule> rules, const LinesByKernel& lines);

/// Which instructions begin a round and which are in one, as the rules say.
[[nodiscard]] sim::RoundMarks round_marks(const isa::Program& program, std::span<const workloads::PhaseRule> rules,
                                          const LinesByKernel& lines);

}  // namespace sassafras::study
