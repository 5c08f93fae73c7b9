// What `sassafras estimate` prints of a series: the data behind a figure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/reports/estimate_report.hpp"

namespace sassafras::cli {

/// T of the SPT model, whole and by kind of operation, cycles.
struct SeriesTimes {
    double cycles = 0;
    double seconds = 0;
    double g = 0;
    double s = 0;
    double r = 0;
    double y = 0;
    double sync = 0;
};

struct SeriesRow {
    std::vector<std::uint64_t> values;  ///< of the axes
    double n = 0;
    std::optional<SeriesTimes> spt;
    std::vector<std::pair<std::string, double>> rivals;
    std::string refused;  ///< why there is no estimate; empty if there is one
};

struct SeriesReport {
    EstimateReport first;           ///< of the first point that has an estimate: what is the same of all points
    std::vector<std::string> axes;  ///< "n", "E"
    std::vector<SeriesRow> rows;
};

[[nodiscard]] std::string to_table(const SeriesReport& report);
/// Columns: the axes; cycles, time_ns, n_per_second; g, s, r, y, sync in cycles; a model each; refused.
[[nodiscard]] std::string to_csv(const SeriesReport& report);
[[nodiscard]] std::string to_json(const SeriesReport& report);

}  // namespace sassafras::cli
