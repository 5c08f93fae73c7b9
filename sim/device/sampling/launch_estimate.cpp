#include "sim/device/sampling/launch_estimate.hpp"

#include <algorithm>
#include <cmath>

#include "core/student.hpp"

namespace sassafras::sim {

namespace {

double warp_instructions_of(const std::vector<InstructionCounts>& counts) {
    double sum = 0;
    for (const InstructionCounts& instruction : counts) sum += static_cast<double>(instruction.inst_executed);
    return sum;
}

/// Sums over `timed`, times `factor`.
TimingResult scaled(std::span<const TimingResult* const> timed, double factor,
                    const std::vector<InstructionCounts>& counts) {
    const auto sum = [&](const auto& count) {
        double total = 0;
        for (const TimingResult* one : timed) total += static_cast<double>(count(*one));
        return static_cast<std::uint64_t>(std::llround(total * factor));
    };
    TimingResult all = *timed.front();
    all.cycles.count = sum([](const TimingResult& one) { return one.cycles.count; });
    all.nanoseconds = 0;
    for (const TimingResult* one : timed) all.nanoseconds += one->nanoseconds * factor;
    for (std::size_t metric = 0; metric < counted_metrics; ++metric) {
        const MetricId id{static_cast<std::uint16_t>(metric)};
        all.events[id] = sum([&](const TimingResult& one) { return one.events[id]; });
    }
    all.subcores.active = sum([](const TimingResult& one) { return one.subcores.active; });
    all.l1_traffic = {};
    all.l2_traffic = {};
    for (const TimingResult* one : timed) {
        all.l1_traffic.add(one->l1_traffic, factor);
        all.l2_traffic.add(one->l2_traffic, factor);
    }
    for (std::size_t i = 0; i < all.stalls.size(); ++i)
        for (std::size_t reason = 0; reason < stall_count; ++reason)
            all.stalls[i][reason] = sum([&](const TimingResult& one) { return one.stalls[i][reason]; });
    all.instructions = counts;
    all.warp_instructions = all.thread_instructions = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        // Only timing models local memory.
        all.instructions[i].local_sectors =
            sum([&](const TimingResult& one) { return one.instructions[i].local_sectors; });
        all.warp_instructions += counts[i].inst_executed;
        all.thread_instructions += counts[i].thread_inst_executed;
    }
    return all;
}

double by_instructions(std::span<const TimingResult* const> timed, const std::vector<InstructionCounts>& counts) {
    double work = 0;
    for (const TimingResult* one : timed) work += warp_instructions_of(one->instructions);
    return work <= 0 ? 1.0 / static_cast<double>(timed.size()) : warp_instructions_of(counts) / work;
}

/// Of an interval in which one more value lies that is drawn as those of the metric in `sets`, two or more.
double half_of_one_more(const std::vector<MetricSet>& sets, MetricId metric, double otherwise) {
    const auto n = static_cast<double>(sets.size());
    double mean = 0;
    for (const MetricSet& set : sets) mean += set.find(metric).value_or(otherwise) / n;
    double spread = 0;
    for (const MetricSet& set : sets) spread += std::pow(set.find(metric).value_or(otherwise) - mean, 2);
    return student_t(sets.size() - 1) * std::sqrt(spread / (n - 1) * (1 + 1 / n));
}

}  // namespace

TimingResult like_others(std::span<const TimingResult* const> timed, const std::vector<InstructionCounts>& counts) {
    return scaled(timed, by_instructions(timed, counts), counts);
}

TimingResult put_launch_estimates(const TimedLaunches& timed, const std::vector<InstructionCounts>& counts,
                                  const std::function<MetricSet(const TimingResult&)>& metrics_of,
                                  KernelResult& result) {
    TimingResult all = like_others(timed.results, counts);
    result.metrics = metrics_of(all);
    std::vector<MetricSet> grown;  // of those whose spread counts
    std::vector<MetricSet> nearest;
    for (const TimingResult* const& one : timed.are_like ? timed.results : timed.kind)
        grown.push_back(metrics_of(like_others({&one, 1}, counts)));
    if (!timed.are_like)
        for (const TimingResult* const& one : timed.results) {
            nearest.push_back(metrics_of(like_others({&one, 1}, counts)));
            nearest.push_back(metrics_of(scaled({&one, 1}, 1, counts)));
        }
    Sampling sampling{.timed_blocks = 0, .timed_launches = timed.results.size(), .intervals = {}};
    for (const auto& [metric, value] : result.metrics.reported()) {
        double half = half_of_one_more(grown, metric, value);
        for (const MetricSet& set : nearest) half = std::max(half, std::abs(set.find(metric).value_or(value) - value));
        if (half != 0) sampling.intervals.push_back({metric, value - half, value + half});
    }
    result.sampling = std::move(sampling);
    return all;
}

}  // namespace sassafras::sim
