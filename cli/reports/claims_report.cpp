#include "cli/reports/claims_report.hpp"

#include <array>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/reports/columns.hpp"
#include "cli/reports/report.hpp"
#include "cli/reports/result_text.hpp"

namespace sassafras::cli {

namespace {

using namespace validate::claims;

std::string role_name(Role role) { return role == Role::decides ? "decides" : "shows"; }

/// "yes", "no", "left out"
std::string agreement(const Outcome& outcome) { return !outcome.ran ? "left out" : outcome.agrees ? "yes" : "no"; }

std::size_t count(const ClaimsReport& report, Verdict verdict) {
    std::size_t found = 0;
    for (const Finding& finding : report.findings) found += finding.verdict == verdict ? 1 : 0;
    return found;
}

constexpr std::array verdicts{Verdict::reproduced, Verdict::differs, Verdict::not_run, Verdict::cannot_be_tested};

nlohmann::ordered_json finite(double value) {
    return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json(nullptr);
}

nlohmann::ordered_json test_json(const Test& test, const Outcome& outcome) {
    return {{"method", name_of(test.method)},
            {"platform", test.platform},
            {"role", role_name(test.role)},
            {"what", test.what},
            {"unit", test.unit},
            {"accepted", {{"least", finite(test.accepted.least)}, {"most", finite(test.accepted.most)}}},
            {"value", outcome.ran ? finite(outcome.value) : nlohmann::ordered_json(nullptr)},
            {"agrees", outcome.ran ? nlohmann::ordered_json(outcome.agrees) : nlohmann::ordered_json(nullptr)},
            {"note", test.note}};
}

std::string csv_number(double value) { return std::isfinite(value) ? number_text(value) : std::string(); }

}  // namespace

std::string to_table(const ClaimsReport& report) {
    std::string text;
    for (const Finding& finding : report.findings) {
        const Claim& claim = *finding.claim;
        text += fmt::format("{}: {}{} [{}]\n  {}: {}\n", claim.id, name_of(finding.verdict),
                            finding.cause == Cause::none ? "" : " (" + name_of(finding.cause) + ")", claim.source,
                            claim.statement, claim.figure);
        for (std::size_t i = 0; i < claim.tests.size(); ++i) {
            const Test& test = claim.tests[i];
            const Outcome& outcome = finding.outcomes[i];
            text += fmt::format(
                "    {:<10} {:<24} {:>10}  {:<18} {:<8} {}\n", name_of(test.method), test.platform,
                outcome.ran ? text_of(outcome.value, test.unit) : "left out", text_of(test.accepted, test.unit),
                outcome.ran
                    ? (test.role == Role::decides ? "" : "shows ") + std::string(outcome.agrees ? "agrees" : "differs")
                    : "",
                test.what);
            if (!test.note.empty()) text += "      note: " + test.note + "\n";
        }
        if (finding.verdict == Verdict::cannot_be_tested || finding.verdict == Verdict::not_run)
            text += "  because: " + finding.reason + "\n";
        if (!claim.remark.empty()) text += "  remark: " + claim.remark + "\n";
    }
    text += fmt::format("{} claim{}:", report.findings.size(), report.findings.size() == 1 ? "" : "s");
    for (const Verdict verdict : verdicts)
        if (verdict != Verdict::not_run || count(report, verdict) > 0)
            text += fmt::format("{} {} {}", verdict == verdicts.front() ? "" : ",", name_of(verdict),
                                count(report, verdict));
    return text + (report.extent == Extent::quick   ? " (--quick: long simulations left out)\n"
                   : report.extent == Extent::usual ? " (--full runs what takes minutes, too)\n"
                                                    : "\n");
}

std::string to_csv(const ClaimsReport& report) {
    std::string text =
        csv_line({"claim", "source", "statement", "figure", "verdict", "cause", "reason", "remark", "method",
                  "platform", "role", "what", "value", "unit", "accepted_least", "accepted_most", "agrees", "note"});
    for (const Finding& finding : report.findings) {
        const Claim& claim = *finding.claim;
        const std::vector<std::string> head{claim.id,
                                            claim.source,
                                            claim.statement,
                                            claim.figure,
                                            name_of(finding.verdict),
                                            name_of(finding.cause),
                                            finding.reason,
                                            claim.remark};
        if (claim.tests.empty()) {
            std::vector<std::string> row = head;
            row.resize(head.size() + 10);
            text += csv_line(row);
        }
        for (std::size_t i = 0; i < claim.tests.size(); ++i) {
            const Test& test = claim.tests[i];
            const Outcome& outcome = finding.outcomes[i];
            std::vector<std::string> row = head;
            for (std::string field :
                 {name_of(test.method), test.platform, role_name(test.role), test.what,
                  outcome.ran ? csv_number(outcome.value) : std::string(), test.unit, csv_number(test.accepted.least),
                  csv_number(test.accepted.most), agreement(outcome), test.note})
                row.push_back(std::move(field));
            text += csv_line(row);
        }
    }
    return text;
}

std::string to_json(const ClaimsReport& report) {
    auto claims = nlohmann::ordered_json::array();
    for (const Finding& finding : report.findings) {
        const Claim& claim = *finding.claim;
        auto tests = nlohmann::ordered_json::array();
        for (std::size_t i = 0; i < claim.tests.size(); ++i)
            tests.push_back(test_json(claim.tests[i], finding.outcomes[i]));
        claims.push_back({{"id", claim.id},
                          {"source", claim.source},
                          {"statement", claim.statement},
                          {"figure", claim.figure},
                          {"verdict", name_of(finding.verdict)},
                          {"cause", finding.cause == Cause::none ? nlohmann::ordered_json(nullptr)
                                                                 : nlohmann::ordered_json(name_of(finding.cause))},
                          {"reason", finding.reason},
                          {"remark", claim.remark},
                          {"tests", std::move(tests)}});
    }
    nlohmann::ordered_json totals;
    for (const Verdict verdict : verdicts) totals[name_of(verdict)] = count(report, verdict);
    nlohmann::ordered_json json{{"command", report.command},
                                {"extent", report.extent == Extent::quick   ? "quick"
                                           : report.extent == Extent::usual ? "usual"
                                                                            : "full"},
                                {"claims", std::move(claims)},
                                {"totals", std::move(totals)}};
    return result_text("claims", std::move(json));
}

}  // namespace sassafras::cli
