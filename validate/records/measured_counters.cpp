#include "validate/records/measured_counters.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <system_error>
#include <tuple>
#include <utility>

#include "core/median.hpp"
#include "sim/metrics/metric_list.hpp"
#include "validate/records/csv.hpp"

namespace sassafras::validate {

namespace {

struct MetricColumns {
    std::vector<std::pair<sim::MetricId, std::size_t>> modelled;
    std::vector<std::size_t> unmodelled_stalls;
};

MetricColumns metric_columns(const CsvTable& table) {
    MetricColumns columns;
    for (const auto& [name, column] : table.columns())
        if (const auto metric = sim::find_metric(name))
            columns.modelled.emplace_back(*metric, column);
        else if (name.starts_with("smsp__average_warps_issue_stalled_"))
            columns.unmodelled_stalls.push_back(column);
    return columns;
}

/// One launch in one recording.
struct Counters {
    std::uint64_t inst_executed = 0;
    sim::MetricSet metrics;
    double unmodelled_stalls = 0;
};

/// An empty cell is a metric that ncu did not measure.
Result<Counters> read_row(const CsvTable& table, std::size_t row, std::size_t warps_column,
                          const MetricColumns& columns) {
    Counters read;
    const auto warps = table.whole(row, warps_column);
    if (!warps) return warps.error();
    read.inst_executed = *warps;
    for (const auto& [metric, column] : columns.modelled) {
        if (table.text(row, column).empty()) continue;
        const auto value = table.real(row, column);
        if (!value) return value.error();
        read.metrics.put(metric, *value);
    }
    for (const std::size_t column : columns.unmodelled_stalls) {
        if (table.text(row, column).empty()) continue;
        const auto value = table.real(row, column);
        if (!value) return value.error();
        read.unmodelled_stalls += *value;
    }
    return read;
}

/// What names a launch in every file of a record.
using LaunchKey = std::array<std::string, 4>;

Result<std::map<LaunchKey, std::size_t>> rows_by_launch(const CsvTable& table) {
    constexpr std::array<const char*, std::tuple_size_v<LaunchKey>> names{"workload", "variant", "n", "launch"};
    std::array<std::size_t, names.size()> columns{};
    for (std::size_t i = 0; i < names.size(); ++i) {
        const auto column = table.column(names[i]);
        if (!column) return column.error();
        columns[i] = *column;
    }
    std::map<LaunchKey, std::size_t> rows;
    for (std::size_t row = 0; row < table.rows(); ++row) {
        LaunchKey key;
        for (std::size_t i = 0; i < key.size(); ++i) key[i] = table.text(row, columns[i]);
        if (!rows.emplace(std::move(key), row).second)
            return Error{ErrorKind::bad_input, "the launch stands here a second time", table.where(row), {}};
    }
    return rows;
}

/// A recording's launches in the order of `runs`; in the file they stand as they were recorded.
Result<std::vector<Counters>> read_recording(const std::filesystem::path& file, const std::vector<MeasuredRun>& runs) {
    const auto table = CsvTable::read(file);
    if (!table) return table.error();
    const auto kernel_column = table->column("kernel");
    if (!kernel_column) return kernel_column.error();
    const auto warps_column = table->column(std::string(name_of("smsp__inst_executed.sum"_metric)));
    if (!warps_column) return warps_column.error();
    const auto rows = rows_by_launch(*table);
    if (!rows) return rows.error();
    const MetricColumns columns = metric_columns(*table);
    std::vector<Counters> launches;
    for (const MeasuredRun& run : runs)
        for (std::size_t i = 0; i < run.launches.size(); ++i) {
            const auto row = rows->find({run.workload, run.variant, std::to_string(run.n), std::to_string(i)});
            if (row == rows->end())
                return Error{ErrorKind::bad_input,
                             "launch " + std::to_string(i) + " of " + run.workload + " " + run.variant +
                                 " n=" + std::to_string(run.n) + " is not in it",
                             file.string(),
                             {}};
            if (table->text(row->second, *kernel_column) != run.launches[i].kernel)
                return Error{
                    ErrorKind::bad_input, "the launch is not that of cycles.csv", table->where(row->second), {}};
            auto read = read_row(*table, row->second, *warps_column, columns);
            if (!read) return read.error();
            launches.push_back(std::move(*read));
        }
    return launches;
}

/// In the order of their names, so that an error is always the same.
std::vector<std::filesystem::path> later_recordings(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> files;
    std::error_code unreadable;  // then there is none, and metrics.csv says so
    for (const auto& entry : std::filesystem::directory_iterator(folder, unreadable)) {
        const std::string name = entry.path().filename().string();
        if (name.starts_with("metrics_again") && name.ends_with(".csv")) files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    return files;
}

}  // namespace

Result<void> read_counters(const std::filesystem::path& folder, std::vector<MeasuredRun>& runs) {
    std::vector<std::vector<Counters>> recordings;
    auto first = read_recording(folder / "metrics.csv", runs);
    if (!first) return first.error();
    recordings.push_back(std::move(*first));
    for (const std::filesystem::path& file : later_recordings(folder)) {
        auto again = read_recording(file, runs);
        if (!again) return again.error();
        recordings.push_back(std::move(*again));
    }
    std::size_t number = 0;
    for (MeasuredRun& run : runs)
        for (MeasuredLaunch& launch : run.launches) {
            launch.inst_executed = recordings.front()[number].inst_executed;
            for (std::size_t metric = 0; metric < sim::metric_count; ++metric) {
                const sim::MetricId id{static_cast<std::uint16_t>(metric)};
                std::vector<double> values;
                for (const auto& recording : recordings)
                    if (const auto value = recording[number].metrics.find(id)) values.push_back(*value);
                if (!values.empty()) launch.metrics.put(id, median(std::move(values)));
            }
            std::vector<double> unmodelled;
            for (const auto& recording : recordings) unmodelled.push_back(recording[number].unmodelled_stalls);
            launch.unmodelled_stalls = median(std::move(unmodelled));
            ++number;
        }
    return {};
}

}  // namespace sassafras::validate
