#include "study/conflicts/conflict_summary.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "sim/access/memory_site.hpp"
#include "sim/access/random_conflicts.hpp"

namespace sassafras::study {
namespace {

const KernelLines* lines_of_kernel(const LinesByKernel& lines, const std::string& kernel) {
    const auto found = lines.find(kernel);
    return found == lines.end() ? nullptr : &found->second;
}

/// How an instruction's requests are served.
struct Service {
    int lanes_a_group = warp_size;
    std::uint32_t slots = 0;
    std::uint64_t rows = 0;  ///< words of a bank that lanes may share; 0: they share none
    friend auto operator<=>(const Service&, const Service&) = default;
};

/// Of one request, by its groups.
struct Expected {
    double random = 0;
    double random_words = 0;
    std::uint64_t bound = 0;
    sim::WavefrontChances chances{};  ///< for `random`
};

/// Expectations are computed once for each way to be served and each shape.
class Expectations {
  public:
    const Expected& of(const Service& service, sim::GroupShape shape) {
        const auto [found, is_new] = expected_.try_emplace({service, shape});
        if (is_new) found->second = compute(service, shape);
        return found->second;
    }

  private:
    /// The groups are served one after the other, each for itself: sums of wavefronts, products of chances.
    Expected compute(const Service& service, sim::GroupShape shape) {
        const auto& random = table(service.slots, 0);
        const auto& random_words = table(service.slots, service.rows);
        Expected expected;
        expected.chances[0] = 1;
        for (std::uint32_t lanes = 1; lanes <= static_cast<std::uint32_t>(service.lanes_a_group); ++lanes) {
            const std::uint32_t groups = shape.groups_of(lanes, service.lanes_a_group);
            if (groups == 0) continue;
            expected.random += groups * random[lanes];
            expected.random_words += groups * random_words[lanes];
            expected.bound += groups * (service.rows == 0 ? lanes : std::min<std::uint64_t>(lanes, service.rows));
            const sim::WavefrontChances of_group = sim::wavefront_chances(lanes, service.slots);
            for (std::uint32_t group = 0; group < groups; ++group)
                expected.chances = chances_of_both(expected.chances, of_group);
        }
        return expected;
    }
    static sim::WavefrontChances chances_of_both(const sim::WavefrontChances& some, const sim::WavefrontChances& more) {
        sim::WavefrontChances both{};
        for (std::size_t a = 0; a < some.size(); ++a)
            for (std::size_t b = 0; a + b < both.size(); ++b) both[a + b] += some[a] * more[b];
        return both;
    }
    const sim::ExpectedByLanes& table(std::uint32_t slots, std::uint64_t words) {
        const auto [found, is_new] = tables_.try_emplace({slots, words});
        if (is_new) found->second = sim::expected_by_lanes(slots, words);
        return found->second;
    }

    std::map<std::pair<Service, sim::GroupShape>, Expected> expected_;
    std::map<std::pair<std::uint32_t, std::uint64_t>, sim::ExpectedByLanes> tables_;
};

ConflictFigures figures_of(const sim::ConflictCounts& counts, const sim::InstructionConflicts& instruction,
                           const sim::LaunchConflicts& launch, Expectations& expectations) {
    ConflictFigures figures;
    figures.requests = counts.requests;
    figures.lanes = counts.lanes;
    figures.wavefronts = counts.wavefronts;
    figures.wavefronts_ideal = counts.wavefronts_ideal;
    figures.degree = counts.degree;
    const sim::SharedGroups groups = sim::shared_groups(instruction.width, launch.geometry);
    const std::uint64_t row_bytes = std::uint64_t{launch.geometry.banks} * launch.geometry.bank_bytes;
    const std::uint64_t rows = std::max<std::uint64_t>(1, (launch.shared.count + row_bytes - 1) / row_bytes);
    const bool shares = instruction.kind != sim::SharedAccessKind::atomic;
    const Service service{groups.lanes, groups.slots, shares ? rows : 0};
    for (const auto& [shape, requests] : counts.shapes.entries()) {
        const Expected& expected = expectations.of(service, shape);
        const auto many = static_cast<double>(requests);
        figures.random += many * expected.random;
        figures.random_words += many * expected.random_words;
        figures.bound += requests * expected.bound;
        figures.bound_degree[expected.bound] += many;
        for (std::size_t k = 0; k < expected.chances.size(); ++k)
            figures.random_degree[k] += many * expected.chances[k];
    }
    const std::uint32_t words_a_lane = std::max<std::uint32_t>(1, instruction.width / launch.geometry.bank_bytes);
    figures.random_bank_words = static_cast<double>(counts.lanes * words_a_lane) / launch.geometry.banks;
    return figures;
}

class Phases {
  public:
    Phases(std::span<const workloads::PhaseRule> rules, const LinesByKernel& lines) : rules_(rules), lines_(lines) {}

    PhaseConflicts describe(const std::string& kernel, const sim::InstructionConflicts& instruction) const {
        const workloads::PhaseRule* rule = rule_of(kernel, instruction);
        if (rule == nullptr) return {kernel, std::string(name_of(instruction.kind)), workloads::ThesisBeta::none, {}};
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
    const workloads::PhaseRule* rule_of(const std::string& kernel, const sim::InstructionConflicts& instruction) const {
        const KernelLines* lines = lines_of_kernel(lines_, kernel);
        const SourceLine* line =
            lines == nullptr ? nullptr : lines->find(std::uint64_t{instruction.instruction} * isa::instruction_bytes);
        return phase_of(rules_, {kernel, line, instruction.kind}, lines);
    }

    std::span<const workloads::PhaseRule> rules_;
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

ConflictSummary summarise(const std::vector<sim::LaunchConflicts>& launches,
                          std::span<const workloads::PhaseRule> rules, const LinesByKernel& lines) {
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
            of_instruction.decoded = instruction.decoded;
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

sim::RoundMarks round_marks(const isa::Program& program, std::span<const workloads::PhaseRule> rules,
                            const LinesByKernel& lines) {
    const std::string& kernel = program.kernel.name;
    const KernelLines* kernel_lines = lines_of_kernel(lines, kernel);
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
