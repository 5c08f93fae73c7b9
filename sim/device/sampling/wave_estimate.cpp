#include "sim/device/sampling/wave_estimate.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "sim/device/sampling/student.hpp"

namespace sassafras::sim {

namespace {

double issued(const TimingMark& mark) {
    return static_cast<double>(mark.stalls[static_cast<std::size_t>(Stall::selected)]);
}

/// By how much a count grows with so many more instructions. Work is measured in instructions that were issued: when so
/// many blocks have ended, those that run may have come far, or have just begun.
template <class Count>
std::uint64_t growth(const TimingResult& timed, std::uint64_t measured, std::uint64_t without, double instructions,
                     const Count& count) {
    double grown = 0;
    double work = 0;
    for (std::uint64_t wave = 0; wave < measured; ++wave) {
        if (wave == without) continue;
        const TimingMark& from = timed.marks[2 * wave];
        const TimingMark& to = timed.marks[2 * wave + 1];
        grown += static_cast<double>(count(to)) - static_cast<double>(count(from));
        work += issued(to) - issued(from);
    }
    return work <= 0 ? 0 : static_cast<std::uint64_t>(std::llround(std::max(0.0, grown) / work * instructions));
}

std::uint64_t executed(const std::vector<InstructionCounts>& counts) {
    std::uint64_t sum = 0;
    for (const InstructionCounts& instruction : counts) sum += instruction.inst_executed;
    return sum;
}

/// For how long at the end of a launch some SMs have nothing more to do, in the mean over SMs. Which blocks come last,
/// and when SMs run out of them, is another matter in the whole launch: it may end sooner or later by about as much.
double end_of(const TimingResult& timed, std::uint64_t sms) {
    const auto active = static_cast<double>(timed.events["sm__cycles_active.sum"_metric]) / static_cast<double>(sms);
    return std::max(0.0, static_cast<double>(timed.cycles.count) - active);
}

TimingResult moved(TimingResult timing, double cycles) {
    const auto before = static_cast<double>(timing.cycles.count);
    const double after = std::max(1.0, before + cycles);
    timing.cycles.count = static_cast<std::uint64_t>(std::llround(after));
    timing.nanoseconds *= after / before;
    return timing;
}

}  // namespace

TimingResult estimate_launch(const TimingResult& timed, const WavePlan& plan,
                             const std::vector<InstructionCounts>& counts, std::uint64_t sms, std::uint64_t without) {
    const auto more_instructions = static_cast<double>(executed(counts) - timed.warp_instructions);
    const auto grown = [&](const auto& count) {
        return growth(timed, plan.windows, without, more_instructions, count);
    };
    TimingResult all = timed;
    all.marks.clear();
    const std::uint64_t more_cycles = grown([](const TimingMark& mark) { return mark.cycles.count; });
    all.cycles.count += more_cycles;
    all.nanoseconds =
        timed.nanoseconds * static_cast<double>(all.cycles.count) / static_cast<double>(timed.cycles.count);
    for (std::size_t metric = 0; metric < metric_count; ++metric) {
        const MetricId id{static_cast<std::uint8_t>(metric)};
        all.events[id] += grown([&](const TimingMark& mark) { return mark.events[id]; });
    }
    // An SM counts them when it has nothing more to do.
    all.events["sm__cycles_active.sum"_metric] = timed.events["sm__cycles_active.sum"_metric] + more_cycles * sms;
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
    return all;
}

TimingResult put_estimates(const TimingResult& timed, const WavePlan& plan,
                           const std::vector<InstructionCounts>& counts, std::uint64_t sms,
                           const std::function<MetricSet(const TimingResult&)>& metrics_of, KernelResult& result) {
    const std::uint64_t n = plan.windows;
    TimingResult all = estimate_launch(timed, plan, counts, sms, n);
    result.metrics = metrics_of(all);
    std::vector<MetricSet> without;
    for (std::uint64_t wave = 0; wave < n; ++wave)
        without.push_back(metrics_of(estimate_launch(timed, plan, counts, sms, wave)));
    const std::array ends{metrics_of(moved(all, -end_of(timed, sms))), metrics_of(moved(all, end_of(timed, sms)))};
    Sampling sampling{.timed_blocks = plan.timed_blocks, .intervals = {}};
    for (const auto& [metric, value] : result.metrics.reported()) {
        double mean = 0;
        for (const MetricSet& set : without) mean += set.find(metric).value_or(value) / static_cast<double>(n);
        double spread = 0;
        for (const MetricSet& set : without) spread += std::pow(set.find(metric).value_or(value) - mean, 2);
        const double error = std::sqrt(spread * static_cast<double>(n - 1) / static_cast<double>(n));
        const double by_end = (ends[1].find(metric).value_or(value) - ends[0].find(metric).value_or(value)) / 2;
        const double half = std::hypot(student_t(n - 1) * error, by_end);
        if (half == 0) continue;
        sampling.intervals.push_back({metric, value - half, value + half});
    }
    result.sampling = std::move(sampling);
    return all;
}

}  // namespace sassafras::sim
