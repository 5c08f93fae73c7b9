// Which launch of one report is which of another.
#pragma once

#include <cstddef>
#include <vector>

#include "study/compare/measured_report.hpp"

namespace sassafras::study {

struct LaunchPair {
    std::size_t a = 0;  ///< of the first report
    std::size_t b = 0;
    bool is_same_kernel = true;
};

struct LaunchMatch {
    std::vector<LaunchPair> pairs;    ///< in the order of the first report
    std::vector<std::size_t> only_a;  ///< in its order
    std::vector<std::size_t> only_b;
};

/// The k-th launch of a kernel is the k-th of that kernel there: by the whole name, then by the name without result and
/// parameters, then by the function's alone. Of kernels that are then in one report only, as many in each, the first
/// belongs to the first, and so on: these pairs, and those of other instances of a template, are of different kernels.
[[nodiscard]] LaunchMatch match_launches(const std::vector<MeasuredLaunch>& a, const std::vector<MeasuredLaunch>& b);

}  // namespace sassafras::study
