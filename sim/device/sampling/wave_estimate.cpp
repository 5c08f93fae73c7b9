#include "sim/device/sampling/wave_estimate.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/student.hpp"

namespace sassafras::sim {

namespace {

/// What windows do not show, as a share of a metric: caches that blocks left which were not timed are not quite those
/// of the whole launch. Runs whose windows agreed to less than this were 0.1 to 0.8 % off (scripts/sampling-table).
constexpr double otherwise = 0.005;

double issued(const TimingMark& mark) {
    return static_cast<double>(mark.stalls[static_cast<std::size_t>(Stall::selected)]);
}

/// For each window, how many of the instructions that were not timed were as its own: half of those before it and half
/// of those behind it, up to the next window that is not left out; all at both ends of the launch.
std::vector<double> shares(const UntimedInstructions& untimed, std::size_t windows, std::size_t without) {
    std::vector<std::size_t> used;
    for (std::size_t window = 0; window < windows; ++window)
        if (window != without) used.push_back(window);
    std::vector<double> share(windows, 0.0);
    for (std::size_t gap = 0; gap < untimed.size(); ++gap) {
        const auto behind = std::lower_bound(used.begin(), used.end(), gap);
        const std::size_t right = behind == used.end() ? used.back() : *behind;
        const std::size_t left = behind == used.begin() ? used.front() : *(behind - 1);
        share[left] += static_cast<double>(untimed[gap]) / 2;
        share[right] += static_cast<double>(untimed[gap]) / 2;
    }
    return share;
}

/// By how much a count grows with the instructions that were not timed. Work is measured in instructions that were
/// issued: when so many blocks have ended, those that run may have come far, or have just begun.
template <class Count>
std::uint64_t growth(const TimingResult& timed, const std::vector<double>& share, const Count& count) {
    double more = 0;
    for (std::size_t window = 0; window < share.size(); ++window) {
        const TimingMark& from = timed.marks[2 * window];
        const TimingMark& to = timed.marks[2 * window + 1];
        const double work = issued(to) - issued(from);
        const double grown = static_cast<double>(count(to)) - static_cast<double>(count(from));
        if (work > 0) more += std::max(0.0, grown) / work * share[window];
    }
    return static_cast<std::uint64_t>(std::llround(more));
}

/// For how long at the end of a launch some SMs have nothing more to do, in the mean over SMs. Which blocks come last,
/// and when SMs run out of them, is another matter in the whole launch: it may end sooner or later by about as much.
double end_of(const TimingResult& timed, std::uint64_t sms) {
    const auto active = static_cast<double>(timed.events["sm__cycles_active.sum"_metric]) / static_cast<double>(sms);
    return std::max(0.0, static_cast<double>(timed.cycles.count) - active);
}

double grown_by(MetricId id, const TimingResult& timed, const TimingResult& all) {
    const std::uint64_t before = timed.events[id];
    return before == 0 ? 1 : static_cast<double>(all.events[id]) / static_cast<double>(before);
}

TimingResult moved(TimingResult timing, double cycles) {
    const auto before = static_cast<double>(timing.cycles.count);
    const double after = std::max(1.0, before + cycles);
    timing.cycles.count = static_cast<std::uint64_t>(std::llround(after));
    timing.nanoseconds *= after / before;
    return timing;
}

}  // namespace

TimingResult estimate_launch(const TimingResult& timed, const UntimedInstructions& untimed,
                             const std::vector<InstructionCounts>& counts, std::uint64_t sms, std::size_t without) {
    const std::vector<double> share = shares(untimed, timed.marks.size() / 2, without);
    const auto grown = [&](const auto& count) { return growth(timed, share, count); };
    TimingResult all = timed;
    all.marks.clear();
    const std::uint64_t more_cycles = grown([](const TimingMark& mark) { return mark.cycles.count; });
    all.cycles.count += more_cycles;
    all.nanoseconds =
        timed.nanoseconds * static_cast<double>(all.cycles.count) / static_cast<double>(timed.cycles.count);
    for (std::size_t metric = 0; metric < counted_metrics; ++metric) {
        const MetricId id{static_cast<std::uint16_t>(metric)};
        all.events[id] += grown([&](const TimingMark& mark) { return mark.events[id]; });
    }
    // An SM counts them when it has nothing more to do.
    all.events["sm__cycles_active.sum"_metric] = timed.events["sm__cycles_active.sum"_metric] + more_cycles * sms;
    all.subcores.active = static_cast<std::uint64_t>(std::llround(
        static_cast<double>(timed.subcores.active) * grown_by("sm__cycles_active.sum"_metric, timed, all)));
    all.l2_traffic = {};
    all.l2_traffic.add(timed.l2_traffic, grown_by("lts__t_sectors_srcunit_tex.sum"_metric, timed, all));
    for (std::size_t reason = 0; reason < stall_count; ++reason) {
        std::uint64_t before = 0;
        for (const StallCycles& instruction : timed.stalls) before += instruction[reason];
        if (before == 0) continue;
        const std::uint64_t more = grown([&](const TimingMark& mark) { return mark.stalls[reason]; });
        const double factor = 1 + static_cast<double>(more) / static_cast<double>(before);
        for (StallCycles& instruction : all.stalls)
            instruction[reason] =
                static_cast<std::uint64_t>(std::llround(static_cast<double>(instruction[reason]) * factor));
    }
    all.instructions = counts;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        // Replays are of accesses, which are known, but for local memory, which only timing counts.
        all.instructions[i].local_sectors = timed.instructions[i].local_sectors;
        if (timed.instructions[i].inst_executed != 0)
            all.instructions[i].local_sectors =
                static_cast<std::uint64_t>(std::llround(static_cast<double>(timed.instructions[i].local_sectors) *
                                                        static_cast<double>(counts[i].inst_executed) /
                                                        static_cast<double>(timed.instructions[i].inst_executed)));
    }
    all.warp_instructions = all.thread_instructions = 0;
    for (const InstructionCounts& instruction : counts) {
        all.warp_instructions += instruction.inst_executed;
        all.thread_instructions += instruction.thread_inst_executed;
    }
    all.l1_traffic = {};
    if (timed.warp_instructions != 0)
        all.l1_traffic.add(timed.l1_traffic,
                           static_cast<double>(all.warp_instructions) / static_cast<double>(timed.warp_instructions));
    return all;
}

TimingResult put_estimates(const TimingResult& timed, const UntimedInstructions& untimed,
                           const std::vector<InstructionCounts>& counts, std::uint64_t sms,
                           const std::function<MetricSet(const TimingResult&)>& metrics_of, KernelResult& result) {
    const std::size_t n = timed.marks.size() / 2;
    TimingResult all = estimate_launch(timed, untimed, counts, sms, n);
    result.metrics = metrics_of(all);
    std::vector<MetricSet> without;
    for (std::size_t window = 0; window < n; ++window)
        without.push_back(metrics_of(estimate_launch(timed, untimed, counts, sms, window)));
    const std::array ends{metrics_of(moved(all, -end_of(timed, sms))), metrics_of(moved(all, end_of(timed, sms)))};
    Sampling sampling{.timed_blocks = timed.timed_blocks, .intervals = {}};
    for (const auto& [metric, value] : result.metrics.reported()) {
        double mean = 0;
        for (const MetricSet& set : without) mean += set.find(metric).value_or(value) / static_cast<double>(n);
        double spread = 0;
        for (const MetricSet& set : without) spread += std::pow(set.find(metric).value_or(value) - mean, 2);
        const double error = std::sqrt(spread * static_cast<double>(n - 1) / static_cast<double>(n));
        const double by_end = (ends[1].find(metric).value_or(value) - ends[0].find(metric).value_or(value)) / 2;
        const double known = std::hypot(student_t(n - 1) * error, by_end);
        if (known == 0) continue;
        const double half = std::hypot(known, otherwise * value);
        sampling.intervals.push_back({metric, value - half, value + half});
    }
    result.sampling = std::move(sampling);
    return all;
}

}  // namespace sassafras::sim
