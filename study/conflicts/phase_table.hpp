// The phases of a run: which there are, in the order in which a report shows them, and which an instruction belongs to.
// Where nobody has said what a kernel's accesses are for, a phase is a line of its source, or without a table of lines
// an instruction.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sim/device/conflict_device.hpp"
#include "study/conflicts/conflict_figures.hpp"
#include "study/conflicts/phases.hpp"
#include "study/conflicts/source_lines.hpp"

namespace sassafras::study {

struct PhaseConflicts {
    std::string part;  ///< where no rule applies, the kernel
    /// Where no rule applies, "loads", "stores" or "atomics"; with no rules at all "a.cu:3 < a.cu:9 loads", or "0x1c0
    /// loads".
    std::string phase;
    workloads::ThesisBeta beta = workloads::ThesisBeta::none;
    ConflictFigures figures;
    std::optional<SourceLine> line;  ///< of a phase that is one
};

class PhaseTable {
  public:
    /// What these launches have requests of. All arguments must outlive the table.
    PhaseTable(const std::vector<sim::LaunchConflicts>& launches, std::span<const workloads::PhaseRule> rules,
               const LinesByKernel& lines);

    /// Without figures.
    [[nodiscard]] const std::vector<PhaseConflicts>& phases() const { return phases_; }
    /// Of the launch's kernel, in the order of first launches: one name with one code.
    [[nodiscard]] std::size_t kernel_of(const sim::LaunchConflicts& launch) const {
        return numbers_.at({launch.kernel, launch.code_hash});
    }
    /// Of phases(), for an instruction that has requests.
    [[nodiscard]] std::size_t phase_of(std::size_t kernel, std::uint32_t instruction) const {
        return kernels_[kernel].phases.at(instruction);
    }
    /// Nothing if the line is not known.
    [[nodiscard]] const SourceLine* line_of(std::size_t kernel, std::uint32_t instruction) const;

  private:
    struct OfKernel {
        const KernelLines* lines = nullptr;
        std::map<std::uint32_t, std::size_t> phases;  ///< by instruction
    };
    /// A phase, and what decides whether it is the same as another and where it stands.
    struct Found {
        PhaseConflicts phase;
        std::size_t part = 0;    ///< in the order of first launches
        std::size_t kernel = 0;  ///< and instruction, of the first that was found
        std::uint32_t instruction = 0;
    };

    void find(const sim::LaunchConflicts& launch);
    [[nodiscard]] PhaseConflicts describe(const std::string& kernel, const KernelLines* lines,
                                          const sim::InstructionConflicts& instruction) const;
    [[nodiscard]] PhaseConflicts describe_by_line(const std::string& kernel, const SourceLine* line,
                                                  const sim::InstructionConflicts& instruction) const;
    [[nodiscard]] bool same(const Found& a, const Found& b) const;
    [[nodiscard]] bool before(const Found& a, const Found& b) const;
    [[nodiscard]] std::pair<std::size_t, std::size_t> place_by_rules(const PhaseConflicts& phase) const;
    void put_in_order();

    std::span<const workloads::PhaseRule> rules_;
    const LinesByKernel& lines_;
    std::map<std::pair<std::string, std::uint64_t>, std::size_t> numbers_;  ///< by name and hash of the code
    std::vector<OfKernel> kernels_;
    std::map<std::string, std::size_t> parts_;
    std::vector<Found> found_;
    std::vector<PhaseConflicts> phases_;
};

}  // namespace sassafras::study
