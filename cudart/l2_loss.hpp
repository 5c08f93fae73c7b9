// How much of what L2 has is gone when kernels have used other lines.
#pragma once

#include <cmath>

namespace sassafras::cudart {

/// The share of lines that are gone when kernels have used `others` times as many lines as there are. Its sets have so
/// many ways and the least recently used goes: others meet in a set at random, as an H200's do
/// (validate/records/h200/probes/l2_sets.csv).
[[nodiscard]] inline double share_lost(double others, double ways) {
    const double mean = others * ways;
    double of_number = std::exp(-mean);  // that so many of the others meet in a set, from 0 on
    double fewer = 0;
    for (double number = 0; number < ways; ++number) {
        fewer += of_number;
        of_number *= mean / (number + 1);
    }
    return std::fmax(0, 1 - fewer);
}

}  // namespace sassafras::cudart
