// Bit-for-bit comparison of a result with its reference.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "workloads/workload.hpp"

namespace sassafras::workloads {

/// Equal bits; or both NaN, whose other bits IEEE 754 leaves open: a GPU makes 0x7fffffff, a CPU keeps an operand's.
template <class T>
bool same_bits(T one, T other) {
    if constexpr (std::is_floating_point_v<T>)
        if (std::isnan(one) && std::isnan(other)) return true;
    return std::bit_cast<std::uint32_t>(one) == std::bit_cast<std::uint32_t>(other);
}

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
        if (!same_bits(result[i], reference[i])) {
            run.verified = false;
            run.mismatch = "element " + std::to_string(i) + " is " + std::to_string(result[i]) +
                           ", the reference says " + std::to_string(reference[i]);
            return;
        }
}

/// The floats whose bits a user gave.
[[nodiscard]] inline std::vector<float> floats_of(const std::vector<std::uint32_t>& bits) {
    std::vector<float> floats;
    floats.reserve(bits.size());
    for (const std::uint32_t word : bits) floats.push_back(std::bit_cast<float>(word));
    return floats;
}

}  // namespace sassafras::workloads
