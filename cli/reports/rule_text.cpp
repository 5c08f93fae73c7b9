#include "cli/reports/rule_text.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace sassafras::cli {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t page_columns = 100;
constexpr std::size_t text_indent = 10;

Json percent_or_null(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

}  // namespace

std::string wrapped(const std::string& text, std::size_t indent, std::size_t columns) {
    std::string lines;
    std::string line;
    const auto end_line = [&] {
        if (!line.empty()) lines += std::string(indent, ' ') + line + "\n";
        line.clear();
    };
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find(' ', begin), text.size());
        const std::string word = text.substr(begin, end - begin);
        if (indent + line.size() + 1 + word.size() > columns) end_line();
        line += line.empty() ? word : " " + word;
        begin = end + 1;
    }
    end_line();
    return lines;
}

std::string estimate_text(const study::RuleFinding& finding) {
    if (finding.brings_nothing()) return {};
    if (finding.saved_percent) return fmt::format("Est. Speedup: {:.2f}%. ", *finding.saved_percent);
    if (finding.at_most_percent) return fmt::format("At most {:.2f}%. ", *finding.at_most_percent);
    return {};
}

std::string rules_under(const study::LaunchRules& rules, sim::Section section) {
    std::string text;
    for (const study::RuleFinding& finding : rules.findings) {
        if (finding.section != section) continue;
        std::string lines = wrapped(estimate_text(finding) + finding.text, text_indent, page_columns);
        lines.replace(4, 3, study::text_of(finding.kind));
        text += lines;
    }
    return text;
}

void put_rules_json(const study::LaunchRules& rules, Json& kernel) {
    kernel["verdict"] = rules.verdict;
    kernel["bound"] = rules.bound;
    Json findings = Json::array();
    for (const study::RuleFinding& finding : rules.findings)
        findings.push_back({{"rule", finding.rule},
                            {"cause", finding.cause},
                            {"section", sim::name_of(finding.section)},
                            {"type", study::text_of(finding.kind)},
                            {"text", finding.text},
                            {"what_if", finding.what_if.empty() ? Json(nullptr) : Json(finding.what_if)},
                            {"estimated_speedup_percent", percent_or_null(finding.saved_percent)},
                            {"at_most_percent", percent_or_null(finding.at_most_percent)}});
    kernel["rules"] = std::move(findings);
}

}  // namespace sassafras::cli
