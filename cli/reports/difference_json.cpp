#include <utility>

#include "cli/reports/difference_report.hpp"
#include "cli/reports/measured_json.hpp"
#include "cli/reports/result_text.hpp"

namespace sassafras::cli {

namespace {

using DiffJson = nlohmann::ordered_json;

DiffJson source_json(const study::MeasuredReport& report) {
    return {{"file", report.file},
            {"profiler", report.profiler},
            {"page", report.page.empty() ? DiffJson(nullptr) : DiffJson(report.page)},
            {"device", report.device},
            {"launches", report.launches.size()}};
}

DiffJson side_json(const study::MeasuredReport& report, std::size_t number) {
    DiffJson json{{"launch", number}};
    json.update(launch_head(report.launches[number]));
    return json;
}

DiffJson changes_json(const std::vector<study::MetricChange>& changes) {
    DiffJson rows = DiffJson::array();
    for (const study::MetricChange& change : changes)
        rows.push_back({{"name", change.name},
                        {"unit", change.unit},
                        {"a", json_number(change.a)},
                        {"b", json_number(change.b)},
                        {"change_percent", change.percent ? DiffJson(*change.percent) : DiffJson(nullptr)}});
    return rows;
}

DiffJson sides_json(const study::MeasuredReport& report, const std::vector<std::size_t>& numbers) {
    DiffJson launches = DiffJson::array();
    for (const std::size_t number : numbers) launches.push_back(side_json(report, number));
    return launches;
}

}  // namespace

std::string to_json(const DifferenceReport& report) {
    const study::ReportDifference& difference = report.difference;
    DiffJson launches = DiffJson::array();
    for (const study::LaunchDifference& launch : difference.launches)
        launches.push_back({{"a", side_json(report.a, launch.pair.a)},
                            {"b", side_json(report.b, launch.pair.b)},
                            {"same_kernel", launch.pair.is_same_kernel},
                            {"same_shape", launch.is_same_shape},
                            {"changes", changes_json(launch.changes)},
                            {"equal", launch.equal},
                            {"below_threshold", launch.below},
                            {"only_in_a", launch.only_a},
                            {"only_in_b", launch.only_b},
                            {"other_unit", launch.other_unit}});
    DiffJson json{{"command", report.command},
                  {"a", source_json(report.a)},
                  {"b", source_json(report.b)},
                  {"threshold_percent", report.threshold_percent},
                  {"metrics_compared", difference.compared},
                  {"largest_change_percent", json_number(difference.largest_percent)}};
    json["fail_above_percent"] = report.fail_above_percent ? DiffJson(*report.fail_above_percent) : DiffJson(nullptr);
    json["fails"] = report.fails();
    json["launches"] = std::move(launches);
    json["only_in_a"] = sides_json(report.a, difference.only_a);
    json["only_in_b"] = sides_json(report.b, difference.only_b);
    return result_text("difference", std::move(json));
}

}  // namespace sassafras::cli
