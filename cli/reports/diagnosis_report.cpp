#include "cli/reports/diagnosis_report.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "cli/reports/columns.hpp"
#include "cli/reports/kernel_name.hpp"
#include "cli/reports/report.hpp"
#include "cli/reports/result_text.hpp"
#include "core/number_text.hpp"

namespace sassafras::cli {

namespace {

using study::Diagnosis;
using study::Verdict;

std::string value_text(double value) {
    constexpr double large = 10'000;
    return value < large ? fmt::format("{:.3g}", value) : rounded(std::round(value));
}

std::string verdict_line(const char* rule, const Verdict& verdict) {
    return fmt::format("  {}{}: {}\n", rule, text_of(verdict.bound), verdict.because);
}

std::string metrics_table(const Diagnosis& diagnosis) {
    std::vector<std::vector<std::string>> rows{{"Metric", "Unit", "Value"}};
    for (const study::FigureRow& row : study::figure_rows())
        if (const auto value = diagnosis.figures.find(row.figure))
            rows.push_back({std::string(row.name), std::string(row.unit), value_text(*value)});
    return aligned(rows, 2);
}

std::string roofs_table(const Diagnosis& diagnosis) {
    std::vector<std::vector<std::string>> rows{{"Unit", "% of Peak"}};
    for (const study::Roof& roof : diagnosis.roofs)
        rows.push_back({std::string(roof.unit), fmt::format("{:.1f}", roof.percent)});
    return aligned(rows, 1);
}

/// What the what-if of a remedy says.
std::string expected_text(const Diagnosis& diagnosis, const study::Remedy& remedy) {
    if (diagnosis.what_ifs.empty()) return {};
    const study::WhatIfTime* time = diagnosis.find_what_if(remedy.what_if);
    if (time == nullptr) return "; not checked: no what-if is like it";
    return fmt::format("; what if: {:.2f} times as fast", time->speed_up);
}

std::string remedies_text(const Diagnosis& diagnosis) {
    std::string text;
    if (diagnosis.is_at_roof)
        text += fmt::format("  Within a fifth of the roof of the {}: done, unless it can be given less to do.\n",
                            diagnosis.by_units.unit);
    if (diagnosis.remedies.empty()) return text;
    text += "  To try, in this order:\n";
    std::size_t number = 0;
    for (const study::Remedy& remedy : diagnosis.remedies)
        text += fmt::format("    {}. {}{}{}\n", ++number, remedy.text,
                            remedy.because.empty() ? "" : fmt::format(" ({})", remedy.because),
                            expected_text(diagnosis, remedy));
    return text;
}

std::string hottest_table(const study::Hottest& hottest) {
    if (hottest.cost.empty()) return {};
    const auto any = [&](const auto& has) {
        return std::any_of(hottest.instructions.begin(), hottest.instructions.end(), has);
    };
    const bool has_least = any([](const study::HotInstruction& row) { return row.least.has_value(); });
    const bool has_reason = any([](const study::HotInstruction& row) { return !row.reason.empty(); });
    const bool has_line = any([](const study::HotInstruction& row) { return !row.location.empty(); });
    std::vector<std::vector<std::string>> rows{{"PC", "Instruction"}};
    if (has_line) rows[0].emplace_back("Line");
    if (has_reason) rows[0].emplace_back("Waits Most For");
    const std::size_t texts = rows[0].size();
    rows[0].insert(rows[0].end(), {"%", "Cost"});
    if (has_least) rows[0].emplace_back("Needed");
    for (const study::HotInstruction& row : hottest.instructions) {
        auto& cells = rows.emplace_back();
        cells = {fmt::format("0x{:x}", row.pc), isa::print(row.instruction, row.pc)};
        if (has_line) cells.push_back(row.location);
        if (has_reason) cells.emplace_back(row.reason);
        cells.insert(cells.end(), {fmt::format("{:.1f}", row.percent), rounded(row.cost)});
        if (has_least) cells.push_back(row.least ? rounded(std::round(*row.least)) : "");
    }
    return fmt::format("  What costs most {}:\n", hottest.cost) + aligned(rows, texts);
}

std::string what_ifs_table(const Diagnosis& diagnosis) {
    if (diagnosis.what_ifs.empty()) return {};
    std::vector<std::vector<std::string>> rows{{"What If", "Time, ns", "Times as Fast"}};
    for (const study::WhatIfTime& time : diagnosis.what_ifs)
        rows.push_back(
            {std::string(time.what_if), rounded(std::round(time.nanoseconds)), fmt::format("{:.2f}", time.speed_up)});
    return aligned(rows, 1);
}

nlohmann::ordered_json verdict_json(const Verdict& verdict) {
    nlohmann::ordered_json json{{"bound", text_of(verdict.bound)}};
    if (!verdict.unit.empty()) json["unit"] = verdict.unit;
    json["because"] = verdict.because;
    return json;
}

nlohmann::ordered_json remedy_json(const Diagnosis& diagnosis, const study::Remedy& remedy) {
    nlohmann::ordered_json json{{"remedy", remedy.text}, {"because", remedy.because}};
    if (!remedy.what_if.empty()) json["what_if"] = remedy.what_if;
    if (const study::WhatIfTime* time = diagnosis.find_what_if(remedy.what_if)) json["speed_up"] = time->speed_up;
    return json;
}

nlohmann::ordered_json hottest_json(const study::Hottest& hottest) {
    auto rows = nlohmann::ordered_json::array();
    for (const study::HotInstruction& row : hottest.instructions) {
        rows.push_back({{"pc", row.pc},
                        {"instruction", isa::print(row.instruction, row.pc)},
                        {"cost", row.cost},
                        {"percent", row.percent}});
        if (row.least) rows.back()["needed"] = *row.least;
        if (!row.reason.empty()) rows.back()["waits_most_for"] = row.reason;
        if (!row.location.empty()) rows.back()["line"] = row.location;
    }
    return {{"cost", hottest.cost}, {"instructions", std::move(rows)}};
}

nlohmann::ordered_json kernel_json(const Diagnosis& diagnosis) {
    auto json = named_kernel("name", diagnosis.kernel.name);
    json["launches"] = diagnosis.kernel.launches;
    json["verdict"] = verdict_json(diagnosis.by_units);
    json["literal_verdict"] = verdict_json(diagnosis.literal);
    json["at_roof"] = diagnosis.is_at_roof;
    auto& remedies = json["remedies"] = nlohmann::ordered_json::array();
    for (const study::Remedy& remedy : diagnosis.remedies) remedies.push_back(remedy_json(diagnosis, remedy));
    auto& what_ifs = json["what_ifs"] = nlohmann::ordered_json::array();
    for (const study::WhatIfTime& time : diagnosis.what_ifs)
        what_ifs.push_back({{"what_if", time.what_if}, {"nanoseconds", time.nanoseconds}, {"speed_up", time.speed_up}});
    if (!diagnosis.hottest.cost.empty()) json["hottest"] = hottest_json(diagnosis.hottest);
    auto& roofs = json["percent_of_peak"] = nlohmann::ordered_json::object();
    for (const study::Roof& roof : diagnosis.roofs) roofs[std::string(roof.unit)] = roof.percent;
    auto& metrics = json["metrics"] = nlohmann::ordered_json::object();
    for (const study::FigureRow& row : study::figure_rows())
        if (const auto value = diagnosis.figures.find(row.figure)) metrics[std::string(row.name)] = *value;
    auto& counters = json["counters"] = nlohmann::ordered_json::object();
    for (const study::QuantityRow& row : study::quantity_rows)
        if (const auto value = diagnosis.kernel.counters.find(row.quantity)) counters[std::string(row.name)] = *value;
    return json;
}

}  // namespace

std::string to_table(const DiagnosisReport& report) {
    std::string text;
    for (const Diagnosis& diagnosis : report.kernels) {
        if (!text.empty()) text += '\n';
        const auto launches = diagnosis.kernel.launches;
        text += fmt::format("  {}, {} launch{} on {}\n", kernel_name(diagnosis.kernel.name), launches,
                            launches == 1 ? "" : "es", report.machine.name);
        text += verdict_line("Bound by ", diagnosis.by_units);
        text += verdict_line("By the ratio of instructions to bytes: ", diagnosis.literal);
        text += remedies_text(diagnosis);
        text += what_ifs_table(diagnosis);
        text += hottest_table(diagnosis.hottest);
        text += roofs_table(diagnosis);
        text += metrics_table(diagnosis);
    }
    return text;
}

std::string to_json(const DiagnosisReport& report) {
    nlohmann::ordered_json json{{"command", report.command}};
    json["machine"] = {{"name", report.machine.name},
                       {"warp_instructions_per_second", report.machine.instructions_per_second},
                       {"dram_bytes_per_second", report.machine.dram_bytes_per_second},
                       {"ideal_ratio", report.machine.ideal_ratio()}};
    json["thresholds"] = {{"near_peak_percent", report.thresholds.near_peak_percent},
                          {"at_roof_percent", report.thresholds.at_roof_percent},
                          {"high_l2_hit_percent", report.thresholds.high_l2_hit_percent}};
    auto& kernels = json["kernels"] = nlohmann::ordered_json::array();
    for (const Diagnosis& diagnosis : report.kernels) kernels.push_back(kernel_json(diagnosis));
    return result_text("diagnosis", std::move(json));
}

}  // namespace sassafras::cli
