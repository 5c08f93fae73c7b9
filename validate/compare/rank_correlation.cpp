#include "validate/compare/rank_correlation.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/result.hpp"

namespace sassafras::validate {

std::vector<double> ranks(std::span<const double> values) {
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
    std::vector<double> result(values.size());
    for (std::size_t begin = 0; begin < order.size();) {
        std::size_t end = begin + 1;
        while (end < order.size() && values[order[end]] == values[order[begin]]) ++end;
        const double mean = (static_cast<double>(begin + 1) + static_cast<double>(end)) / 2;
        for (; begin < end; ++begin) result[order[begin]] = mean;
    }
    return result;
}

std::optional<double> spearman(std::span<const double> one, std::span<const double> other) {
    require_invariant(one.size() == other.size(), "spearman of lists of different lengths");
    constexpr std::size_t least_pairs = 3;
    if (one.size() < least_pairs) return std::nullopt;
    const std::vector<double> a = ranks(one);
    const std::vector<double> b = ranks(other);
    const double mean = (static_cast<double>(one.size()) + 1) / 2;  // of ranks, tied or not
    double product = 0;
    double square_a = 0;
    double square_b = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        product += (a[i] - mean) * (b[i] - mean);
        square_a += (a[i] - mean) * (a[i] - mean);
        square_b += (b[i] - mean) * (b[i] - mean);
    }
    if (square_a == 0 || square_b == 0) return std::nullopt;
    return product / std::sqrt(square_a * square_b);
}

}  // namespace sassafras::validate
