#include "validate/compare/hardware/cycles.hpp"

#include <algorithm>
#include <cmath>

#include "core/demangle.hpp"
#include "validate/compare/hardware/launches.hpp"

namespace sassafras::validate {

Result<std::vector<CycleComparison>> compare_launch_cycles(const MeasuredRun& measured,
                                                           std::span<const sim::KernelResult> simulated) {
    if (auto same = check_launches(measured, simulated); !same) return same.error();
    std::vector<CycleComparison> comparisons;
    for (std::size_t i = 0; i < simulated.size(); ++i) {
        const MeasuredLaunch& launch = measured.launches[i];
        const std::string where = measured.workload + " " + measured.variant + ", launch " + std::to_string(i) + ", " +
                                  demangled(launch.kernel);
        const double cycles = simulated[i].metric("sm__cycles_elapsed.max"_metric);
        if (!(cycles > 0))
            return Error{ErrorKind::check_failed, "the device gives no sm__cycles_elapsed.max", where,
                         "compare cycles on the simulated device"};
        if (!(launch.cycles_median > 0))
            return Error{ErrorKind::bad_input, "the hardware record has no cycles", where, "record it again"};
        CycleComparison comparison{measured.workload,
                                   measured.variant,
                                   measured.n,
                                   launch.kernel,
                                   static_cast<std::uint32_t>(i),
                                   1,
                                   launch.cycles_median,
                                   launch.cycles_median,
                                   launch.cycles_median,
                                   cycles,
                                   measured.used_for};
        for (const double repetition : launch.cycles) {
            comparison.least = std::min(comparison.least, repetition);
            comparison.most = std::max(comparison.most, repetition);
        }
        comparisons.push_back(comparison);
    }
    return comparisons;
}

std::vector<CycleComparison> by_kernel(std::span<const CycleComparison> launches) {
    std::vector<CycleComparison> kernels;
    for (const CycleComparison& launch : launches) {
        const auto found = std::find_if(kernels.begin(), kernels.end(), [&](const CycleComparison& kernel) {
            return kernel.workload == launch.workload && kernel.variant == launch.variant && kernel.n == launch.n &&
                   kernel.kernel == launch.kernel;
        });
        if (found == kernels.end()) {
            kernels.push_back(launch);
            continue;
        }
        found->launches += launch.launches;
        found->measured += launch.measured;
        found->least += launch.least;
        found->most += launch.most;
        found->simulated += launch.simulated;
    }
    return kernels;
}

CycleErrors summarise(std::span<const CycleComparison> comparisons) {
    CycleErrors errors;
    errors.compared = comparisons.size();
    for (std::size_t i = 0; i < comparisons.size(); ++i) {
        const double absolute = std::abs(comparisons[i].error_percent());
        errors.mean_absolute_percent += absolute / static_cast<double>(comparisons.size());
        if (i == 0 || absolute > errors.greatest_absolute_percent) {
            errors.greatest_absolute_percent = absolute;
            errors.greatest = i;
        }
    }
    return errors;
}

}  // namespace sassafras::validate
