// Whether a model puts things into the right order.
#pragma once

#include <optional>
#include <span>
#include <vector>

namespace sassafras::validate {

/// Ranks from 1, the least value first; equal values share the mean of the ranks that they take.
[[nodiscard]] std::vector<double> ranks(std::span<const double> values);

/// Spearman's rho: the correlation (Pearson's) of the ranks of both lists, which are of equal length. -1 to 1. None for
/// fewer than three pairs, or where all values of a list are equal.
[[nodiscard]] std::optional<double> spearman(std::span<const double> one, std::span<const double> other);

}  // namespace sassafras::validate
