// By how many per cent a result changes where a parameter changes by one: which number of a GPU a kernel would gain by.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/result.hpp"

namespace sassafras::study {

struct Elasticity {
    std::string name;
    double value = 0;   ///< per cent a per cent
    double margin = 0;  ///< of its 95 % interval, on both sides; infinite where there are too few runs to tell
};

struct Sample {
    std::string group;            ///< what is compared with each other only: all that is no number
    std::vector<double> factors;  ///< one a name
    double result = 0;
};

struct Fit {
    std::vector<Elasticity> elasticities;  ///< one a name, greatest effect first
    double explained = 0;                  ///< share of the variance of the result's logarithm (R squared)
    std::size_t samples = 0;

    /// The result that the fit expects; of a group that no sample was of, that of the mean one. Factors above 0.
    [[nodiscard]] double expected(const std::string& group, const std::vector<double>& factors) const;

    /// Logarithms, in the mean of a group's samples.
    struct Mean {
        std::vector<double> factors;
        double result = 0;
    };
    std::vector<double> slopes;         ///< one a name, in the order that was given
    std::map<std::string, Mean> means;  ///< by group
};

/// Least squares of ln(result) on the factors' logarithms, with a constant for each group. Samples with what has no
/// logarithm are left out. Errors: bad_input, fewer samples than it takes, or factors that only change together.
[[nodiscard]] Result<Fit> fit_elasticities(const std::vector<std::string>& names, const std::vector<Sample>& samples);

}  // namespace sassafras::study
