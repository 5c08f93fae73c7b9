#include "sim/access/random_conflicts.hpp"

#include <algorithm>

namespace sassafras::sim {

namespace {

/// Coefficients of 1, x, .. x^warp_size.
using Polynomial = std::array<double, warp_size + 1>;

Polynomial product(const Polynomial& a, const Polynomial& b) {
    Polynomial result{};
    for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t j = 0; i + j < a.size(); ++j) result[i + j] += a[i] * b[j];
    return result;
}

Polynomial power(Polynomial base, std::uint32_t exponent) {
    Polynomial result{};
    result[0] = 1;
    for (; exponent != 0; exponent >>= 1U) {
        if ((exponent & 1U) != 0) result = product(result, base);
        base = product(base, base);
    }
    return result;
}

/// [i][d]: probability that i balls into `words` cells hit d different ones.
std::array<std::array<double, warp_size + 1>, warp_size + 1> occupied(std::uint64_t words) {
    std::array<std::array<double, warp_size + 1>, warp_size + 1> probability{};
    probability[0][0] = 1;
    const auto cells = static_cast<double>(words);
    for (std::size_t i = 1; i < probability.size(); ++i)
        for (std::size_t d = 1; d <= i; ++d) {
            const double seen = words == 0 ? 0 : static_cast<double>(d) / cells;
            const double new_one = words == 0 ? 1 : std::max(0.0, 1 - static_cast<double>(d - 1) / cells);
            probability[i][d] = probability[i - 1][d] * seen + probability[i - 1][d - 1] * new_one;
        }
    return probability;
}

}  // namespace

namespace {

/// [k]: probability that no bin has more than k balls.
std::array<double, warp_size + 1> greatest_at_most(std::uint32_t balls, std::uint32_t bins, std::uint64_t words) {
    const auto different = occupied(words);
    double scale = 1;  // balls! / bins^balls
    for (std::uint32_t ball = 1; ball <= balls; ++ball) scale *= static_cast<double>(ball) / static_cast<double>(bins);
    std::array<double, warp_size + 1> probability{};
    probability.fill(1);
    for (std::uint32_t most = 0; most < balls; ++most) {
        Polynomial one_bin{};
        double factorial = 1;
        for (std::size_t i = 0; i < one_bin.size(); ++i) {
            if (i > 0) factorial *= static_cast<double>(i);
            for (std::size_t d = 0; d <= std::min<std::size_t>(i, most); ++d) one_bin[i] += different[i][d] / factorial;
        }
        probability[most] = std::min(1.0, scale * power(one_bin, bins)[balls]);
    }
    return probability;
}

}  // namespace

double expected_wavefronts(std::uint32_t balls, std::uint32_t bins, std::uint64_t words) {
    if (balls == 0 || bins == 0) return 0;
    const auto at_most = greatest_at_most(balls, bins, words);
    double expected = 0;  // sum over k of P(greatest > k)
    for (std::uint32_t most = 0; most < balls; ++most) expected += 1 - at_most[most];
    return expected;
}

WavefrontChances wavefront_chances(std::uint32_t balls, std::uint32_t bins) {
    WavefrontChances chances{};
    if (balls == 0 || bins == 0) {
        chances[0] = 1;
        return chances;
    }
    const auto at_most = greatest_at_most(balls, bins, 0);
    chances[0] = at_most[0];
    for (std::size_t k = 1; k < chances.size(); ++k) chances[k] = std::max(0.0, at_most[k] - at_most[k - 1]);
    return chances;
}

ExpectedByLanes expected_by_lanes(std::uint32_t bins, std::uint64_t words) {
    ExpectedByLanes expected{};
    for (std::uint32_t lanes = 0; lanes < expected.size(); ++lanes)
        expected[lanes] = expected_wavefronts(lanes, bins, words);
    return expected;
}

}  // namespace sassafras::sim
