// Bank conflicts of a run by phase, round, instruction, degree and bank, beside what random accesses would cost and
// what the worst ones could. docs/conflicts.md defines every figure.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "isa/program/program.hpp"
#include "sim/device/conflict_device.hpp"
#include "study/conflicts/phases.hpp"
#include "study/conflicts/source_lines.hpp"

namespace sassafras::study {

/// Of a set of requests.
struct ConflictFigures {
    std::uint64_t requests = 0;
    std::uint64_t lanes = 0;
    std::uint64_t wavefronts = 0;
    std::uint64_t wavefronts_ideal = 0;
    std::array<std::uint64_t, warp_size + 1> degree{};  ///< requests by wavefronts
    double random = 0;        ///< expected wavefronts if every lane took a word of its own in a random bank
    double random_words = 0;  ///< if every lane took a random word of the block's shared memory; equal ones are shared
    /// Expected requests by wavefronts as for `random`, and requests by wavefronts as for `bound`: of each request by
    /// the lanes that its own groups have.
    std::array<double, warp_size + 1> random_degree{};
    std::array<double, warp_size + 1> bound_degree{};
    double random_bank_words = 0;  ///< expected words that a bank serves as for `random`
    std::uint64_t bound = 0;       ///< wavefronts if all words of a request lay in one bank, as far as a bank has words

    [[nodiscard]] double beta() const { return mean(static_cast<double>(wavefronts)); }
    [[nodiscard]] double beta_ideal() const { return mean(static_cast<double>(wavefronts_ideal)); }
    [[nodiscard]] double beta_random() const { return mean(random); }
    [[nodiscard]] double beta_random_words() const { return mean(random_words); }
    [[nodiscard]] double beta_bound() const { return mean(static_cast<double>(bound)); }
    /// Nsight Compute's "L1 Conflicts Shared N-Way".
    [[nodiscard]] double n_way() const {
        return wavefronts_ideal == 0 ? 0 : static_cast<double>(wavefronts) / static_cast<double>(wavefronts_ideal);
    }
    ConflictFigures& operator+=(const ConflictFigures& other);

  private:
    [[nodiscard]] double mean(double sum) const { return requests == 0 ? 0 : sum / static_cast<double>(requests); }
};

struct PhaseConflicts {
    std::string part;
    std::string phase;
    workloads::ThesisBeta beta = workloads::ThesisBeta::none;
    ConflictFigures figures;
};

/// A launch, or a trip of its outer loop where the workload says what one is.
struct RoundConflicts {
    std::size_t launch = 0;  ///< from 0, of all launches
    std::string kernel;
    std::uint32_t round = 0;  ///< trip of the loop, from 1; 0: the launch, or what of it lies outside of the loop
    ConflictFigures figures;
    std::vector<ConflictFigures> by_phase;  ///< as ConflictSummary::phases
};

struct InstructionSummary {
    std::string kernel;
    std::uint64_t pc = 0;
    isa::Instruction decoded;
    std::optional<SourceLine> line;
    std::size_t phase = 0;  ///< of ConflictSummary::phases
    ConflictFigures figures;
};

struct ConflictSummary {
    sim::BankGeometry geometry;
    ConflictFigures run;
    std::vector<PhaseConflicts> phases;            ///< with requests; in the order in which the workload declares them
    std::vector<RoundConflicts> rounds;            ///< with requests
    std::vector<InstructionSummary> instructions;  ///< by kernel as launched first, then pc; over all launches
    std::vector<sim::BankCounts> banks;

    /// Sum of the phases that the workload counts for this mean.
    [[nodiscard]] ConflictFigures thesis(workloads::ThesisBeta beta) const;
    /// The phase's figures; none if there is no such phase.
    [[nodiscard]] const ConflictFigures* find(std::string_view part, std::string_view phase) const;
};

[[nodiscard]] ConflictSummary summarise(const std::vector<sim::LaunchConflicts>& launches,
                                        std::span<const workloads::PhaseRule> rules, const LinesByKernel& lines);

/// Which instructions begin a round and which are in one, as the rules say.
[[nodiscard]] sim::RoundMarks round_marks(const isa::Program& program, std::span<const workloads::PhaseRule> rules,
                                          const LinesByKernel& lines);

}  // namespace sassafras::study
