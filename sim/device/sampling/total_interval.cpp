#include "sim/device/sampling/total_interval.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <tuple>

namespace sassafras::sim {

namespace {

/// Launches of a kind that others say the time of.
struct Judged {
    double launches = 0;
    double variances = 0;  ///< of single ones, in units of a half interval squared
    double timed = 0;      ///< the least number that one was judged by
};

}  // namespace

std::optional<double> half_of_total_interval(std::span<const KernelResult> launches, MetricId metric) {
    bool any = false;
    double variance = 0;
    std::map<std::tuple<std::string, Dim3, Dim3, std::uint64_t>, Judged> judged;
    for (const KernelResult& launch : launches) {
        if (!launch.sampling) continue;
        any = true;
        double half = 0;
        for (const auto& [of, low, high] : launch.sampling->intervals)
            if (of == metric) half = std::max(launch.metric(metric) - low, high - launch.metric(metric));
        if (launch.sampling->timed_launches == 0) {
            variance += half * half;
            continue;
        }
        Judged& kind = judged[{launch.name, launch.grid, launch.block, launch.dynamic_shared.count}];
        const auto timed = static_cast<double>(launch.sampling->timed_launches);
        kind.timed = kind.launches == 0 ? timed : std::min(kind.timed, timed);
        kind.launches += 1;
        kind.variances += half * half / (1 + 1 / timed);
    }
    if (!any) return std::nullopt;
    for (const auto& [key, kind] : judged) variance += kind.variances * (1 + kind.launches / kind.timed);
    return std::sqrt(variance);
}

}  // namespace sassafras::sim
