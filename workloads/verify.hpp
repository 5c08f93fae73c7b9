// Bit-for-bit comparison of a result with its reference.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "workloads/workload.hpp"

namespace sassafras::workloads {

/// Sets run.verified and, at the first difference, run.mismatch. T is 32 bits wide; floats are compared as bits.
template <class T>
void verify(WorkloadRun& run, const std::vector<T>& result, const std::vector<T>& reference) {
    static_assert(sizeof(T) == sizeof(std::uint32_t));
    run.verified = result.size() == reference.size();
    if (!run.verified) {
        run.mismatch = std::to_string(result.size()) + " elements instead of " + std::to_string(reference.size());
        return;
    }
    for (std::size_t i = 0; i < result.size(); ++i)
        if (std::bit_cast<std::uint32_t>(result[i]) != std::bit_cast<std::uint32_t>(reference[i])) {
            run.verified = false;
            run.mismatch = "element " + std::to_string(i) + " is " + std::to_string(result[i]) +
                           ", the reference says " + std::to_string(reference[i]);
            return;
        }
}

}  // namespace sassafras::workloads
