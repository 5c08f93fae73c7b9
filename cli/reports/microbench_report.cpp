#include "cli/reports/microbench_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/reports/columns.hpp"
#include "cli/reports/report.hpp"
#include "cli/reports/result_text.hpp"
#include "core/number_text.hpp"

namespace sassafras::cli {

namespace {

/// Three decimals, since latencies are fractions of a cycle apart; large values need none of them.
std::string measured_text(double value) {
    constexpr double large = 10'000;
    return value < large ? fmt::format("{:.3f}", value) : rounded(value);
}

}  // namespace

std::string to_table(const MicrobenchReport& report) {
    std::size_t name_width = 4;
    std::size_t parameter_width = 9;
    std::size_t unit_width = 4;
    for (const auto& row : report.rows) {
        name_width = std::max(name_width, row.name.size());
        parameter_width = std::max(parameter_width, row.parameter.size());
        unit_width = std::max(unit_width, row.unit.size());
    }
    const std::string rule =
        fmt::format("    {:-<{}} {:-<{}} {:->12} {:-<{}}\n", "", name_width, "", parameter_width, "", "", unit_width);
    std::string text = fmt::format("  microbench, {}\n", report.device) + rule;
    text +=
        fmt::format("    {:<{}} {:<{}} {:>12} {}\n", "Name", name_width, "Parameter", parameter_width, "Value", "Unit");
    text += rule;
    for (const auto& row : report.rows)
        text += fmt::format("    {:<{}} {:<{}} {:>12} {}\n", row.name, name_width, row.parameter, parameter_width,
                            measured_text(row.value), row.unit);
    return text + rule;
}

std::string to_csv(const MicrobenchReport& report) {
    std::string text = csv_line({"name", "parameter", "value", "unit"});
    for (const auto& row : report.rows) text += csv_line({row.name, row.parameter, number_text(row.value), row.unit});
    return text;
}

std::string to_json(const MicrobenchReport& report) {
    auto rows = nlohmann::ordered_json::array();
    for (const auto& row : report.rows)
        rows.push_back({{"name", row.name}, {"parameter", row.parameter}, {"value", row.value}, {"unit", row.unit}});
    nlohmann::ordered_json json{{"command", report.command},
                                {"device", report.device},
                                {"platform", report.platform},
                                {"rows", std::move(rows)}};
    return result_text("microbench", std::move(json));
}

}  // namespace sassafras::cli
