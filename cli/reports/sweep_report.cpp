#include "cli/reports/sweep_report.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/reports/columns.hpp"
#include "cli/reports/report.hpp"
#include "cli/reports/result_text.hpp"
#include "core/number_text.hpp"

namespace sassafras::cli {

namespace sweep = study::sweep;

std::string status_text(const sweep::Status& status) {
    const std::string damaged =
        status.damaged == 0 ? "" : fmt::format("{} damaged (sweep run makes them anew), ", grouped(status.damaged));
    return fmt::format("{} runs: {} done, {} failed, {}{} left\n", grouped(status.runs), grouped(status.done),
                       grouped(status.failed), damaged, grouped(status.left()));
}

std::string status_json(const sweep::StudyFolder& study, const sweep::Status& status,
                        const std::optional<sweep::TimeEstimate>& left) {
    nlohmann::ordered_json json{{"study", study.folder().string()},
                                {"rows", study.rows().size()},
                                {"runs", status.runs},
                                {"done", status.done},
                                {"failed", status.failed},
                                {"damaged", status.damaged},
                                {"left", status.left()}};
    if (left)
        json["processor_seconds_left"] = left->seconds;
    else
        json["processor_seconds_left"] = nullptr;
    return result_text("study_status", std::move(json));
}

std::string left_out_text(const CountedRows& counted, const std::string& number) {
    std::string text;
    if (counted.not_done != 0) text += fmt::format("left out: {} runs that are not done\n", counted.not_done);
    if (counted.repeated != 0)
        text += fmt::format("left out: {} runs that are another once more, by their key\n", counted.repeated);
    if (counted.without_number != 0)
        text += fmt::format("left out: {} runs without {}\n", counted.without_number, number);
    return text;
}

std::string front_table(const sweep::Table& table, const StudyFront& front) {
    std::vector<std::vector<std::string>> rows{{"run"}};
    for (const sweep::Table::Column* column : front.shown) rows[0].push_back(column->name);
    for (const StudyFront::Group& group : front.groups)
        for (const std::size_t row : group.front) {
            rows.push_back({std::to_string(row)});
            for (const sweep::Table::Column* column : front.shown)
                rows.back().push_back(sweep::text_of(table.at(*column, row)));
        }
    const bool is_one_work = front.groups.empty() || front.groups.front().work.empty();
    return fmt::format("{} of {} runs that no other{} beats in {}\n{}{}", rows.size() - 1, front.counted.rows.size(),
                       is_one_work ? "" : " with the same work", fmt::join(front.goals, ", "), aligned(rows, 1),
                       left_out_text(front.counted, "a number in all of these"));
}

std::string sensitivity_table(const StudySensitivity& sensitivity) {
    const study::Fit& fit = sensitivity.fit;
    constexpr double widest = 30;
    double most = 1e-9;
    for (const auto& one : fit.elasticities) most = std::max(most, std::abs(one.value));
    std::vector<std::vector<std::string>> rows{{"parameter", "per cent a per cent", "95 %", ""}};
    for (const auto& one : fit.elasticities) {
        const std::string bar(static_cast<std::size_t>(std::lround(std::abs(one.value) / most * widest)),
                              one.value < 0 ? '-' : '+');
        rows.push_back({one.name, fmt::format("{:+.3f}", one.value),
                        std::isfinite(one.margin) ? fmt::format("{:.3f}", one.margin) : "", bar});
    }
    std::string text = fmt::format("{} by {} runs: where a parameter grows by one per cent, it changes by so many\n{}",
                                   sensitivity.column, fit.samples, aligned(rows, 1));
    text += fmt::format("explained: {:.1f} % of the variance\n", 100 * fit.explained);
    for (const auto& [name, why] : sensitivity.left_out) text += fmt::format("left out: {}: {}\n", name, why);
    return text + left_out_text(sensitivity.counted, "a number above 0");
}

}  // namespace sassafras::cli
