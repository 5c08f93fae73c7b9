// The launches of a page: a row each, and behind it what is drawn when it is chosen.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cli/html/chart_sources.hpp"

namespace sassafras::cli {

/// What a page has room for, so that it opens at once: 20 MB in all. The longest launches come first.
struct LaunchRoom {
    std::size_t rows = 20'000;
    std::size_t bytes = 10'000'000;  ///< of what is behind the rows
};

struct LaunchPages {
    std::string json;
    std::vector<std::string> kernels;  ///< mangled names, by number in the JSON
    std::size_t left_out = 0;          ///< launches without a row
    std::size_t without_details = 0;   ///< rows with nothing behind them
};

/// JSON: `kernels`, names for people; `rows` of [kernel, grid, block, stream, cycles, ns, warp instructions, place in
/// details or null, number, bound]; `specs`, charts without values; `metrics`, [section, label, name, unit] each;
/// `details` of {verdict, rules: [type, section, estimate, text], charts: [place in specs, values], metrics: values}.
/// What is the same for several launches is there once.
[[nodiscard]] LaunchPages html_launches(const RunSource& run, const LaunchRoom& room = {});

}  // namespace sassafras::cli
