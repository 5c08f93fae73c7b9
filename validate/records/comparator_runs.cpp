#include "validate/records/comparator_runs.hpp"

#include <array>
#include <set>
#include <tuple>

#include "validate/records/csv.hpp"
#include "validate/records/embedded_comparators.hpp"

namespace sassafras::validate {

Result<std::vector<ComparatorRun>> parse_comparator_runs(std::string_view text, const std::string& origin) {
    const auto table = CsvTable::parse(text, origin);
    if (!table) return table.error();
    constexpr std::array<const char*, 4> names{"platform", "sort", "n", "cycles"};
    std::array<std::size_t, names.size()> columns{};
    for (std::size_t i = 0; i < names.size(); ++i) {
        const auto column = table->column(names[i]);
        if (!column) return column.error();
        columns[i] = *column;
    }
    std::vector<ComparatorRun> runs;
    std::set<std::tuple<std::string, std::string, std::uint64_t>> seen;
    for (std::size_t row = 0; row < table->rows(); ++row) {
        const auto n = table->whole(row, columns[2]);
        if (!n) return n.error();
        const auto cycles = table->whole(row, columns[3]);
        if (!cycles) return cycles.error();
        const std::string& platform = table->text(row, columns[0]);
        const std::string& sort = table->text(row, columns[1]);
        if (*cycles == 0)
            return Error{ErrorKind::bad_input, "a sort took no cycles", table->where(row),
                         "write the file with scripts/comparators"};
        if (!seen.emplace(platform, sort, *n).second)
            return Error{ErrorKind::bad_input, "a sort is there twice: " + sort, table->where(row),
                         "write the file with scripts/comparators"};
        runs.push_back({platform, sort, *n, static_cast<double>(*cycles)});
    }
    return runs;
}

Result<std::vector<ComparatorRun>> comparator_runs() {
    std::vector<ComparatorRun> runs;
    for (const EmbeddedComparators& file : embedded_comparators()) {
        auto of_file = parse_comparator_runs(file.rows, std::string(file.name));
        if (!of_file) return of_file.error();
        runs.insert(runs.end(), of_file->begin(), of_file->end());
    }
    return runs;
}

}  // namespace sassafras::validate
