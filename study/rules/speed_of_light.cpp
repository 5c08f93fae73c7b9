#include "study/rules/speed_of_light.hpp"

#include <cmath>

#include <fmt/format.h>

namespace sassafras::study {

namespace {

// As Nsight Compute's rule SOLBottleneck has them: below is low, and so near one another is balanced.
constexpr double low_percent = 60;
constexpr double balanced_percent = 10;
constexpr double high_percent = 80;

std::string_view level_of(const sim::KernelResult& result, double memory) {
    constexpr double rounding = 1e-9;
    const auto reaches = [&](sim::MetricId id) { return result.metric(id) >= memory - rounding; };
    if (reaches("gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"_metric)) return "DRAM";
    if (!reaches("l1tex__throughput.avg.pct_of_peak_sustained_elapsed"_metric)) return "L2";
    const double shared =
        result.metric("l1tex__data_pipe_lsu_wavefronts_mem_shared.avg.pct_of_peak_sustained_elapsed"_metric);
    return shared > memory / 2 ? "shared memory" : "L1";
}

std::string in_brackets(std::string_view what) { return what.empty() ? "" : fmt::format(" ({})", what); }

std::string both(const SpeedOfLight& shares, std::string_view unit = {}) {
    return fmt::format("compute at {:.0f} %{} and memory at {:.0f} %{} of their peaks", shares.compute,
                       in_brackets(unit), shares.memory, in_brackets(shares.memory < 1 ? "" : shares.level));
}

}  // namespace

std::optional<SpeedOfLight> speed_of_light(const sim::KernelResult& result) {
    const auto compute = result.metrics.find("sm__throughput.avg.pct_of_peak_sustained_elapsed"_metric);
    const auto memory = result.metrics.find("gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed"_metric);
    if (!compute || !memory) return std::nullopt;
    return SpeedOfLight{*compute, *memory, level_of(result, *memory)};
}

Verdict verdict_of(const SpeedOfLight& shares, const Verdict& by_units) {
    if (shares.greater() < low_percent) {
        if (by_units.bound != Bound::latency && by_units.bound != Bound::unknown) return by_units;
        return {Bound::latency, "", shares.greater(), both(shares)};
    }
    if (!shares.is_of_memory()) {
        const std::string unit = by_units.bound == Bound::instructions ? by_units.unit : std::string();
        return {Bound::instructions, unit, shares.compute, both(shares, unit)};
    }
    const Bound bound = shares.level == "shared memory" ? Bound::shared_memory : Bound::memory;
    return {
        bound, std::string(shares.level), shares.memory,
        fmt::format("{} at {:.0f} % of its peak, compute at {:.0f} %", shares.level, shares.memory, shares.compute)};
}

std::string advice_of(const SpeedOfLight& shares) {
    if (shares.greater() < low_percent)
        return fmt::format("Both are low: {}. Below {:.0f} %, warps mostly wait; Warp State Statistics says for what.",
                           both(shares), low_percent);
    const std::string_view also =
        shares.greater() >= high_percent ? " Little is left to win unless it has less to do there." : "";
    if (std::abs(shares.memory - shares.compute) < balanced_percent)
        return fmt::format("Compute and memory are well-balanced: {}. To take less time, both need less to do.{}",
                           both(shares), also);
    if (shares.is_of_memory())
        return fmt::format(
            "Memory is more heavily utilized than compute: {} at {:.0f} % of its peak, compute at "
            "{:.0f} %. Memory Workload Analysis says what moves.{}",
            shares.level, shares.memory, shares.compute, also);
    return fmt::format(
        "Compute is more heavily utilized than memory: {}. Compute Workload Analysis says which pipe "
        "is busy.{}",
        both(shares), also);
}

}  // namespace sassafras::study
