// What to try, in the order of the thesis: memory, then instructions, then latency, and of one class only.
// Source: Gehrke 2015, table 7.2 and section 3.2; data on chip comes first since the second step of RK4 won 2 % only
// (section 6.1.3).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "study/diagnose/classify.hpp"

namespace sassafras::study {

struct Remedy {
    std::string_view text;
    std::string because;       ///< the number that speaks for it; empty if none is measured
    std::string_view what_if;  ///< of sim::what_ifs(): the cost that it would take away; empty if none is like it
};

/// Those of the class for which a counter speaks, or that no counter decides, the first to try first. None if the
/// class is unknown.
[[nodiscard]] std::vector<Remedy> remedies_for(const Verdict& verdict, const Counters& counters,
                                               const Figures& figures);

}  // namespace sassafras::study
