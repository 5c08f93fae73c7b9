#include "cli/reports/timeline_file.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "cli/reports/kernel_name.hpp"
#include "cli/reports/timeline_events.hpp"
#include "cli/reports/timeline_profile.hpp"
#include "cli/reports/timeline_ranges.hpp"

namespace sassafras::cli {

namespace {

using cudart::TimelineEntry;
using EventJson = TimelineEvents::Json;

constexpr std::uint64_t processes_apart = 2;  ///< of a process of the program: its GPU, then its host
std::uint64_t gpu_of(std::size_t process) { return 1 + processes_apart * process; }
std::uint64_t host_of(std::size_t process) { return 2 + processes_apart * process; }
constexpr std::uint64_t calls_track = 1;
constexpr std::uint64_t first_thread_track = 2;
constexpr std::uint64_t process_ranges_track = 1'000'000;
constexpr std::uint64_t ranges_on_gpu_track = 1'000'000;

class TimelineWriter {
  public:
    TimelineWriter(const Report& report, std::uint64_t most) : report_(report), scale_(report), events_(most) {}

    void add_all(const std::vector<TimelineEntry>& timeline) {
        for (const TimelineEntry& entry : timeline) {
            see_process(entry.process);
            ranges_[entry.process].add(entry);
            ends_[entry.process] = std::max(ends_[entry.process], entry.end);
            if (entry.is_work())
                add_work(entry);
            else if (entry.is_of_host())
                add_host(entry);
            else if (entry.kind == TimelineEntry::Kind::mark)
                events_.moment(thread_track(entry.process, entry.thread), "nvtx", entry.name, entry.begin,
                               domain_of(entry.track));
        }
        for (auto& [process, ranges] : ranges_)
            for (const NvtxRange& range : ranges.finish(ends_[process])) add_range(process, range);
        for (const TimelineEntry& entry : timeline)
            if (entry.kind == TimelineEntry::Kind::kernel)
                add_counters(events_, gpu_of(entry.process), report_.kernels[entry.number], entry.begin, scale_);
        for (const TimelineEntry& entry : timeline)
            if (entry.kind == TimelineEntry::Kind::kernel)
                add_blocks(events_, report_.kernels[entry.number], entry.number, entry.begin,
                           scale_.nanoseconds_a_cycle);
    }

    [[nodiscard]] TimelineFile finish() {
        EventJson other{{"sassafras", version()},
                        {"device", report_.device},
                        {"command", report_.command},
                        {"clock", "simulated nanoseconds of each process; the host's own work takes none"},
                        {"events", events_.events()},
                        {"events_left_out", events_.left_out()}};
        std::string text = "{\"displayTimeUnit\":\"ns\",\n\"otherData\":" + json_line(other) +
                           ",\n\"traceEvents\":[\n" + events_.lines() + "\n]}\n";
        return {std::move(text), events_.events(), events_.left_out()};
    }

  private:
    void see_process(std::size_t process) {
        if (!processes_.insert(process).second) return;
        events_.name_process(gpu_of(process), "GPU" + of_process(process), gpu_of(process));
    }

    static std::string of_process(std::size_t process) {
        return process == 0 ? "" : fmt::format(" of process {}", process);
    }

    Track host_track(std::size_t process, std::uint64_t thread, const std::string& name) {
        const Track track{host_of(process), thread};
        if (with_host_.insert(process).second)
            events_.name_process(track.process, "host" + of_process(process), track.process);
        name_once(track, name);
        return track;
    }

    Track stream_track(const TimelineEntry& entry) {
        auto& streams = streams_[entry.process];
        const auto [place, is_new] = streams.try_emplace(entry.track, streams.size() + 1);
        const Track track{gpu_of(entry.process), place->second};
        if (is_new) events_.name_thread(track, entry.track);
        return track;
    }

    Track thread_track(std::size_t process, std::uint64_t thread) {
        return host_track(process, first_thread_track + thread, fmt::format("NVTX, thread {}", thread));
    }

    void name_once(Track track, const std::string& name) {
        if (named_.insert({track.process, track.thread}).second) events_.name_thread(track, name);
    }

    static EventJson domain_of(const std::string& domain) {
        return domain.empty() ? EventJson::object() : EventJson{{"domain", domain}};
    }

    void add_work(const TimelineEntry& entry) {
        const Track track = stream_track(entry);
        const auto span = [&](const char* category, const std::string& name, EventJson arguments) {
            events_.span(track, category, name, entry.begin, entry.end, std::move(arguments));
        };
        const auto bytes = [&] {
            const double length = entry.end - entry.begin;
            EventJson arguments{{"bytes", entry.number}};
            if (length > 0) arguments["gb_per_s"] = static_cast<double>(entry.number) / length;
            return arguments;
        };
        if (entry.kind == TimelineEntry::Kind::copy) return span("copy", "memcpy " + entry.name, bytes());
        if (entry.kind == TimelineEntry::Kind::set) return span("set", "memset " + entry.name, bytes());
        if (entry.kind == TimelineEntry::Kind::event)
            return span("event", fmt::format("event {}", entry.number), EventJson::object());
        const sim::KernelResult& kernel = report_.kernels[entry.number];
        span("kernel", kernel_name(kernel.name),
             {{"launch", entry.number},
              {"grid", {kernel.grid.x, kernel.grid.y, kernel.grid.z}},
              {"block", {kernel.block.x, kernel.block.y, kernel.block.z}},
              {"registers_per_thread", kernel.registers_per_thread},
              {"shared_bytes", kernel.static_shared.count + kernel.dynamic_shared.count},
              {"cycles", kernel.metric("sm__cycles_elapsed.max"_metric)}});
    }

    void add_host(const TimelineEntry& entry) {
        const Track track = host_track(entry.process, calls_track, "CUDA calls");
        const char* const what = entry.kind == TimelineEntry::Kind::host_waits    ? "waits"
                                 : entry.kind == TimelineEntry::Kind::host_copies ? "copies"
                                                                                  : "asks";
        events_.span(track, "host", what, entry.begin, entry.end, EventJson::object());
    }

    void add_range(std::size_t process, const NvtxRange& range) {
        EventJson arguments = domain_of(range.domain);
        if (!range.ended) arguments["unfinished"] = true;
        if (range.thread) {
            events_.span(thread_track(process, *range.thread), "nvtx", range.message, range.begin, range.end,
                         arguments);
        } else {
            const Track track = host_track(process, process_ranges_track, "NVTX, ranges of the process");
            events_.free_span(track, "nvtx", range.message, range.begin, range.end, arguments);
        }
        if (range.work.pieces == 0) return;
        const Track track{gpu_of(process), ranges_on_gpu_track};
        name_once(track, "NVTX, work asked for within");
        arguments["pieces"] = range.work.pieces;
        events_.free_span(track, "nvtx-gpu", range.message, range.work.begin, range.work.end, arguments);
    }

    const Report& report_;
    ProfileScale scale_;
    TimelineEvents events_;
    std::set<std::size_t> processes_;
    std::set<std::size_t> with_host_;                                      ///< of these
    std::map<std::size_t, std::map<std::string, std::uint64_t>> streams_;  ///< by process: name -> track
    std::set<std::pair<std::uint64_t, std::uint64_t>> named_;              ///< tracks
    std::map<std::size_t, NvtxRanges> ranges_;                             ///< by process
    std::map<std::size_t, double> ends_;                                   ///< the same
};

}  // namespace

TimelineFile timeline_file(const Report& report, const std::vector<TimelineEntry>& timeline,
                           std::uint64_t most_events) {
    TimelineWriter writer(report, most_events);
    writer.add_all(timeline);
    return writer.finish();
}

std::vector<TimelineEntry> timeline_of(std::span<const sim::KernelResult> kernels) {
    std::vector<TimelineEntry> timeline;
    double now = 0;
    for (const sim::KernelResult& kernel : kernels) {
        TimelineEntry entry;
        entry.track = "launches";
        entry.begin = now;
        now += kernel.metric("gpu__time_duration.sum"_metric);
        entry.end = now;
        entry.number = timeline.size();
        timeline.push_back(std::move(entry));
    }
    return timeline;
}

}  // namespace sassafras::cli
