#include "workloads/conflict_summary.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "sim/trace/memory_site.hpp"
#include "sim/trace/random_conflicts.hpp"

namespace sassafras::workloads {
namespace {

const KernelLines* lines_of_kernel(const LinesByKernel& lines, const std::string& kernel) {
    const auto found = lines.find(kernel);
    return found == lines.end() ? nullptr : &found->second;
}

/// Expectations are computed once for each number of slots and of words in one.
class Expectations {
  public:
    const sim::ExpectedByLanes& of(std::uint32_t slots, std::uint64_t words) {
        const auto [found, is_new] = tables_.try_emplace({slots, words});
        if (is_new) found->second = sim::expected_by_lanes(slots, words);
        return found->second;
    }

    /// By lanes: 0 to warp_size.
    using ChancesByLanes = std::array<sim::WavefrontChances, warp_size + 1>;
    const ChancesByLanes& chances_of(std::uint32_t slots) {
        const auto [found, is_new] = chances_.try_emplace(slots);
        if (is_new)
            for (std::uint32_t lanes = 0; lanes < found->second.size(); ++lanes)
                found->second[lanes] = sim::wavefront_chances(lanes, slots);
        return found->second;
    }

  private:
    std::map<std::pair<std::uint32_t, std::uint64_t>, sim::ExpectedByLanes> tables_;
    std::map<std::uint32_t, ChancesByLanes> chances_;
};

/// How many requests take how many wavefronts if each of their groups takes them with the chances `of_group`. A request
/// has as many groups as the mean, rounded to either side.
sim::WavefrontChances requests_by_wavefronts(const sim::ConflictCounts& counts, const sim::WavefrontChances& of_group) {
    std::uint64_t groups = 0;
    for (const std::uint64_t some : counts.groups) groups += some;
    const std::uint64_t fewer = groups / counts.requests;
    const std::uint64_t with_more = groups % counts.requests;
    sim::WavefrontChances sum{};
    sum[0] = 1;
    sim::WavefrontChances requests{};
    for (std::uint64_t convolved = 0; convolved <= fewer; ++convolved) {
        const std::uint64_t so_many = convolved == fewer ? counts.requests - with_more : 0;
        for (std::size_t k = 0; k < sum.size(); ++k) requests[k] += static_cast<double>(so_many) * sum[k];
        sim::WavefrontChances next{};
        for (std::size_t a = 0; a < sum.size(); ++a)
            for (std::size_t b = 0; a + b < next.size(); ++b) next[a + b] += sum[a] * of_group[b];
        sum = next;
    }
    for (std::size_t k = 0; k < sum.size(); ++k) requests[k] += static_cast<double>(with_more) * sum[k];
    return requests;
}

ConflictFigures figures_of(const sim::ConflictCounts& counts, const sim::InstructionConflicts& instruction,
                           const sim::LaunchConflicts& launch, Expectations& expectations) {
    ConflictFigures figures;
    figures.requests = counts.requests;
    figures.lanes = counts.lanes;
    figures.wavefronts = counts.wavefronts;
    figures.wavefronts_ideal = counts.wavefronts_ideal;
    figures.degree = counts.degree;
    const std::uint32_t slots = sim::shared_groups(instruction.width, launch.geometry).slots;
    const std::uint64_t row_bytes = std::uint64_t{launch.geometry.banks} * launch.geometry.bank_bytes;
    const std::uint64_t rows = std::max<std::uint64_t>(1, (launch.shared.count + row_bytes - 1) / row_bytes);
    const bool shares = instruction.kind != sim::SharedAccessKind::atomic;
    const auto& random = expectations.of(slots, 0);
    const auto& random_words = expectations.of(slots, shares ? rows : 0);
    const auto& chances = expectations.chances_of(slots);
    double all_groups = 0;
    for (const std::uint64_t groups : counts.groups) all_groups += static_cast<double>(groups);
    sim::WavefrontChances of_random{};  // of any one group
    sim::WavefrontChances of_bound{};
    for (std::size_t lanes = 0; lanes < counts.groups.size(); ++lanes) {
        const std::uint64_t groups = counts.groups[lanes];
        figures.random += static_cast<double>(groups) * random[lanes];
        figures.random_words += static_cast<double>(groups) * random_words[lanes];
        const std::uint64_t worst = shares ? std::min<std::uint64_t>(lanes, rows) : lanes;
        figures.bound += groups * worst;
        const double share = all_groups == 0 ? 0 : static_cast<double>(groups) / all_groups;
        for (std::size_t k = 0; k < of_random.size(); ++k) of_random[k] += share * chances[lanes][k];
        of_bound[worst] += share;
    }
    if (counts.requests == 0) return figures;
    figures.random_degree = requests_by_wavefronts(counts, of_random);
    figures.bound_degree = requests_by_wavefronts(counts, of_bound);
    const std::uint32_t words_a_lane = std::max<std::uint32_t>(1, instruction.width / launch.geometry.bank_bytes);
    figures.random_bank_words = static_cast<double>(counts.lanes * words_a_lane) / launch.geometry.banks;
    return figures;
}

class Phases {
  public:
    Phases(std::span<const PhaseRule> rules, const LinesByKernel& lines) : rules_(rules), lines_(lines) {}

    PhaseConflicts describe(const std::string& kernel, const sim::InstructionConflicts& instruction) const {
        const PhaseRule* rule = rule_of(kernel, instruction);
        if (rule == nullptr) return {kernel, std::string(name_of(instruction.kind)), ThesisBeta::none, {}};
        return {std::string(rule->part), std::string(rule->phase), rule->beta, {}};
    }
    /// Where the report shows it: with the first rule of its part, at the first rule of its name there.
    std::pair<std::size_t, std::size_t> place(const PhaseConflicts& phase) const {
        std::size_t part = rules_.size();
        for (std::size_t i = rules_.size(); i-- > 0;)
            if (rules_[i].part == phase.part) part = i;
        for (std::size_t i = 0; i < rules_.size(); ++i)
            if (rules_[i].part == phase.part && rules_[i].phase == phase.phase) return {part, i};
        return {part, rules_.size()};
    }

  private:
    const PhaseRule* rule_of(const std::string& kernel, const sim::InstructionConflicts& instruction) const {
        const KernelLines* lines = lines_of_kernel(lines_, kernel);
        const SourceLine* line =
            lines == nullptr ? nullptr : lines->find(std::uint64_t{instruction.instruction} * isa::instruction_bytes);
        return phase_of(rules_, {kernel, line, instruction.kind}, lines);
    }

    std::span<const PhaseRule> rules_;
    const LinesByKernel& lines_;
};

bool same_phase(const PhaseConflicts& a, const PhaseConflicts& b) {
    return a.part == b.part && a.phase == b.phase && a.beta == b.beta;
}

/// All phases that have requests, in the order of the report.
std::vector<PhaseConflicts> phases_with_requests(const std::vector<sim::LaunchConflicts>& launches,
                                                 const Phases& phases) {
    std::vector<PhaseConflicts> found;
    for (const auto& launch : launches)
        for (const auto& instruction : launch.instructions) {
            PhaseConflicts phase = phases.describe(launch.kernel, instruction);
            const bool is_new = std::none_of(found.begin(), found.end(),
                                             [&](const PhaseConflicts& other) { return same_phase(phase, other); });
            if (is_new) found.push_back(std::move(phase));
        }
    std::stable_sort(found.begin(), found.end(), [&](const PhaseConflicts& a, const PhaseConflicts& b) {
        return phases.place(a) < phases.place(b);
    });
    return found;
}

}  // namespace

ConflictFigures& ConflictFigures::operator+=(const ConflictFigures& other) {
    requests += other.requests;
    lanes += other.lanes;
    wavefronts += other.wavefronts;
    wavefronts_ideal += other.wavefronts_ideal;
    for (std::size_t i = 0; i < degree.size(); ++i) {
        degree[i] += other.degree[i];
        random_degree[i] += other.random_degree[i];
        bound_degree[i] += other.bound_degree[i];
    }
    random_bank_words += other.random_bank_words;
    random += other.random;
    random_words += other.random_words;
    bound += other.bound;
    return *this;
}

ConflictFigures ConflictSummary::thesis(ThesisBeta beta) const {
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

ConflictSummary summarise(const std::vector<sim::LaunchConflicts>& launches, std::span<const PhaseRule> rules,
                          const LinesByKernel& lines) {
    const Phases phases(rules, lines);
    Expectations expectations;
    ConflictSummary summary;
    summary.phases = phases_with_requests(launches, phases);
    std::vector<std::string> kernels;
    std::map<std::pair<std::size_t, std::uint64_t>, InstructionSummary> instructions;
    for (std::size_t index = 0; index < launches.size(); ++index) {
        const sim::LaunchConflicts& launch = launches[index];
        summary.geometry = launch.geometry;
        summary.banks.resize(launch.banks.size());
        for (std::size_t bank = 0; bank < launch.banks.size(); ++bank) {
            summary.banks[bank].words += launch.banks[bank].words;
            summary.banks[bank].worst += launch.banks[bank].worst;
        }
        const auto known = std::find(kernels.begin(), kernels.end(), launch.kernel);
        const auto kernel = static_cast<std::size_t>(known - kernels.begin());
        if (known == kernels.end()) kernels.push_back(launch.kernel);
        const KernelLines* kernel_lines = lines_of_kernel(lines, launch.kernel);
        std::map<std::uint32_t, RoundConflicts> rounds;
        for (const sim::InstructionConflicts& instruction : launch.instructions) {
            const PhaseConflicts described = phases.describe(launch.kernel, instruction);
            const auto phase = static_cast<std::size_t>(
                std::find_if(summary.phases.begin(), summary.phases.end(),
                             [&](const PhaseConflicts& other) { return same_phase(described, other); }) -
                summary.phases.begin());
            const std::uint64_t pc = std::uint64_t{instruction.instruction} * isa::instruction_bytes;
            InstructionSummary& of_instruction = instructions[{kernel, pc}];
            of_instruction.kernel = launch.kernel;
            of_instruction.pc = pc;
            of_instruction.sass = instruction.sass;
            of_instruction.phase = phase;
            if (const SourceLine* line = kernel_lines == nullptr ? nullptr : kernel_lines->find(pc))
                of_instruction.line = *line;
            for (std::uint32_t round = 0; round < instruction.by_round.size(); ++round) {
                if (instruction.by_round[round].requests == 0) continue;
                const ConflictFigures figures =
                    figures_of(instruction.by_round[round], instruction, launch, expectations);
                RoundConflicts& of_round = rounds[round];
                of_round.by_phase.resize(summary.phases.size());
                of_round.by_phase[phase] += figures;
                of_round.figures += figures;
                summary.phases[phase].figures += figures;
                of_instruction.figures += figures;
                summary.run += figures;
            }
        }
        for (auto& [round, of_round] : rounds) {
            of_round.launch = index;
            of_round.kernel = launch.kernel;
            of_round.round = round;
            summary.rounds.push_back(std::move(of_round));
        }
    }
    for (auto& [key, instruction] : instructions) summary.instructions.push_back(std::move(instruction));
    return summary;
}

sim::RoundMarks round_marks(const isa::Program& program, std::span<const PhaseRule> rules, const LinesByKernel& lines) {
    const std::string& kernel = program.kernel.name;
    const KernelLines* kernel_lines = lines_of_kernel(lines, kernel);
    sim::RoundMarks marks;
    if (kernel_lines == nullptr) return marks;
    std::set<const PhaseRule*> begun;
    for (std::size_t i = 0; i < program.instructions.size(); ++i) {
        const sim::MemorySite site = sim::memory_site(program.instructions[i]);
        if (site.space != sim::MemorySpace::shared) continue;
        const PhaseRule* rule =
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

}  // namespace sassafras::workloads
