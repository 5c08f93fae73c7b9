// The median of a sample.
#pragma once

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <vector>

namespace sassafras {

/// The value in the middle; of an even number of values half way between the two there. Throws std::invalid_argument
/// if there is none.
[[nodiscard]] inline double median(std::vector<double> values) {
    if (values.empty()) throw std::invalid_argument("the median of no values");
    std::sort(values.begin(), values.end());
    const std::size_t half = values.size() / 2;
    return values.size() % 2 == 1 ? values[half] : values[half - 1] / 2 + values[half] / 2;
}

}  // namespace sassafras
