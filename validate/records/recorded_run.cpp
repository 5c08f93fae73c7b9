#include "validate/records/recorded_run.hpp"

#include <algorithm>
#include <array>

#include "validate/records/csv.hpp"
#include "validate/records/embedded_records.hpp"

namespace sassafras::validate {

Result<std::vector<RecordedRun>> parse_recorded_runs(std::string_view text, const std::string& origin) {
    const auto table = CsvTable::parse(text, origin);
    if (!table) return table.error();
    constexpr std::array<const char*, 6> names{"workload", "variant", "n", "launch", "cycles_median", "used_for"};
    std::array<std::size_t, names.size()> columns{};
    for (std::size_t i = 0; i < names.size(); ++i) {
        const auto column = table->column(names[i]);
        if (!column) return column.error();
        columns[i] = *column;
    }
    std::vector<std::size_t> repetitions;
    for (std::size_t i = 0;; ++i) {
        const auto column = table->column("cycles_" + std::to_string(i));
        if (!column) break;
        repetitions.push_back(*column);
    }
    std::vector<RecordedRun> runs;
    for (std::size_t row = 0; row < table->rows(); ++row) {
        const auto n = table->whole(row, columns[2]);
        if (!n) return n.error();
        const auto launch = table->whole(row, columns[3]);
        if (!launch) return launch.error();
        const auto median = table->real(row, columns[4]);
        if (!median) return median.error();
        const auto used_for = parse_used_for(table->text(row, columns[5]), table->where(row));
        if (!used_for) return used_for.error();
        const std::string& workload = table->text(row, columns[0]);
        const std::string& variant = table->text(row, columns[1]);
        if (runs.empty() || runs.back().workload != workload || runs.back().variant != variant || runs.back().n != *n)
            runs.push_back({workload, variant, *n, 0, 0, 0, 0, *used_for});
        RecordedRun& run = runs.back();
        if (*launch != run.launches)
            return Error{ErrorKind::bad_input, "launches are not numbered in order", table->where(row), {}};
        if (*used_for != run.used_for)
            return Error{
                ErrorKind::bad_input, "the run's launches are used for different things", table->where(row), {}};
        double least = *median;
        double most = *median;
        for (const std::size_t column : repetitions) {
            if (table->text(row, column).empty()) continue;
            const auto value = table->real(row, column);
            if (!value) return value.error();
            least = std::min(least, *value);
            most = std::max(most, *value);
        }
        ++run.launches;
        run.cycles += *median;
        run.least += least;
        run.most += most;
    }
    return runs;
}

Result<std::vector<RecordedRun>> recorded_runs(std::string_view platform) {
    for (const EmbeddedRecord& record : embedded_records())
        if (record.platform == platform)
            return parse_recorded_runs(record.cycles,
                                       "validate/records/" + std::string(platform) + "/measured/cycles.csv");
    return std::vector<RecordedRun>{};
}

}  // namespace sassafras::validate
