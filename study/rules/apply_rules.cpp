#include "study/rules/apply_rules.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "core/types.hpp"
#include "sim/device/replay.hpp"
#include "sim/what_if/what_if.hpp"
#include "study/diagnose/diagnosis.hpp"
#include "study/rules/rule_list.hpp"

namespace sassafras::study {

namespace {

constexpr auto duration = "gpu__time_duration.sum"_metric;

std::string sentence(const Verdict& verdict, const RuleFinding* first) {
    std::string text = verdict.bound == Bound::unknown
                           ? "What bounds it is not known: " + verdict.because
                           : fmt::format("Bound by {}: {}", text_of(verdict.bound), verdict.because);
    if (first == nullptr || first->weight() < RuleFinding::least_worth_naming) return text + ".";
    return text + fmt::format("; most to win: {} ({}{:.1f} %).", first->cause, first->saved_percent ? "" : "at most ",
                              first->weight());
}

Diagnosis diagnosis_of(const sim::KernelResult& result, const Machine& machine) {
    CountedKernel kernel{result.name, 1, counters_of(named_launch(result).values)};
    return std::move(diagnose({std::move(kernel)}, machine, Thresholds{}).front());
}

std::vector<RuleFinding> findings_of(const RuledLaunch& launch) {
    std::vector<RuleFinding> findings;
    for (const Rule& rule : rules())
        if (auto said = rule.says(launch))
            findings.push_back({rule.name, rule.cause, rule.section, rule.kind, std::move(said->text), rule.what_if,
                                std::nullopt, said->at_most_percent});
    return findings;
}

RuleFinding* finding_of(LaunchRules& launch, std::string_view what_if) {
    const auto found = std::find_if(launch.findings.begin(), launch.findings.end(),
                                    [&](const RuleFinding& finding) { return finding.what_if == what_if; });
    return found == launch.findings.end() ? nullptr : &*found;
}

Result<void> time_again(const sim::WhatIf& what_if, std::vector<LaunchRules>& all,
                        const std::vector<sim::KernelResult>& launches, const sim::TraceFolder& recorded,
                        const sim::Platform& platform, const sim::ModelOptions& options) {
    const auto asks = [&](LaunchRules& launch) { return finding_of(launch, what_if.name) != nullptr; };
    const auto last = std::find_if(all.rbegin(), all.rend(), asks);
    if (last == all.rend()) return {};
    sim::ModelOptions without = options;
    without.what_if = &what_if;
    std::optional<sim::Replay> replay;
    for (std::size_t i = 0; i < static_cast<std::size_t>(all.rend() - last); ++i) {
        RuleFinding* const finding = finding_of(all[i], what_if.name);
        if (finding == nullptr && options.cold_caches) continue;
        // A what-if remembers where it has put what a launch accessed. That is of use to later launches only if these
        // are asked about together, as where one finds in L2 what another has left.
        if (!replay || options.cold_caches) {
            without.new_process = options.new_process && i == 0;
            replay.emplace(platform, without, true);
        }
        const auto result = replay->run(recorded.path_of(recorded.launches[i]), recorded.launches[i]);
        if (!result) return result.error();
        if (finding == nullptr) continue;
        const double before = launches[i].metric(duration);
        if (before > 0) finding->saved_percent = std::max(0.0, 100 * (1 - result->metric(duration) / before));
    }
    return {};
}

}  // namespace

std::string_view text_of(RuleKind kind) { return kind == RuleKind::opt ? "OPT" : "INF"; }

NamedLaunch named_launch(const sim::KernelResult& result) {
    NamedLaunch launch{result.name, {}};
    for (const auto& [id, value] : result.metrics.all())
        launch.values.emplace(std::string(sim::row_of(id).name), value);
    return launch;
}

Result<std::vector<LaunchRules>> apply_rules(const std::vector<sim::KernelResult>& launches,
                                             const sim::TraceFolder* recorded, const sim::Platform& platform,
                                             const sim::ModelOptions& options) {
    const Machine machine = machine_of(platform);
    std::vector<LaunchRules> all;
    std::vector<Verdict> verdicts;
    for (const sim::KernelResult& result : launches) {
        if (result.left_out) {  // and here for what it leaves in caches
            verdicts.emplace_back();
            all.emplace_back();
            continue;
        }
        const Diagnosis diagnosis = diagnosis_of(result, machine);
        const auto shares = speed_of_light(result);
        verdicts.push_back(shares ? verdict_of(*shares, diagnosis.by_units) : diagnosis.by_units);
        const Verdict& verdict = verdicts.back();
        all.push_back({{}, text_of(verdict.bound), findings_of({result, diagnosis, machine, verdict, shares})});
    }
    if (recorded != nullptr) {
        if (recorded->launches.size() != launches.size())
            throw InvariantViolation("rules: not all launches were recorded");
        for (const sim::WhatIf& what_if : sim::what_ifs())
            if (auto timed = time_again(what_if, all, launches, *recorded, platform, options); !timed)
                return timed.error();
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
        auto& findings = all[i].findings;
        for (RuleFinding& finding : findings)
            if (finding.brings_nothing()) finding.kind = RuleKind::inf;
        std::stable_sort(findings.begin(), findings.end(), [](const RuleFinding& left, const RuleFinding& right) {
            return left.weight() > right.weight();
        });
        all[i].verdict = sentence(verdicts[i], findings.empty() ? nullptr : &findings.front());
    }
    return all;
}

}  // namespace sassafras::study
