// How much of a launch the details page shows: --set, --section.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/metrics/metric_row.hpp"

namespace sassafras::cli {

enum class Detail : std::uint8_t {
    basic,     ///< what is always measured, and the sections that Nsight Compute's basic set has
    detailed,  ///< all sections, and the table of memory
    full,      ///< their breakdowns as well
};

struct DetailsView {
    Detail detail = Detail::basic;
    std::vector<sim::Section> sections = {};  ///< of --section; empty: all
};

}  // namespace sassafras::cli
