// What the details page shows of a launch, before it is laid out as text, CSV or LaTeX.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cli/reports/details_view.hpp"
#include "sim/device/device.hpp"
#include "sim/metrics/metric_set.hpp"

namespace sassafras::cli {

/// A metric: rounded, in a unit of fitting size.
struct DetailsLine {
    std::string name;
    std::string unit;
    std::string value;
};

/// What a section has beside its metrics.
struct DetailsTable {
    std::string title;
    std::vector<std::vector<std::string>> rows;  ///< the first are headings
    std::size_t left = 1;                        ///< columns that are names
};

struct DetailsSection {
    sim::Section kind = sim::Section::none;
    std::vector<DetailsLine> lines;
    std::vector<DetailsTable> tables;
};

/// In Nsight Compute's order; those without a known metric are left out. `metrics` are the result's, or more.
[[nodiscard]] std::vector<DetailsSection> details_sections(const sim::KernelResult& result,
                                                           const sim::MetricSet& metrics, const DetailsView& view);

/// A number of `unit` in a unit of fitting size.
[[nodiscard]] DetailsLine details_line(std::string name, double value, std::string_view unit);

/// Shares of an SM's units, and of the levels of memory, of which the sections show the greatest; the greatest first.
[[nodiscard]] std::vector<DetailsTable> breakdown_tables(const sim::MetricSet& metrics);
/// Accesses by space and kind: instructions, requests, sectors, hit rates. Empty rows: nothing of it is known.
[[nodiscard]] DetailsTable memory_table(const sim::MetricSet& metrics);

}  // namespace sassafras::cli
