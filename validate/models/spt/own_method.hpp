// What the formulas that are ours have in common.
#pragma once

#include <algorithm>

#include "validate/models/spt/instance.hpp"

namespace sassafras::validate::spt {

inline constexpr const char* ours = "ours, by the method of 4.8; the thesis has no such formula";

/// M_o: no more threads a core than the hardware holds. Where there is no work there is no time either, whatever M_o
/// is.
[[nodiscard]] inline double bounded(const Instance& instance, double oversubscription) {
    return oversubscription > 0 ? std::min(oversubscription, instance.threads_per_core) : instance.threads_per_core;
}

}  // namespace sassafras::validate::spt
