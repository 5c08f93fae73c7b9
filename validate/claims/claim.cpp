#include "validate/claims/claim.hpp"

#include <cmath>
#include <set>

#include <fmt/format.h>

#include "core/number_text.hpp"

namespace sassafras::validate::claims {

namespace {

std::string sentence(const Test& test, const Outcome& outcome) {
    return fmt::format("{} on {}: {}, accepted {}", name_of(test.method), test.platform,
                       text_of(outcome.value, test.unit), text_of(test.accepted, test.unit));
}

bool left_out(const Test& test, Extent extent) {
    return (extent == Extent::quick && test.lengthy) || (extent != Extent::full && test.full);
}

}  // namespace

std::string name_of(Verdict verdict) {
    switch (verdict) {
        case Verdict::reproduced: return "reproduced";
        case Verdict::differs: return "differs";
        case Verdict::not_run: return "not run";
        case Verdict::cannot_be_tested: break;
    }
    return "cannot be tested";
}

std::string name_of(Cause cause) {
    switch (cause) {
        case Cause::none: break;
        case Cause::algorithm: return "algorithm";
        case Cause::kernel: return "kernel";
        case Cause::model: return "model";
        case Cause::gpu: return "GPU";
        case Cause::source: return "source";
    }
    return {};
}

std::string name_of(Method method) {
    switch (method) {
        case Method::formula: return "formula";
        case Method::counting: return "counting";
        case Method::simulation: return "simulation";
        case Method::arithmetic: return "arithmetic";
        case Method::counters: return "counters";
        case Method::recording: break;
    }
    return "recording";
}

std::string text_of(double value, const std::string& unit) {
    const std::string number = value == std::round(value) && std::abs(value) < 1e6 ? fmt::format("{:.0f}", value)
                                                                                   : fmt::format("{:.3g}", value);
    return unit.empty() ? number : number + " " + unit;
}

std::string text_of(const Accepted& accepted, const std::string& unit) {
    if (accepted.least == accepted.most) return text_of(accepted.least, unit);
    if (std::isinf(accepted.least)) return "at most " + text_of(accepted.most, unit);
    // longer(): the next number after 1
    if (std::isinf(accepted.most))
        return (accepted.least > 1 && accepted.least < 1 + 1e-9 ? "more than 1"
                                                                : "at least " + text_of(accepted.least, "")) +
               (unit.empty() ? "" : " " + unit);
    return text_of(accepted.least, "") + " to " + text_of(accepted.most, unit);
}

Finding judge(const Claim& claim, std::vector<Outcome> outcomes) {
    require_invariant(outcomes.size() == claim.tests.size(), "a claim has an outcome for each test");
    Finding finding{&claim, std::move(outcomes), Verdict::cannot_be_tested, {}, Cause::none};
    std::string agreeing;
    std::string differing;
    bool missing = false;
    for (std::size_t i = 0; i < claim.tests.size(); ++i) {
        const Test& test = claim.tests[i];
        if (test.role != Role::decides) continue;
        const Outcome& outcome = finding.outcomes[i];
        if (!outcome.ran) {
            missing = true;
            continue;
        }
        std::string& list = outcome.agrees ? agreeing : differing;
        list += (list.empty() ? "" : "; ") + sentence(test, outcome);
    }
    if (!differing.empty()) {
        finding.verdict = Verdict::differs;
        finding.reason = differing;
        finding.cause = claim.cause;
    } else if (missing) {
        finding.verdict = Verdict::not_run;
        finding.reason = "what decides it was left out" + (agreeing.empty() ? "" : "; so far it holds: " + agreeing);
    } else if (!agreeing.empty()) {
        finding.verdict = Verdict::reproduced;
        finding.reason = agreeing;
    } else {
        finding.reason = claim.obstacle;
    }
    return finding;
}

std::vector<Finding> evaluate(const std::vector<Claim>& claims, const Evidence& evidence, Extent extent) {
    std::vector<Finding> findings;
    for (const Claim& claim : claims) {
        std::vector<Outcome> outcomes;
        for (const Test& test : claim.tests) {
            Outcome outcome;
            if (!left_out(test, extent)) {
                outcome.value = test.value(evidence);
                outcome.ran = true;
                outcome.agrees = test.accepted.holds(outcome.value);
            }
            outcomes.push_back(outcome);
        }
        findings.push_back(judge(claim, std::move(outcomes)));
    }
    return findings;
}

std::vector<RunSpec> needed_runs(const std::vector<Claim>& claims, Extent extent) {
    std::vector<RunSpec> needed;
    std::set<std::string> known;
    for (const Claim& claim : claims)
        for (const Test& test : claim.tests)
            if (!left_out(test, extent))
                for (const RunSpec& run : test.runs)
                    if (known.insert(run.key()).second) needed.push_back(run);
    return needed;
}

}  // namespace sassafras::validate::claims
