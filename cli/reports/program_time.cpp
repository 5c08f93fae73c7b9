#include "cli/reports/program_time.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace sassafras::cli {

namespace {

using cudart::TimelineEntry;
using TimeJson = nlohmann::ordered_json;

constexpr std::array<const char*, 4> part_names{"kernels", "copies", "sets", "events"};

/// Where work of a part begins (+1) or ends (-1).
struct Edge {
    double time = 0;
    std::size_t part = 0;
    int change = 0;
};

/// Gives each moment to the first part of which something runs.
void divide(std::vector<Edge> edges, ProgramTime& time) {
    std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) { return a.time < b.time; });
    std::array<std::int64_t, part_names.size()> running{};
    double before = 0;
    for (const Edge& edge : edges) {
        const auto first = std::find_if(running.begin(), running.end(), [](std::int64_t count) { return count != 0; });
        double& part =
            first == running.end() ? time.idle : time.parts[static_cast<std::size_t>(first - running.begin())].alone;
        part += edge.time - before;
        before = edge.time;
        running[edge.part] += edge.change;
    }
    time.total = before;
}

TimeJson parts_json(const ProgramTime& time) {
    TimeJson json{{"total_ns", time.total}};
    for (std::size_t i = 0; i < part_names.size(); ++i)
        json[part_names[i]] = {
            {"count", time.parts[i].count}, {"alone_ns", time.parts[i].alone}, {"together_ns", time.parts[i].together}};
    json["idle_ns"] = time.idle;
    json["host"] = {{"waits_ns", time.host_waits}, {"copies_ns", time.host_copies}, {"asks_ns", time.host_asks}};
    return json;
}

}  // namespace

void ProgramTime::add(const ProgramTime& other) {
    for (std::size_t i = 0; i < parts.size(); ++i) {
        parts[i].alone += other.parts[i].alone;
        parts[i].together += other.parts[i].together;
        parts[i].count += other.parts[i].count;
    }
    idle += other.idle;
    total += other.total;
    host_waits += other.host_waits;
    host_copies += other.host_copies;
    host_asks += other.host_asks;
}

std::vector<ProgramTime> program_times(const std::vector<TimelineEntry>& timeline) {
    std::vector<ProgramTime> times;
    std::vector<std::vector<Edge>> edges;
    for (const TimelineEntry& entry : timeline) {
        if (entry.process >= times.size()) {
            times.resize(entry.process + 1);
            edges.resize(entry.process + 1);
        }
        ProgramTime& time = times[entry.process];
        const double length = entry.end - entry.begin;
        if (entry.is_work()) {
            const auto part = static_cast<std::size_t>(entry.kind);
            time.parts[part].together += length;
            time.parts[part].count += entry.count;
            edges[entry.process].push_back({entry.begin, part, 1});
            edges[entry.process].push_back({entry.end, part, -1});
        }
        if (entry.kind == TimelineEntry::Kind::host_waits) time.host_waits += length;
        if (entry.kind == TimelineEntry::Kind::host_copies) time.host_copies += length;
        if (entry.kind == TimelineEntry::Kind::host_asks) time.host_asks += length;
    }
    for (std::size_t i = 0; i < times.size(); ++i) divide(std::move(edges[i]), times[i]);
    return times;
}

ProgramTime sum_of(const std::vector<ProgramTime>& times) {
    ProgramTime sum;
    for (const ProgramTime& time : times) sum.add(time);
    return sum;
}

std::string to_table(const std::vector<ProgramTime>& times) {
    const ProgramTime time = sum_of(times);
    if (time.total <= 0) return {};
    constexpr double microsecond = 1000;
    const auto row = [&](const std::string& name, double alone) {
        return fmt::format("  {:<9}{:>14.3f}{:>8.1f} %", name, alone / microsecond, 100 * alone / time.total);
    };
    std::string text = fmt::format("\n  {:<9}{:>14}{:>10}{:>10}{:>14}\n", "Time", "us", "", "number", "us together");
    for (std::size_t i = 0; i < part_names.size(); ++i)
        text += row(part_names[i], time.parts[i].alone) +
                fmt::format("{:>10}{:>14.3f}\n", time.parts[i].count, time.parts[i].together / microsecond);
    text += row("idle", time.idle) + "\n" + row("total", time.total) + "\n";
    text += fmt::format("  host: waits {:.3f} us, copies {:.3f} us, asks {:.3f} us", time.host_waits / microsecond,
                        time.host_copies / microsecond, time.host_asks / microsecond);
    if (times.size() > 1) text += fmt::format("; of {} processes, each with a GPU of its own", times.size());
    return text + "\n";
}

nlohmann::ordered_json time_json(const std::vector<TimelineEntry>& timeline, std::size_t most_transfers) {
    const std::vector<ProgramTime> times = program_times(timeline);
    TimeJson json = parts_json(sum_of(times));
    if (times.size() > 1) {
        json["processes"] = TimeJson::array();
        for (const ProgramTime& time : times) json["processes"].push_back(parts_json(time));
    }
    TimeJson transfers = TimeJson::array();
    std::uint64_t left_out = 0;
    for (const TimelineEntry& entry : timeline) {
        if (entry.kind != TimelineEntry::Kind::copy && entry.kind != TimelineEntry::Kind::set) continue;
        if (transfers.size() == most_transfers) {
            ++left_out;
            continue;
        }
        TimeJson one{{"kind", entry.kind == TimelineEntry::Kind::copy ? "copy" : "set"},
                     {"way", entry.name},
                     {"bytes", entry.number},
                     {"stream", entry.track},
                     {"start_ns", entry.begin},
                     {"end_ns", entry.end}};
        if (times.size() > 1) one["process"] = entry.process;
        transfers.push_back(std::move(one));
    }
    json["transfers"] = std::move(transfers);
    json["transfers_left_out"] = left_out;
    return json;
}

}  // namespace sassafras::cli
