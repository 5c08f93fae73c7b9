// Which of many designs are worth a look: those that no other beats in everything.
#pragma once

#include <cstddef>
#include <vector>

namespace sassafras::study {

/// Places of the points that no other point is as small as in every number and smaller in one (Pareto's front), by
/// their first number. Of equal points the first counts. A point that has a NaN is left out.
[[nodiscard]] std::vector<std::size_t> pareto_front(const std::vector<std::vector<double>>& points);

}  // namespace sassafras::study
