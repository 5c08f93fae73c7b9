// Logarithms of the printed formulas, rounded up without the error of floating-point logarithms.
#pragma once

#include <cmath>

namespace sassafras::validate::spt {

/// Least whole r, 0 or more, with base^r >= value: ceil(log_base(value)) for values of 1 and more. The base is above 1.
[[nodiscard]] inline double ceil_log(double base, double value) {
    double rounds = 0;
    // A power that should equal the value may miss it by the last bits where the base is no whole number.
    constexpr double slack = 1 - 1e-12;
    for (double reached = 1; reached < value * slack; reached *= base) ++rounds;
    return rounds;
}

[[nodiscard]] inline double ceil_log2(double value) { return ceil_log(2, value); }

/// log2, but 0 below 1: a search among one key or none takes no step.
[[nodiscard]] inline double log2_or_zero(double value) { return value > 1 ? std::log2(value) : 0; }

}  // namespace sassafras::validate::spt
