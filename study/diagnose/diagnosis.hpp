// A kernel's diagnosis: what it is bound by, by both rules, and what to try.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "study/diagnose/classify.hpp"
#include "study/diagnose/hottest.hpp"
#include "study/diagnose/remedies.hpp"

namespace sassafras::study {

/// The launches of a kernel, timed again without one of their costs.
struct WhatIfTime {
    std::string_view what_if;  ///< of sim::what_ifs()
    double nanoseconds = 0;
    double speed_up = 0;  ///< their time with all costs, divided by this
};

struct Diagnosis {
    CountedKernel kernel;
    Figures figures;
    std::vector<Roof> roofs;
    Verdict literal;
    Verdict by_units;
    /// The nearest roof is within the last fifth: what is left to win there is little, unless the work gets less.
    bool is_at_roof = false;
    std::vector<Remedy> remedies;      ///< for the class by unit levels
    Hottest hottest;                   ///< where instructions were counted
    std::vector<WhatIfTime> what_ifs;  ///< those that were asked, in the order of the list

    /// None if it was not asked.
    [[nodiscard]] const WhatIfTime* find_what_if(std::string_view name) const;
};

/// One each, the longest kernel first where times are known.
[[nodiscard]] std::vector<Diagnosis> diagnose(std::vector<CountedKernel> kernels, const Machine& machine,
                                              const Thresholds& thresholds);

}  // namespace sassafras::study
