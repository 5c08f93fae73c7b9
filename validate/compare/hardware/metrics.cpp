#include "validate/compare/hardware/metrics.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "core/demangle.hpp"
#include "validate/compare/hardware/launches.hpp"

namespace sassafras::validate {

namespace {

std::string where_is(const MeasuredRun& run, std::size_t launch) {
    return fmt::format("{} {} n={}, launch {}, {}", run.workload, run.variant, run.n, launch,
                       demangled(run.launches[launch].kernel));
}

/// Cycles have a comparison of their own (cycles.hpp), and stall reasons are compared as shares.
bool is_compared_here(sim::MetricId metric) {
    constexpr std::array elsewhere{"sm__cycles_elapsed.max"_metric, "gpu__time_duration.sum"_metric};
    return std::find(elsewhere.begin(), elsewhere.end(), metric) == elsewhere.end() && !sim::is_stall_ratio(metric);
}

MetricComparison& comparison_of(std::vector<MetricComparison>& comparisons, sim::MetricId metric) {
    const auto place = std::find_if(comparisons.begin(), comparisons.end(),
                                    [&](const MetricComparison& other) { return other.metric >= metric; });
    if (place != comparisons.end() && place->metric == metric) return *place;
    return *comparisons.insert(place, {metric, {}});
}

sim::MetricId ratio_of(std::size_t reason) { return sim::stall_ratio(static_cast<sim::Stall>(reason)); }

}  // namespace

double MetricPair::error_percent() const {
    if (measured == 0) return simulated == 0 ? 0 : 100;
    return 100 * (simulated - measured) / measured;
}

Result<void> add_metrics(std::vector<MetricComparison>& comparisons, const MeasuredRun& measured,
                         std::span<const sim::KernelResult> simulated) {
    if (auto same = check_launches(measured, simulated); !same) return same.error();
    for (std::size_t i = 0; i < simulated.size(); ++i)
        for (const auto& [metric, value] : simulated[i].metrics.reported()) {
            const auto recorded = measured.launches[i].metrics.find(metric);
            if (!recorded || !is_compared_here(metric)) continue;
            comparison_of(comparisons, metric).launches.push_back({where_is(measured, i), *recorded, value});
        }
    return {};
}

double within_tolerance_percent(std::span<const MetricComparison> comparisons) {
    std::size_t values = 0;
    std::size_t within = 0;
    for (const MetricComparison& metric : comparisons)
        for (const MetricPair& pair : metric.launches) {
            ++values;
            within += std::abs(pair.error_percent()) <= metric_tolerance_percent ? 1U : 0U;
        }
    return values == 0 ? 0 : 100 * static_cast<double>(within) / static_cast<double>(values);
}

double StallShares::moved_percent() const {
    double apart = 0;
    for (const StallShare& share : reasons) apart += std::abs(share.simulated - share.measured);
    return apart / 2;  // what one reason has too much, others lack
}

Result<std::vector<StallShares>> compare_stalls(const MeasuredRun& measured,
                                                std::span<const sim::KernelResult> simulated) {
    if (auto same = check_launches(measured, simulated); !same) return same.error();
    std::vector<StallShares> launches;
    for (std::size_t i = 0; i < simulated.size(); ++i) {
        const MeasuredLaunch& launch = measured.launches[i];
        StallShares shares{where_is(measured, i), {}};
        double all_measured = launch.unmodelled_stalls;
        double all_simulated = 0;
        for (std::size_t reason = 0; reason < sim::stall_count; ++reason) {
            const auto recorded = launch.metrics.find(ratio_of(reason));
            const double modelled = simulated[i].metric(ratio_of(reason));
            shares.reasons.push_back({std::string(sim::stall_rows[reason].name), recorded.value_or(0), modelled});
            all_measured += shares.reasons.back().measured;
            all_simulated += modelled;
        }
        if (!(all_measured > 0) || !(all_simulated > 0)) continue;
        shares.reasons.push_back({"(others)", launch.unmodelled_stalls, 0});
        for (StallShare& share : shares.reasons) {
            share.measured *= 100 / all_measured;
            share.simulated *= 100 / all_simulated;
        }
        launches.push_back(std::move(shares));
    }
    return launches;
}

}  // namespace sassafras::validate
