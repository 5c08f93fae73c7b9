#include "study/conflicts/phase_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace sassafras::study {
namespace {

std::uint64_t pc_of(std::uint32_t instruction) { return std::uint64_t{instruction} * isa::instruction_bytes; }

std::string path_of(const SourceLine& line) { return line.location.source ? line.location.source->path : ""; }

}  // namespace

PhaseTable::PhaseTable(const std::vector<sim::LaunchConflicts>& launches, std::span<const workloads::PhaseRule> rules,
                       const LinesByKernel& lines)
    : rules_(rules), lines_(lines) {
    for (const sim::LaunchConflicts& launch : launches) find(launch);
    put_in_order();
}

const SourceLine* PhaseTable::line_of(std::size_t kernel, std::uint32_t instruction) const {
    const KernelLines* const lines = kernels_[kernel].lines;
    return lines == nullptr ? nullptr : lines->find(pc_of(instruction));
}

void PhaseTable::find(const sim::LaunchConflicts& launch) {
    const auto [number, is_new] = numbers_.try_emplace({launch.kernel, launch.code_hash}, kernels_.size());
    if (is_new) kernels_.push_back({find_lines(lines_, launch.kernel, launch.code_hash), {}});
    OfKernel& kernel = kernels_[number->second];
    for (const sim::InstructionConflicts& instruction : launch.instructions) {
        const auto [at, is_unknown] = kernel.phases.try_emplace(instruction.instruction);
        if (!is_unknown) continue;
        Found candidate{describe(launch.kernel, kernel.lines, instruction), 0, number->second, instruction.instruction};
        candidate.part = parts_.try_emplace(candidate.phase.part, parts_.size()).first->second;
        const auto known =
            std::find_if(found_.begin(), found_.end(), [&](const Found& other) { return same(candidate, other); });
        at->second = static_cast<std::size_t>(known - found_.begin());
        if (known == found_.end()) found_.push_back(std::move(candidate));
    }
}

PhaseConflicts PhaseTable::describe(const std::string& kernel, const KernelLines* lines,
                                    const sim::InstructionConflicts& instruction) const {
    const SourceLine* const line = lines == nullptr ? nullptr : lines->find(pc_of(instruction.instruction));
    if (rules_.empty()) return describe_by_line(kernel, line, instruction);
    const workloads::PhaseRule* rule = study::phase_of(rules_, {kernel, line, instruction.kind}, lines);
    if (rule == nullptr) return {kernel, std::string(name_of(instruction.kind)), workloads::ThesisBeta::none, {}, {}};
    return {std::string(rule->part), std::string(rule->phase), rule->beta, {}, {}};
}

/// Loads and stores of a line are apart: what one of them costs says nothing of the other.
PhaseConflicts PhaseTable::describe_by_line(const std::string& kernel, const SourceLine* line,
                                            const sim::InstructionConflicts& instruction) const {
    PhaseConflicts phase{.part = kernel, .phase = {}, .figures = {}, .line = {}};
    const std::string place =
        line == nullptr ? fmt::format("{:#x}", pc_of(instruction.instruction)) : place_of(line->location, true);
    phase.phase = fmt::format("{} {}", place, name_of(instruction.kind));
    if (line != nullptr) phase.line = *line;
    return phase;
}

bool PhaseTable::same(const Found& a, const Found& b) const {
    if (a.part != b.part || a.phase.phase != b.phase.phase || a.phase.beta != b.phase.beta) return false;
    if (!rules_.empty()) return true;
    if (a.phase.line && b.phase.line) return path_of(*a.phase.line) == path_of(*b.phase.line);
    return a.kernel == b.kernel;  // an address is one of this code only
}

/// With the first rule of its part, at the first rule of its name there.
std::pair<std::size_t, std::size_t> PhaseTable::place_by_rules(const PhaseConflicts& phase) const {
    std::size_t part = rules_.size();
    for (std::size_t i = rules_.size(); i-- > 0;)
        if (rules_[i].part == phase.part) part = i;
    for (std::size_t i = 0; i < rules_.size(); ++i)
        if (rules_[i].part == phase.part && rules_[i].phase == phase.phase) return {part, i};
    return {part, rules_.size()};
}

/// As the rules stand; without rules as the source does, and then as the code does.
bool PhaseTable::before(const Found& a, const Found& b) const {
    if (!rules_.empty()) return place_by_rules(a.phase) < place_by_rules(b.phase);
    const auto key = [](const Found& found) {
        const auto& line = found.phase.line;
        return std::tuple(found.part, !line, line ? line->location.file : "", line ? line->location.line : 0,
                          found.kernel, found.instruction);
    };
    return key(a) < key(b);
}

void PhaseTable::put_in_order() {
    std::vector<std::size_t> order(found_.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return before(found_[a], found_[b]); });
    std::vector<std::size_t> place(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        place[order[i]] = i;
        phases_.push_back(std::move(found_[order[i]].phase));
    }
    for (OfKernel& kernel : kernels_)
        for (auto& [instruction, phase] : kernel.phases) phase = place[phase];
    found_.clear();
}

}  // namespace sassafras::study
