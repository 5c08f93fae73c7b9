#include "sim/check/finding.hpp"

#include <fmt/format.h>

namespace sassafras::sim {

namespace {

std::string extents(const Dim3& e) { return fmt::format("({},{},{})", e.x, e.y, e.z); }

std::string location(const Finding& finding, const FindingPlace& place) {
    std::string text = fmt::format("{}+{:#x}", finding.kernel, place.pc);
    if (!place.file.empty()) text += fmt::format(" in {}:{}", place.file, place.line);
    return text;
}

}  // namespace

const char* tool_name(FindingTool tool) {
    switch (tool) {
        case FindingTool::memcheck: return "memcheck";
        case FindingTool::racecheck: return "racecheck";
        case FindingTool::initcheck: return "initcheck";
        case FindingTool::synccheck: return "synccheck";
    }
    return "";
}

std::vector<std::string> report_lines(const Finding& finding) {
    std::vector<std::string> lines{finding.what};
    const bool is_race = finding.tool == FindingTool::racecheck;
    for (const FindingPlace& place : finding.places) {
        if (is_race) {
            const bool elsewhere = place.block != finding.places.front().block;
            lines.push_back(fmt::format("    {} Thread {}{} at {}", place.action, extents(place.thread),
                                        elsewhere ? " in block " + extents(place.block) : std::string(),
                                        location(finding, place)));
        } else {
            lines.push_back("    at " + location(finding, place));
        }
        lines.push_back("        " + place.sass);
        for (const std::string& call : place.called_at) lines.push_back("        inlined at " + call);
        if (!is_race)
            lines.push_back(fmt::format("    by thread {} in block {}", extents(place.thread), extents(place.block)));
    }
    for (const std::string& detail : finding.details) lines.push_back("    " + detail);
    if (is_race)
        lines.push_back(fmt::format("    [{} hazard{}]", finding.count, finding.count == 1 ? "" : "s"));
    else if (finding.count != 1)
        lines.push_back(fmt::format("    [{} {}]", finding.count, finding.places.empty() ? "calls" : "threads"));
    return lines;
}

std::string sanitizer_report(const std::vector<Finding>& findings, bool stopped_early) {
    std::string text = "========= SASSAFRAS --check\n";
    std::size_t warnings = 0;
    for (const Finding& finding : findings) {
        for (const std::string& line : report_lines(finding)) text += "========= " + line + "\n";
        text += "=========\n";
        warnings += finding.is_warning ? 1U : 0U;
    }
    const std::size_t errors = findings.size() - warnings;
    const char* const end =
        stopped_early ? "; the run stopped before its end, what would have followed was not checked" : "";
    return text + fmt::format("========= ERROR SUMMARY: {} error{}, {} warning{}{}\n", errors, errors == 1 ? "" : "s",
                              warnings, warnings == 1 ? "" : "s", end);
}

}  // namespace sassafras::sim
