#include "validate/records/measured.hpp"

#include <utility>

#include "validate/records/csv.hpp"
#include "validate/records/measured_counters.hpp"

namespace sassafras::validate {

namespace {

Result<void> read_source(const std::filesystem::path& file, MeasuredRun& run) {
    auto table = CsvTable::read(file);
    if (!table) return table.error();
    const auto launch_column = table->column("launch");
    if (!launch_column) return launch_column.error();
    const auto pc_column = table->column("pc");
    if (!pc_column) return pc_column.error();
    std::array<std::size_t, count_columns> columns{};
    for (std::size_t i = 0; i < count_columns; ++i) {
        const auto column = table->column(std::string(count_names[i]));
        if (!column) return column.error();
        columns[i] = *column;
    }
    for (std::size_t row = 0; row < table->rows(); ++row) {
        const auto launch = table->whole(row, *launch_column);
        if (!launch) return launch.error();
        if (*launch >= run.launches.size())
            return Error{ErrorKind::bad_input,
                         "launch " + std::to_string(*launch) + " is not in cycles.csv",
                         table->where(row),
                         {}};
        auto& source = run.launches[*launch].source;
        CountRow read;
        const auto pc = table->whole(row, *pc_column, 16);
        if (!pc) return pc.error();
        read.pc = *pc;
        if (!source.empty() && source.back().pc >= read.pc)
            return Error{ErrorKind::bad_input, "pcs do not ascend", table->where(row), {}};
        for (std::size_t i = 0; i < count_columns; ++i) {
            const auto count = table->whole(row, columns[i]);
            if (!count) return count.error();
            read.counts[i] = *count;
        }
        source.push_back(read);
    }
    for (const MeasuredLaunch& launch : run.launches)
        if (launch.source.empty())
            return Error{
                ErrorKind::bad_input, "a launch of " + launch.kernel + " has no instructions", file.string(), {}};
    return {};
}

}  // namespace

Result<std::vector<MeasuredRun>> read_measured(const std::filesystem::path& folder) {
    const auto table = CsvTable::read(folder / "cycles.csv");
    if (!table) return table.error();
    constexpr std::array<const char*, 8> names{"workload",      "variant",        "n",       "launch", "kernel",
                                               "cycles_median", "time_ns_median", "used_for"};
    std::array<std::size_t, names.size()> columns{};
    for (std::size_t i = 0; i < names.size(); ++i) {
        const auto column = table->column(names[i]);
        if (!column) return column.error();
        columns[i] = *column;
    }
    std::vector<std::size_t> repetition_columns;
    for (std::size_t i = 0;; ++i) {
        const auto column = table->column("cycles_" + std::to_string(i));
        if (!column) break;
        repetition_columns.push_back(*column);
    }

    std::vector<MeasuredRun> runs;
    for (std::size_t row = 0; row < table->rows(); ++row) {
        const auto n = table->whole(row, columns[2]);
        if (!n) return n.error();
        const auto launch = table->whole(row, columns[3]);
        if (!launch) return launch.error();
        const auto used_for = parse_used_for(table->text(row, columns[7]), table->where(row));
        if (!used_for) return used_for.error();
        const std::string& workload = table->text(row, columns[0]);
        const std::string& variant = table->text(row, columns[1]);
        if (runs.empty() || runs.back().workload != workload || runs.back().variant != variant || runs.back().n != *n)
            runs.push_back({workload, variant, *n, {}, *used_for});
        if (*launch != runs.back().launches.size())
            return Error{ErrorKind::bad_input, "launches are not numbered in order", table->where(row), {}};
        if (*used_for != runs.back().used_for)
            return Error{
                ErrorKind::bad_input, "the run's launches are used for different things", table->where(row), {}};
        MeasuredLaunch read;
        read.kernel = table->text(row, columns[4]);
        const auto cycles = table->real(row, columns[5]);
        if (!cycles) return cycles.error();
        read.cycles_median = *cycles;
        const auto time = table->real(row, columns[6]);
        if (!time) return time.error();
        read.time_ns_median = *time;
        for (const std::size_t column : repetition_columns) {
            if (table->text(row, column).empty()) continue;
            const auto value = table->real(row, column);
            if (!value) return value.error();
            read.cycles.push_back(*value);
        }
        runs.back().launches.push_back(std::move(read));
    }
    std::error_code none;
    if (!std::filesystem::exists(folder / "metrics.csv", none) && !std::filesystem::exists(folder / "source", none))
        return runs;
    if (auto counters = read_counters(folder, runs); !counters) return counters.error();
    for (MeasuredRun& run : runs) {
        const std::string file = run.workload + "-" + run.variant + "-" + std::to_string(run.n) + ".csv";
        if (auto source = read_source(folder / "source" / file, run); !source) return source.error();
    }
    return runs;
}

}  // namespace sassafras::validate
