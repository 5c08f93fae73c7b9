#include "cli/reports/series_report.hpp"

#include <functional>

#include <fmt/format.h>

#include "cli/reports/columns.hpp"
#include "cli/reports/report.hpp"
#include "cli/reports/result_text.hpp"
#include "core/json_text.hpp"
#include "core/number_text.hpp"

namespace sassafras::cli {

namespace {

constexpr double nanoseconds_of_a_second = 1e9;

std::vector<std::string> head_of(const SeriesReport& report) {
    std::vector<std::string> head = report.axes;
    if (report.first.spt) head.insert(head.end(), {"cycles", "time_ns", "n_per_second", "g", "s", "r", "y", "sync"});
    for (const auto& rival : report.first.rivals) head.push_back(rival.model);
    head.emplace_back("refused");
    return head;
}

std::vector<std::string> fields_of(const SeriesReport& report, const SeriesRow& row,
                                   const std::function<std::string(double)>& number) {
    std::vector<std::string> fields;
    for (const std::uint64_t value : row.values) fields.push_back(std::to_string(value));
    if (report.first.spt) {
        constexpr std::size_t columns = 8;
        if (row.spt) {
            const SeriesTimes& times = *row.spt;
            for (const double value : {times.cycles, times.seconds * nanoseconds_of_a_second, row.n / times.seconds,
                                       times.g, times.s, times.r, times.y, times.sync})
                fields.push_back(number(value));
        } else {
            fields.resize(fields.size() + columns);
        }
    }
    for (std::size_t i = 0; i < report.first.rivals.size(); ++i)
        fields.push_back(i < row.rivals.size() ? number(row.rivals[i].second) : "");
    fields.push_back(row.refused);
    return fields;
}

}  // namespace

std::string to_table(const SeriesReport& report) {
    const EstimateReport& first = report.first;
    std::vector<std::vector<std::string>> rows{head_of(report)};
    const auto number = [](double value) { return fmt::format("{:.6g}", value); };
    for (const SeriesRow& row : report.rows) rows.push_back(fields_of(report, row, number));
    std::string text = fmt::format("  estimate {}, {}, reading {}, counts {}\n", first.algorithm, first.instance.name,
                                   first.reading, first.counts) +
                       aligned(rows, 0);
    for (const std::string& note : first.notes) text += "  note: " + note + "\n";
    return text;
}

std::string to_csv(const SeriesReport& report) {
    std::string text = csv_line(head_of(report));
    for (const SeriesRow& row : report.rows) text += csv_line(fields_of(report, row, number_text));
    return text;
}

std::string to_json(const SeriesReport& report) {
    const EstimateReport& first = report.first;
    auto points = nlohmann::ordered_json::array();
    for (const SeriesRow& row : report.rows) {
        nlohmann::ordered_json point;
        for (std::size_t i = 0; i < report.axes.size(); ++i) point[report.axes[i]] = row.values[i];
        if (row.spt)
            point.update({{"cycles", row.spt->cycles},
                          {"time_ns", row.spt->seconds * nanoseconds_of_a_second},
                          {"g", row.spt->g},
                          {"s", row.spt->s},
                          {"r", row.spt->r},
                          {"y", row.spt->y},
                          {"sync", row.spt->sync}});
        for (const auto& [model, value] : row.rivals) point["models"][model] = value;
        point["refused"] = row.refused.empty() ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(row.refused);
        points.push_back(std::move(point));
    }
    return result_text("estimate_series", {{"command", first.command},
                                           {"instance", own_json(instance_json(first.instance))},
                                           {"algorithm", first.algorithm},
                                           {"reading", first.reading},
                                           {"counts", first.counts},
                                           {"notes", first.notes},
                                           {"axes", report.axes},
                                           {"points", std::move(points)}});
}

}  // namespace sassafras::cli
