#include "cli/reports/timeline_profile.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include <fmt/format.h>

#include "cli/reports/kernel_name.hpp"

namespace sassafras::cli {

namespace {

constexpr std::uint64_t first_sm_process = 1'000'000;

double of(std::uint64_t count) { return static_cast<double>(count); }

/// `counts` empty: zeros, where a launch ends.
void add_sample(TimelineEvents& events, std::uint64_t process, double time, const sim::IntervalCounts& counts,
                const ProfileScale& scale) {
    const double cycles = std::max(1.0, of(counts.end - counts.begin));
    const double nanoseconds = cycles * scale.nanoseconds_a_cycle;
    events.counter(process, "IPC of an SM", time, {{"inst/cycle", of(counts.instructions) / cycles / scale.sms}});
    events.counter(process, "warps of an SM", time, {{"warps", of(counts.warps_active) / cycles / scale.sms}});
    events.counter(process, "DRAM", time,
                   {{"read GB/s", of(counts.dram_bytes_read) / nanoseconds},
                    {"write GB/s", of(counts.dram_bytes_write) / nanoseconds}});
    events.counter(process, "L2", time, {{"GB/s", of(counts.l2_sectors) * scale.sector_bytes / nanoseconds}});
    TimelineEvents::Json stalls = TimelineEvents::Json::object();
    for (std::size_t reason = 0; reason < sim::stall_count; ++reason)
        stalls[std::string(sim::stall_rows[reason].name)] = of(counts.stalls[reason]) / cycles / scale.sms;
    events.counter(process, "stalls, warps of an SM", time, std::move(stalls));
}

/// A name in CSV: with quotes, which names of kernels with several arguments need.
std::string quoted_name(const std::string& text) {
    std::string result = "\"";
    for (const char c : text) result += c == '"' ? "\"\"" : std::string(1, c);
    return result + "\"";
}

double platform_number(const Report& report, const char* group, const char* name) {
    return report.platform.at("resolved").at(group).at(name).at("value").get<double>();
}

}  // namespace

ProfileScale::ProfileScale(const Report& report)
    : sms(platform_number(report, "gpu", "sm_count")),
      sector_bytes(platform_number(report, "lsu", "sector_bytes")),
      nanoseconds_a_cycle(1000.0 / platform_number(report, "clock", "sm_mhz")) {}

void add_counters(TimelineEvents& events, std::uint64_t process, const sim::KernelResult& kernel, double begin,
                  const ProfileScale& scale) {
    const auto& intervals = kernel.profile.intervals;
    for (const sim::IntervalCounts& counts : intervals)
        add_sample(events, process, begin + of(counts.begin) * scale.nanoseconds_a_cycle, counts, scale);
    if (!intervals.empty())
        add_sample(events, process, begin + of(intervals.back().end) * scale.nanoseconds_a_cycle, {}, scale);
}

void add_blocks(TimelineEvents& events, const sim::KernelResult& kernel, std::size_t launch, double begin,
                double nanoseconds_a_cycle) {
    events.leave_out(kernel.profile.blocks_left_out);
    std::vector<sim::BlockTime> blocks = kernel.profile.blocks;
    std::sort(blocks.begin(), blocks.end(), [](const sim::BlockTime& a, const sim::BlockTime& b) {
        return std::pair(a.start, a.block) < std::pair(b.start, b.block);
    });
    std::map<std::uint32_t, std::vector<std::uint64_t>> ends;  // by SM: of the last block in each place
    for (const sim::BlockTime& block : blocks) {
        const auto [places, is_new] = ends.try_emplace(block.sm);
        const std::uint64_t process = first_sm_process + block.sm;
        if (is_new) events.name_process(process, fmt::format("SM {} in launch {}", block.sm, launch), process);
        auto place = std::find_if(places->second.begin(), places->second.end(),
                                  [&](std::uint64_t end) { return end <= block.start; });
        const Track track{process, static_cast<std::uint64_t>(place - places->second.begin()) + 1};
        if (place == places->second.end()) {
            events.name_thread(track, fmt::format("place {}", track.thread - 1));
            place = places->second.insert(place, 0);
        }
        *place = block.end;
        const std::uint64_t x = block.block % kernel.grid.x;
        const std::uint64_t y = block.block / kernel.grid.x % kernel.grid.y;
        const std::uint64_t z = block.block / kernel.grid.x / kernel.grid.y;
        events.span(track, "block", fmt::format("block {}", block.block), begin + of(block.start) * nanoseconds_a_cycle,
                    begin + of(block.end) * nanoseconds_a_cycle,
                    {{"launch", launch}, {"index", {x, y, z}}, {"cycles", {block.start, block.end}}});
    }
}

std::string intervals_csv(const Report& report) {
    const std::vector<sim::KernelResult>& kernels = report.kernels;
    const double sector_bytes = ProfileScale(report).sector_bytes;
    std::string text =
        "launch,kernel,begin_cycle,end_cycle,smsp__inst_executed.sum,sm__cycles_active.sum,sm__warps_active.sum,"
        "lts_bytes,dram__bytes_read.sum,dram__bytes_write.sum";
    for (const sim::StallRow& row : sim::stall_rows) text += fmt::format(",stall_{}", row.name);
    text += "\n";
    for (std::size_t launch = 0; launch < kernels.size(); ++launch) {
        for (const sim::IntervalCounts& counts : kernels[launch].profile.intervals) {
            text +=
                fmt::format("{},{},{},{},{},{},{},{:.0f},{},{}", launch, quoted_name(kernel_name(kernels[launch].name)),
                            counts.begin, counts.end, counts.instructions, counts.cycles_active, counts.warps_active,
                            of(counts.l2_sectors) * sector_bytes, counts.dram_bytes_read, counts.dram_bytes_write);
            for (const std::uint64_t cycles : counts.stalls) text += fmt::format(",{}", cycles);
            text += "\n";
        }
    }
    return text;
}

}  // namespace sassafras::cli
