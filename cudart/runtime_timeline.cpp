// What takes its place in simulated time is written down: some entries at a time, and those that wait before each
// launch.
#include <unistd.h>

#include <utility>

#include "cudart/runtime.hpp"

namespace sassafras::cudart {

namespace {

/// A program that a signal ends leaves out up to so many behind its last launch.
constexpr std::size_t entries_at_a_time = 256;

TimelineEntry::Kind kind_of(HostSpan::Kind kind) {
    switch (kind) {
        case HostSpan::Kind::waits: return TimelineEntry::Kind::host_waits;
        case HostSpan::Kind::copies: return TimelineEntry::Kind::host_copies;
        case HostSpan::Kind::asks: return TimelineEntry::Kind::host_asks;
    }
    return TimelineEntry::Kind::host_waits;
}

}  // namespace

TimelineEntry Runtime::placed(const Stream& stream, TimelineEntry entry) const {
    entry.begin = streams_.begun();
    entry.end = stream.ready;
    entry.thread = number_of_this_thread();
    entry.track = stream.name;
    return entry;
}

double Runtime::put(Stream& stream, const Work& work, TimelineEntry entry) {
    const double end = streams_.put(stream, work);
    if (has_time()) add_to_timeline(placed(stream, std::move(entry)));
    return end;
}

void Runtime::note_range(TimelineEntry::Kind kind, std::string domain, std::string message, std::uint64_t number) {
    if (selector_) open_ranges_.note(kind, number_of_this_thread(), domain, message, number);
    if (!has_time() || is_of_parent_) return;
    add_to_timeline({kind, streams_.host(), streams_.host(), number_of_this_thread(), std::move(domain),
                     std::move(message), number, 1, 0});
}

/// Where sums are all that is asked for, pieces of work that follow each other are one.
void Runtime::add_to_timeline(TimelineEntry entry) {
    if (!settings_.lists_work && !timeline_.empty() && entry.is_work()) {
        TimelineEntry& last = timeline_.back();
        if (last.kind == entry.kind && last.end == entry.begin && last.track == entry.track) {
            last.end = entry.end;
            last.number += entry.number;
            last.count += entry.count;
            return;
        }
    }
    timeline_.push_back(std::move(entry));
    if (timeline_.size() >= entries_at_a_time || is_exiting_) write_timeline();
}

void Runtime::write_timeline() {
    for (const HostSpan& span : streams_.take_host_spans())
        timeline_.push_back({.kind = kind_of(span.kind), .begin = span.begin, .end = span.end});
    if (timeline_.empty()) return;
    append_record(timeline_line(getpid(), timeline_));
    timeline_.clear();
}

/// What destructors of the program do after this is written at once. A thread that is in a call keeps the lock: its
/// launch may take long, and its process ends without it.
void Runtime::at_exit() {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock) return;
    is_exiting_ = true;
    write_timeline();
}

}  // namespace sassafras::cudart
