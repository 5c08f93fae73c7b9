// The recorded cycles of a real GPU, a run of a workload each, without what each instruction counted.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"
#include "validate/records/used_for.hpp"

namespace sassafras::validate {

/// Sums over a run's launches of sm__cycles_elapsed.max, caches cold before each.
struct RecordedRun {
    std::string workload;
    std::string variant;  ///< may carry options: VARIANT+E=15+input=sorted (matrix.json)
    std::uint64_t n = 0;
    std::uint32_t launches = 0;
    double cycles = 0;  ///< of the launches' medians
    double least = 0;   ///< of their least repetitions
    double most = 0;    ///< and of their greatest
    UsedFor used_for = UsedFor::model;
};

/// The runs of a cycles.csv, in its order. `origin` names the text in errors, which are bad_input.
[[nodiscard]] Result<std::vector<RecordedRun>> parse_recorded_runs(std::string_view text, const std::string& origin);

/// Those that the program carries of the GPU that `platform` models; empty if there are none.
[[nodiscard]] Result<std::vector<RecordedRun>> recorded_runs(std::string_view platform);

}  // namespace sassafras::validate
