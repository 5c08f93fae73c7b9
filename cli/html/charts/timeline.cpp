#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "cli/html/charts/charts.hpp"
#include "cli/html/spec.hpp"
#include "cli/reports/kernel_name.hpp"
#include "cli/reports/timeline_file.hpp"
#include "core/number_text.hpp"

namespace sassafras::cli::charts {

namespace {

using cudart::TimelineEntry;

/// Each is a mark of the page: more would take seconds to draw.
constexpr std::size_t most_pieces = 1000;

bool is_shown(const TimelineEntry& entry) {
    return entry.end > entry.begin && (entry.kind <= TimelineEntry::Kind::set || entry.is_of_host());
}

std::string track_of(const TimelineEntry& entry) {
    const std::string process = entry.process == 0 ? "" : fmt::format("process {}, ", entry.process);
    return process + (entry.is_of_host() ? "host" : entry.track);
}

std::string name_of_piece(const TimelineEntry& entry, const Report& report) {
    switch (entry.kind) {
        case TimelineEntry::Kind::kernel: return kernel_name(report.kernels[entry.number].name);
        case TimelineEntry::Kind::copy: return fmt::format("copy {}, {} bytes", entry.name, grouped(entry.number));
        case TimelineEntry::Kind::set: return fmt::format("set {}, {} bytes", entry.name, grouped(entry.number));
        case TimelineEntry::Kind::host_waits: return "waits";
        case TimelineEntry::Kind::host_copies: return "copies";
        default: return "asks";
    }
}

const char* kind_of_piece(const TimelineEntry& entry) {
    switch (entry.kind) {
        case TimelineEntry::Kind::kernel: return "kernel";
        case TimelineEntry::Kind::copy: return "copy";
        case TimelineEntry::Kind::set: return "set";
        default: return "host";
    }
}

/// Those that take longest, in their order.
std::vector<const TimelineEntry*> longest_pieces(const std::vector<TimelineEntry>& timeline) {
    std::vector<const TimelineEntry*> pieces;
    for (const TimelineEntry& entry : timeline)
        if (is_shown(entry)) pieces.push_back(&entry);
    if (pieces.size() <= most_pieces) return pieces;
    std::stable_sort(pieces.begin(), pieces.end(), [](const TimelineEntry* left, const TimelineEntry* right) {
        return left->end - left->begin > right->end - right->begin;
    });
    pieces.resize(most_pieces);
    std::sort(pieces.begin(), pieces.end());  // all of one vector
    return pieces;
}

}  // namespace

Spec timeline(const RunSource& run) {
    std::vector<TimelineEntry> launches;
    if (run.timeline == nullptr) {
        if (run.report.kernels.size() < 2 || !run.report.total("gpu__time_duration.sum"_metric)) return nullptr;
        launches = timeline_of(run.report.kernels);
    }
    const std::vector<TimelineEntry>& timeline = run.timeline == nullptr ? launches : *run.timeline;
    const auto all = static_cast<std::size_t>(std::count_if(timeline.begin(), timeline.end(), is_shown));
    constexpr double microsecond = 1000;
    constexpr std::size_t track_height = 34;
    std::set<std::string> tracks;
    Spec values = Spec::array();
    for (const TimelineEntry* entry : longest_pieces(timeline)) {
        values.push_back({{"track", track_of(*entry)},
                          {"start", entry->begin / microsecond},
                          {"end", entry->end / microsecond},
                          {"us", (entry->end - entry->begin) / microsecond},
                          {"kind", kind_of_piece(*entry)},
                          {"what", name_of_piece(*entry, run.report)}});
        tracks.insert(track_of(*entry));
    }
    Spec spec =
        spec_of(std::move(values),
                {{"height", track_height * tracks.size()},
                 {"params",
                  {{{"name", "view"},
                    {"select", {{"type", "interval"}, {"encodings", {"x"}}, {"zoom", "wheel![event.shiftKey]"}}},
                    {"bind", "scales"}}}},
                 {"mark",
                  {{"type", "bar"},
                   {"clip", true},
                   {"stroke", "white"},
                   {"strokeWidth", 0.4},
                   {"tooltip", {{"content", "data"}}}}},
                 {"encoding",
                  {{"x", {{"field", "start"}, {"type", "quantitative"}, {"title", "simulated time, µs"}}},
                   {"x2", {{"field", "end"}}},
                   {"y", {{"field", "track"}, {"type", "nominal"}, {"sort", nullptr}, {"title", nullptr}}},
                   {"color", color_by("kind")}}}});
    if (!spec.is_null() && all > most_pieces)
        spec["title"] = remark(fmt::format("the {} longest of {} pieces of work", grouped(most_pieces), grouped(all)));
    return spec;
}

}  // namespace sassafras::cli::charts
