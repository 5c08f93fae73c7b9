#include "sim/timing/profile_recorder.hpp"

namespace sassafras::sim {

namespace {

IntervalCounts difference(const IntervalCounts& until, const IntervalCounts& from) {
    IntervalCounts between = until;
    between.begin = from.end;
    between.instructions -= from.instructions;
    between.cycles_active -= from.cycles_active;
    between.warps_active -= from.warps_active;
    between.l2_sectors -= from.l2_sectors;
    between.dram_bytes_read -= from.dram_bytes_read;
    between.dram_bytes_write -= from.dram_bytes_write;
    for (std::size_t reason = 0; reason < stall_count; ++reason) between.stalls[reason] -= from.stalls[reason];
    return between;
}

}  // namespace

void ProfileRecorder::thin() {
    std::vector<IntervalCounts> kept;
    for (std::size_t i = 1; i < sums_.size(); i += 2) kept.push_back(sums_[i]);
    sums_ = std::move(kept);
    interval_ *= 2;
}

LaunchProfile ProfileRecorder::finish(const IntervalCounts& all) {
    profile_.interval = interval_;
    if (interval_ == 0) return std::move(profile_);
    // The last rounds may end behind what was the end of the launch.
    while (!sums_.empty() && sums_.back().end >= all.end) sums_.pop_back();
    add(all);
    IntervalCounts before;
    for (const IntervalCounts& sum : sums_) {
        profile_.intervals.push_back(difference(sum, before));
        before = sum;
    }
    return std::move(profile_);
}

IntervalCounts counted_until(std::uint64_t end, const std::vector<std::unique_ptr<Sm>>& sms,
                             const MetricCounts& events) {
    IntervalCounts counts;
    counts.end = end;
    counts.cycles_active = events["sm__cycles_active.sum"_metric];
    counts.warps_active = events["sm__warps_active.sum"_metric];
    counts.l2_sectors = events["lts__t_sectors_srcunit_tex.sum"_metric];
    counts.dram_bytes_read = events["dram__bytes_read.sum"_metric];
    counts.dram_bytes_write = events["dram__bytes_write.sum"_metric];
    for (const auto& sm : sms) {
        sm->add_resident(end, counts.cycles_active, counts.warps_active);
        for (const StallCycles& instruction : sm->stalls())
            for (std::size_t reason = 0; reason < stall_count; ++reason) counts.stalls[reason] += instruction[reason];
    }
    counts.instructions = counts.stalls[index_of(Stall::selected)];
    return counts;
}

}  // namespace sassafras::sim
