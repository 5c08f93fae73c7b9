// Simulated cycles against measured ones.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "sim/device/device.hpp"
#include "validate/records/measured.hpp"

namespace sassafras::validate {

/// sm__cycles_elapsed.max of one launch, or summed over the launches of one kernel in a run.
struct CycleComparison {
    std::string workload;
    std::string variant;
    std::uint64_t n = 0;
    std::string kernel;
    std::uint32_t first_launch = 0;
    std::uint32_t launches = 1;
    double measured = 0;  ///< sum of the launches' medians
    double least = 0;     ///< sum of the launches' least repetitions
    double most = 0;
    double simulated = 0;
    UsedFor used_for = UsedFor::model;

    /// Positive: the simulator is slower than the hardware. In percent of measured.
    [[nodiscard]] double error_percent() const { return 100 * (simulated - measured) / measured; }
};

/// Each launch by itself. Error check_failed if the launches are not the same kernels in the same order, or one has no
/// cycles.
[[nodiscard]] Result<std::vector<CycleComparison>> compare_launch_cycles(const MeasuredRun& measured,
                                                                         std::span<const sim::KernelResult> simulated);

/// Sums over the launches of each kernel of each run, in order of first launch.
[[nodiscard]] std::vector<CycleComparison> by_kernel(std::span<const CycleComparison> launches);

struct CycleErrors {
    std::size_t compared = 0;
    double mean_absolute_percent = 0;
    double greatest_absolute_percent = 0;
    std::size_t greatest = 0;  ///< index of that comparison
};

[[nodiscard]] CycleErrors summarise(std::span<const CycleComparison> comparisons);

}  // namespace sassafras::validate
