#include "cli/reports/phi_report.hpp"

#include <fmt/format.h>

#include "cli/reports/columns.hpp"
#include "cli/reports/report.hpp"
#include "cli/reports/result_text.hpp"

namespace sassafras::cli {

std::string to_table(const PhiReport& report) {
    std::vector<std::vector<std::string>> rows{{"Metric", "Unit", "Look If", "Value"}};
    std::string advice;
    for (const study::PhiFigure& figure : report.figures) {
        if (!figure.value) continue;
        const std::string bound =
            figure.threshold ? fmt::format("{} than {:.4g}", figure.direction, *figure.threshold) : std::string{};
        rows.push_back({std::string(figure.name), std::string(figure.unit), bound,
                        fmt::format("{:.4g}{}", *figure.value, figure.is_flagged ? " *" : "  ")});
        if (figure.is_flagged) advice += fmt::format("    {}: {}\n", figure.name, figure.advice);
    }
    return "  Xeon Phi\n" + aligned(rows, 3) + (advice.empty() ? "" : "  Worth a look (*):\n" + advice);
}

std::string to_json(const PhiReport& report) {
    nlohmann::ordered_json json{{"command", report.command}};
    auto& figures = json["xeon_phi"] = nlohmann::ordered_json::array();
    for (const study::PhiFigure& figure : report.figures) {
        nlohmann::ordered_json row{{"name", figure.name}, {"unit", figure.unit}};
        row["value"] = figure.value ? nlohmann::ordered_json(*figure.value) : nlohmann::ordered_json(nullptr);
        row["threshold"] =
            figure.threshold ? nlohmann::ordered_json(*figure.threshold) : nlohmann::ordered_json(nullptr);
        row["flagged"] = figure.is_flagged;
        if (figure.is_flagged) row["advice"] = figure.advice;
        figures.push_back(std::move(row));
    }
    return result_text("xeon_phi", std::move(json));
}

}  // namespace sassafras::cli
