#include "study/conflicts/conflict_summary.hpp"

#include <map>
#include <set>
#include <utility>

#include "sim/access/memory_site.hpp"

namespace sassafras::study {

ConflictFigures ConflictSummary::thesis(workloads::ThesisBeta beta) const {
    ConflictFigures sum;
    for (const PhaseConflicts& phase : phases)
        if (phase.beta == beta) sum += phase.figures;
    return sum;
}

const ConflictFigures* ConflictSummary::find(std::string_view part, std::string_view phase) const {
    for (const PhaseConflicts& one : phases)
        if (one.part == part && one.phase == phase) return &one.figures;
    return nullptr;
}

namespace {

/// Adds launches up, one after the other.
class Summing {
  public:
    Summing(const PhaseTable& phases, ConflictSummary& summary) : phases_(phases), summary_(summary) {}

    void add(const sim::LaunchConflicts& launch, std::size_t index) {
        add_banks(launch);
        KernelConflicts& of_kernel = kernel(launch.kernel);
        ++of_kernel.launches;
        std::map<std::uint32_t, RoundConflicts> rounds;
        for (const sim::InstructionConflicts& instruction : launch.instructions)
            add(instruction, launch, of_kernel.figures, rounds);
        for (auto& [round, of_round] : rounds) {
            of_round.launch = index;
            of_round.kernel = launch.kernel;
            of_round.round = round;
            if (round < launch.banks_by_round.size()) of_round.banks = launch.banks_by_round[round];
            if (launch.banks_by_round.empty() && rounds.size() == 1) of_round.banks = launch.banks;
            summary_.rounds.push_back(std::move(of_round));
        }
    }
    void finish() {
        for (auto& [key, instruction] : instructions_) summary_.instructions.push_back(std::move(instruction));
    }

  private:
    void add_banks(const sim::LaunchConflicts& launch) {
        summary_.geometry = launch.geometry;
        summary_.banks.resize(launch.banks.size());
        for (std::size_t bank = 0; bank < launch.banks.size(); ++bank) summary_.banks[bank] += launch.banks[bank];
    }
    KernelConflicts& kernel(const std::string& name) {
        const auto [found, is_new] = kernels_.try_emplace(name, summary_.kernels.size());
        if (is_new) summary_.kernels.push_back({name, 0, {}});
        return summary_.kernels[found->second];
    }
    void add(const sim::InstructionConflicts& instruction, const sim::LaunchConflicts& launch,
             ConflictFigures& of_kernel, std::map<std::uint32_t, RoundConflicts>& rounds) {
        const std::size_t kernel = phases_.kernel_of(launch);
        const std::size_t phase = phases_.phase_of(kernel, instruction.instruction);
        InstructionSummary& of_instruction = instructions_[{kernel, instruction.instruction}];
        of_instruction.kernel = launch.kernel;
        of_instruction.code_hash = launch.code_hash;
        of_instruction.pc = std::uint64_t{instruction.instruction} * isa::instruction_bytes;
        of_instruction.decoded = instruction.decoded;
        of_instruction.phase = phase;
        if (const SourceLine* line = phases_.line_of(kernel, instruction.instruction)) of_instruction.line = *line;
        for (std::uint32_t round = 0; round < instruction.by_round.size(); ++round) {
            if (instruction.by_round[round].requests == 0) continue;
            const ConflictFigures figures = expectations_.figures_of(instruction.by_round[round], instruction, launch);
            rounds[round].by_phase[phase] += figures;
            rounds[round].figures += figures;
            summary_.phases[phase].figures += figures;
            of_instruction.figures += figures;
            of_kernel += figures;
            summary_.run += figures;
        }
    }

    const PhaseTable& phases_;
    ConflictSummary& summary_;
    ConflictExpectations expectations_;
    std::map<std::string, std::size_t> kernels_;  ///< by name
    std::map<std::pair<std::size_t, std::uint32_t>, InstructionSummary> instructions_;
};

}  // namespace

ConflictSummary summarise(const std::vector<sim::LaunchConflicts>& launches,
                          std::span<const workloads::PhaseRule> rules, const LinesByKernel& lines) {
    const PhaseTable phases(launches, rules, lines);
    ConflictSummary summary;
    summary.phases = phases.phases();
    summary.phases_are_lines = rules.empty();
    Summing summing(phases, summary);
    for (std::size_t index = 0; index < launches.size(); ++index) summing.add(launches[index], index);
    summing.finish();
    return summary;
}

sim::RoundMarks round_marks(const isa::Program& program, std::span<const workloads::PhaseRule> rules,
                            const LinesByKernel& lines) {
    const std::string& kernel = program.kernel.name;
    const KernelLines* kernel_lines = find_lines(lines, kernel);
    sim::RoundMarks marks;
    if (kernel_lines == nullptr) return marks;
    std::set<const workloads::PhaseRule*> begun;
    for (std::size_t i = 0; i < program.instructions.size(); ++i) {
        const sim::MemorySite site = sim::memory_site(program.instructions[i]);
        if (site.space != sim::MemorySpace::shared) continue;
        const workloads::PhaseRule* rule =
            phase_of(rules, {kernel, kernel_lines->find(i * isa::instruction_bytes), site.kind}, kernel_lines);
        if (rule == nullptr || !rule->in_round) continue;
        if (marks.steps.empty()) {
            marks.steps.resize(program.instructions.size());
            marks.inside.resize(program.instructions.size());
        }
        marks.inside[i] = true;
        if (rule->begins != sim::RoundStep::none && begun.insert(rule).second) marks.steps[i] = rule->begins;
    }
    return marks;
}

}  // namespace sassafras::study
