// Arithmetic of a launch, for rooflines: operations by kind, and what the GPU can do of each at most.
#pragma once

#include <string_view>
#include <vector>

#include "cli/html/chart_sources.hpp"

namespace sassafras::cli {

struct Operations {
    std::string_view kind;       ///< "FP32"
    double count = 0;            ///< floating-point operations, a multiply-add as two
    double peak_per_second = 0;  ///< of the platform
};

/// Those kinds of which the launch's instructions did any, counted by instruction and active lanes: a lane whose guard
/// is false counts, as in smsp__thread_inst_executed.sum. Empty without counts of instructions.
[[nodiscard]] std::vector<Operations> operations_of(const LaunchSource& launch);

}  // namespace sassafras::cli
