// A kernel's diagnosis: what it is bound by, by both rules, and what to try.
#pragma once

#include <string>
#include <vector>

#include "study/diagnose/classify.hpp"
#include "study/diagnose/remedies.hpp"

namespace sassafras::study {

struct Diagnosis {
    CountedKernel kernel;
    Figures figures;
    std::vector<Roof> roofs;
    Verdict literal;
    Verdict by_units;
    /// The nearest roof is within the last fifth: what is left to win there is little, unless the work gets less.
    bool is_at_roof = false;
    std::vector<Remedy> remedies;  ///< for the class by unit levels
};

/// One each, the longest kernel first where times are known.
[[nodiscard]] std::vector<Diagnosis> diagnose(std::vector<CountedKernel> kernels, const Machine& machine,
                                              const Thresholds& thresholds);

}  // namespace sassafras::study
