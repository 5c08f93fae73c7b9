#include "study/conflicts/phases.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace sassafras::study {
namespace {

const isa::InlinedCall* call_of(const SourceLine& line, std::string_view function) {
    for (const isa::InlinedCall& call : line.location.inlined)
        if (call.function == function) return &call;
    return nullptr;
}

/// From 1; 0 if the call is not among the kernel's.
std::size_t rank_of_call(const isa::InlinedCall& wanted, const KernelLines& lines) {
    std::set<std::pair<std::string, std::uint32_t>> calls;
    for (const auto& [pc, line] : lines.at)
        if (const isa::InlinedCall* call = call_of(line, wanted.function)) calls.emplace(call->file, call->line);
    const auto found = calls.find({wanted.file, wanted.line});
    return found == calls.end() ? 0 : static_cast<std::size_t>(std::distance(calls.begin(), found)) + 1;
}

bool applies(const workloads::PhaseRule& rule, const PhaseSite& site, const KernelLines* lines) {
    if (!fits(rule.kernel, site.kernel)) return false;
    if (rule.kind && *rule.kind != site.kind) return false;
    if (rule.function.empty() && rule.text.empty()) return true;
    if (site.line == nullptr) return false;
    if (!rule.text.empty() && site.line->text.find(rule.text) == std::string::npos) return false;
    if (rule.function.empty()) return true;
    const isa::InlinedCall* call = call_of(*site.line, rule.function);
    return call != nullptr && (rule.call == 0 || (lines != nullptr && rank_of_call(*call, *lines) == rule.call));
}

}  // namespace

bool fits(std::string_view pattern, std::string_view text) {
    const std::size_t star = pattern.find('*');
    if (star == std::string_view::npos) return pattern == text;
    if (!text.starts_with(pattern.substr(0, star))) return false;
    const std::string_view rest = pattern.substr(star + 1);
    for (std::size_t at = star; at <= text.size(); ++at)
        if (fits(rest, text.substr(at))) return true;
    return false;
}

const workloads::PhaseRule* phase_of(std::span<const workloads::PhaseRule> rules, const PhaseSite& site,
                                     const KernelLines* lines) {
    const auto found = std::find_if(rules.begin(), rules.end(),
                                    [&](const workloads::PhaseRule& rule) { return applies(rule, site, lines); });
    return found == rules.end() ? nullptr : &*found;
}

std::string_view name_of(sim::SharedAccessKind kind) {
    switch (kind) {
        case sim::SharedAccessKind::load:
        case sim::SharedAccessKind::matrix_load: return "loads";
        case sim::SharedAccessKind::store: return "stores";
        case sim::SharedAccessKind::swap:
        case sim::SharedAccessKind::try_swap:
        case sim::SharedAccessKind::count:
        case sim::SharedAccessKind::atomic: return "atomics";
    }
    return "";
}

}  // namespace sassafras::study
