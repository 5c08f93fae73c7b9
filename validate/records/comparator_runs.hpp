// What sorts that are no workload took on modelled GPUs, and ours beside them (validate/records/comparators).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"

namespace sassafras::validate {

/// A sort of random 32-bit keys.
struct ComparatorRun {
    std::string platform;
    std::string sort;  ///< "radix-500", "samplesort", "mgpu-E15-b128", ...; the folder's README says what they are
    std::uint64_t n = 0;
    double cycles = 0;  ///< sum over launches of sm__cycles_elapsed.max, caches cold before each
};

/// The rows of a simulated.csv, in its order. `origin` names the text in errors, which are bad_input: cells that are
/// no numbers, a sort that took no cycles, one that is there twice.
[[nodiscard]] Result<std::vector<ComparatorRun>> parse_comparator_runs(std::string_view text,
                                                                       const std::string& origin);

/// Those that the program carries.
[[nodiscard]] Result<std::vector<ComparatorRun>> comparator_runs();

}  // namespace sassafras::validate
