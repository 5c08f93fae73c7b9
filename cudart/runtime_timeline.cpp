// What takes its place in simulated time is written down: some entries at a time, and those that wait before each
// launch.
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "cudart/runtime.hpp"

namespace sassafras::cudart {

namespace {

/// A program that a signal ends leaves out up to so many behind the last launch that it has waited for, and what is
/// under way.
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

void Runtime::wait(Stream& stream, const Event& event) {
    if (!has_time()) return streams_.wait(stream, event);
    const sim::CopiesParameters& costs = platform().copies;
    const std::uint32_t alone = costs.wait_ns + (event.timing ? costs.wait_timed_ns : 0);
    const auto nanoseconds = [](std::uint32_t value) { return static_cast<double>(value); };
    streams_.wait(stream, event,
                  {.alone = nanoseconds(alone),
                   .done = nanoseconds(costs.wait_done_ns),
                   .shared = nanoseconds(costs.wait_shared_ns),
                   .asked = nanoseconds(costs.wait_asked_ns),
                   .turn = nanoseconds(costs.wait_turn_ns),
                   .lost = nanoseconds(costs.wait_lost_ns),
                   .l2_ways = static_cast<double>(platform().l2.ways)});
}

Work Runtime::recording(const Event& event) {
    if (!event.timing) return {Engine::last};
    const sim::CopiesParameters& costs = platform().copies;
    Work work{Engine::last, static_cast<double>(costs.event_ns)};
    work.record = {static_cast<double>(costs.event_turn_ns), static_cast<double>(costs.event_back_ns)};
    return work;
}

void Runtime::record(Stream& stream, Event& event) {
    streams_.record(stream, event, timed(recording(event)));
    expect(event.record, stream, {.kind = TimelineEntry::Kind::event, .number = event.number});
}

CommandId Runtime::put(Stream& stream, const Work& work, TimelineEntry entry) {
    const CommandId command = streams_.put(stream, work);
    expect(command, stream, std::move(entry));
    return command;
}

/// On the timeline it is once it has a time.
void Runtime::expect(CommandId command, const Stream& stream, TimelineEntry entry) {
    if (has_time()) {
        entry.thread = number_of_this_thread();
        entry.track = stream.name;
        entry.call = timed_calls_++;
        under_way_.emplace(command, std::move(entry));
    }
    if (is_exiting_) streams_.run_to_end();
    note_ended();
}

void Runtime::note_ended() {
    for (const auto& [command, begin, end] : streams_.take_ended()) {
        auto ended = under_way_.extract(command);
        if (ended.empty()) continue;
        ended.mapped().begin = begin;
        ended.mapped().end = end;
        add_to_timeline(std::move(ended.mapped()));
    }
}

void Runtime::note_range(TimelineEntry::Kind kind, std::string domain, std::string message, std::uint64_t number) {
    if (selector_) open_ranges_.note(kind, number_of_this_thread(), domain, message, number);
    if (!has_time() || is_of_parent_) return;
    add_to_timeline({kind, streams_.host(), streams_.host(), number_of_this_thread(), std::move(domain),
                     std::move(message), number, 1, timed_calls_++, 0});
}

/// Where sums are all that is asked for, pieces of work that follow each other are one.
void Runtime::add_to_timeline(TimelineEntry entry) {
    const bool is_launch = entry.kind == TimelineEntry::Kind::kernel;  // each has a record of its own
    if (!settings_.lists_work && !timeline_.empty() && entry.is_work() && !is_launch) {
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

/// A program may end any way, without a further call: what it has waited for is there then.
void Runtime::write_launch_times() {
    note_ended();
    const auto is_launch = [](const TimelineEntry& entry) { return entry.kind == TimelineEntry::Kind::kernel; };
    if (std::any_of(timeline_.begin(), timeline_.end(), is_launch)) write_timeline();
}

void Runtime::write_timeline() {
    for (const HostSpan& span : streams_.take_host_spans())
        timeline_.push_back({.kind = kind_of(span.kind), .begin = span.begin, .end = span.end, .call = timed_calls_});
    if (timeline_.empty()) return;
    append_record(timeline_line(getpid(), timeline_));
    timeline_.clear();
}

/// What destructors of the program do after this is written at once. A thread that is in a call keeps the lock: its
/// launch may take long, and its process ends without it.
void Runtime::at_exit() {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock) return;
    end_timeline();
    is_exiting_ = true;
}

/// Nobody waits for what is under way: it goes on to its end.
void Runtime::end_timeline() {
    streams_.run_to_end();
    note_ended();
    write_timeline();
}

}  // namespace sassafras::cudart
