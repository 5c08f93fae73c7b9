#include "cli/commands/estimate_series.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/value_series.hpp"
#include "workloads/selection.hpp"

namespace sassafras::cli {

namespace {

constexpr std::size_t most_points = 10'000;

/// --n of a plain number goes to the workload, everything else is an axis.
Result<void> take_size(const EstimateOptions& options, WorkloadOptions& fixed, std::vector<SeriesAxis>& axes) {
    if (options.size.empty()) return {};
    auto values = parse_series(options.size, "--n");
    if (!values) return values.error();
    if (values->size() == 1)
        fixed.n = values->front();
    else
        axes.push_back({"n", std::move(values).value()});
    return {};
}

/// Takes the parameters that are series out of the words that stay.
Result<void> take_parameter_series(WorkloadOptions& fixed, std::vector<SeriesAxis>& axes) {
    std::vector<std::string> plain;
    for (std::size_t i = 0; i < fixed.parameters.size(); ++i) {
        const std::string& word = fixed.parameters[i];
        const std::size_t equals = word.find('=');
        const bool beside = equals == std::string::npos && i + 1 < fixed.parameters.size();
        const std::string value = equals != std::string::npos ? word.substr(equals + 1)
                                  : beside                    ? fixed.parameters[i + 1]
                                                              : "";
        if (!word.starts_with("--") || !is_series(value)) {
            plain.push_back(word);
            continue;
        }
        const std::string name = word.substr(0, equals);
        auto values = parse_series(value, name);
        if (!values) return values.error();
        if (values->size() == 1) {
            plain.push_back(fmt::format("{}={}", name, values->front()));
        } else {
            axes.push_back({name.substr(2), std::move(values).value()});
        }
        if (beside) ++i;
    }
    fixed.parameters = std::move(plain);
    return {};
}

SeriesRow row_of(const EstimatePoint& point) {
    SeriesRow row;
    const EstimateReport& report = point.report;
    if (report.spt) {
        row.spt = SeriesTimes{report.spt->cycles,
                              report.spt->seconds,
                              report.spt->operation_cycles("g"),
                              report.spt->operation_cycles("s"),
                              report.spt->operation_cycles("r"),
                              report.spt->operation_cycles("y"),
                              report.spt->sync_cycles};
    }
    for (const auto& rival : report.rivals) row.rivals.emplace_back(rival.model, rival.value);
    row.n = report.workload.at("n").get<double>();
    return row;
}

}  // namespace

Result<std::vector<SeriesAxis>> series_axes(const EstimateOptions& options, WorkloadOptions& fixed) {
    std::vector<SeriesAxis> axes;
    if (auto taken = take_size(options, fixed, axes); !taken) return taken.error();
    if (auto taken = take_parameter_series(fixed, axes); !taken) return taken.error();
    std::size_t points = 1;
    for (const SeriesAxis& axis : axes) {
        if (axis.values.size() > most_points / points)
            return Error{ErrorKind::bad_input, fmt::format("the series has more than {} points", most_points),
                         "--" + axis.name, "give fewer values"};
        points *= axis.values.size();
    }
    return axes;
}

Result<SeriesReport> estimate_series(const EstimateOptions& options, const WorkloadOptions& fixed,
                                     const std::vector<SeriesAxis>& axes, const validate::spt::Instance& instance) {
    SeriesReport series;
    for (const SeriesAxis& axis : axes) series.axes.push_back(axis.name);
    std::vector<std::size_t> at(axes.size(), 0);
    std::optional<Error> refusal;
    bool any = false;
    while (true) {
        WorkloadOptions one = fixed;
        std::vector<std::uint64_t> values;
        for (std::size_t i = 0; i < axes.size(); ++i) {
            const std::uint64_t value = axes[i].values[at[i]];
            values.push_back(value);
            if (axes[i].name == "n")
                one.n = value;
            else
                one.parameters.push_back(fmt::format("--{}={}", axes[i].name, value));
        }
        auto point = estimate_point(options, one, instance);
        SeriesRow row;
        if (point) {
            if (point->run && !point->run->verified) return workloads::wrong_result(*point->run);
            row = row_of(*point);
            if (!any) series.first = std::move(point->report);
            any = true;
        } else if (point.error().kind == ErrorKind::bad_input) {
            row.refused = point.error().what;
            refusal = point.error();
        } else {
            return point.error();
        }
        row.values = std::move(values);
        series.rows.push_back(std::move(row));
        std::size_t axis = axes.size();
        while (axis > 0 && ++at[axis - 1] == axes[axis - 1].values.size()) at[--axis] = 0;
        if (axis == 0) break;
    }
    if (!any) return *refusal;
    return series;
}

}  // namespace sassafras::cli
