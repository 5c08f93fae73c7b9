#include "cudart/kernel_room.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/result.hpp"

namespace sassafras::cudart {

namespace {

/// Nanoseconds. What is left of a kernel in a state that ends with it may be off by the last digits of the time.
constexpr double shortest = 1e-3;
/// What a unit leaves that is busy for so much of the time, it leaves where blocks begin and end: nothing between.
constexpr double always = 0.95;

/// Accesses to shared memory and L1 take turns; elsewhere the warps of the kernel that came first issue first.
bool serves_in_turn(std::size_t unit) {
    return unit == static_cast<std::size_t>(SmUnit::shared) || unit == static_cast<std::size_t>(SmUnit::l1);
}

double share_of_time(std::size_t unit, double busy) {
    return std::min(1.0, busy >= always && !serves_in_turn(unit) ? 1.0 : busy);
}

/// The least of what `busy` leaves of the units that are wanted, as a share of what is wanted.
template <std::size_t N>
double left_of(const std::array<double, N>& busy, const std::array<double, N>& wanted, double times) {
    double rate = 1;
    for (std::size_t i = 0; i < N; ++i)
        if (wanted[i] * times > 0) rate = std::min(rate, (1 - busy[i]) / (wanted[i] * times));
    return std::max(0.0, rate);
}

/// Where another kernel fills memory. An access takes 7.5 times as long then: beside `l2 264x512` an H200's
/// `chase 8x128` makes 3.8 us of its way in 28.5 (kernels_mixed.csv).
double pace_in_queue(double waits) {
    constexpr double queue = 7.5;
    return 1 / (1 - waits + queue * waits);
}

/// So much of a kernel's blocks goes on as fast as all of them: what fills memory does not need them all.
double enough_blocks(const LoadPart& part) {
    return part.fills_memory() ? *std::max_element(part.of_gpu.begin(), part.of_gpu.end()) : 1;
}

}  // namespace

/// The state that begins at `time`, which is made if there is none.
KernelRoom::States::iterator KernelRoom::at(double time) {
    auto next = states_.lower_bound(time);
    if (next != states_.end() && next->first == time) return next;
    if (next == states_.begin()) return states_.emplace_hint(next, time, State{});
    return states_.emplace_hint(next, time, std::prev(next)->second);
}

double KernelRoom::end_of(States::iterator state) const {
    const auto next = std::next(state);
    return next == states_.end() ? forever : next->first;
}

/// Of blocks that were laid there, as a share of theirs alone.
double KernelRoom::pace_on(const Group& group, const Course& course, const LoadPart& part) {
    double pace = left_of(group.busy, part.of_block, group.blocks);
    // Two that fill it share it (MemoryRoom). Who began first is not slower for it here, so that who came then has to
    // be, for both.
    const bool fills = course.load.fills_memory();
    if (group.fills_memory && !fills)
        pace *= pace_in_queue(course.load.waits_for_memory);
    else if (part.fills_memory())
        pace *= pace_in_queue(group.waits_for_memory);
    return pace;
}

/// Where accesses of the kernel to shared memory or L1 wait behind those of others, theirs wait for its as well.
bool KernelRoom::takes_turns(Course& course, const Laid& laid, const LoadPart& part) {
    bool turns = false;
    for (const Group& group : laid.groups) {
        if (group.blocks == 0) continue;
        for (std::size_t i = 0; i < group.busy.size(); ++i) {
            if (!serves_in_turn(i)) continue;
            if (group.busy[i] == 0 || group.busy[i] + group.blocks * part.of_block[i] <= 1 + slack) continue;
            for (std::size_t p = 0; p < course.held.size(); ++p)
                course.held[p] = std::max(course.held[p], group.taken[p]);
            turns = true;
        }
    }
    return turns;
}

KernelRoom::Pace KernelRoom::pace_of(const Laid& laid, const Course& course, const LoadPart& part) {
    Pace pace;
    double slowest = 1;
    double blocks = 0;
    double at_their_pace = 0;
    for (const Group& group : laid.groups) {
        if (group.blocks == 0) continue;
        const double rate = pace_on(group, course, part);
        slowest = std::min(slowest, rate);
        blocks += group.sms * group.blocks;
        at_their_pace += group.sms * group.blocks * rate;
    }
    // Blocks do not move: of one wave, those on the slowest SM end last.
    const double of_blocks = course.load.one_wave() ? slowest : at_their_pace / std::max(slack, blocks);
    const double placed = course.all_at_once ? 1 : laid.blocks / course.blocks;
    pace.rate = std::min(1.0, of_blocks * placed / (course.all_at_once ? 1 : enough_blocks(part)));
    pace.most = course.load.one_wave() ? slowest : 1;
    pace.blocks = of_blocks * placed;
    return pace;
}

/// The blocks that were laid take their places and, as the kernel goes on at this rate, their units.
void KernelRoom::take(State& state, Laid&& laid, const Course& course, const LoadPart& part, const Pace& pace,
                      double rate_of_all, bool held) {
    const double factor = pace.blocks > 0 ? rate_of_all / pace.blocks : 0;
    state.groups = std::move(laid.groups);
    for (Group& group : state.groups) {
        const double rate = factor * std::min(pace.most, pace_on(group, course, part));
        for (std::size_t i = 0; i < group.taken.size() && group.blocks > 0; ++i)
            group.taken[i] =
                std::max(group.taken[i], held ? course.held[i] : 0) + group.blocks * course.load.block_takes[i];
        if (group.blocks > 0) {
            if (!course.load.fills_memory())
                group.waits_for_memory = std::max(group.waits_for_memory, course.load.waits_for_memory);
            group.fills_memory = group.fills_memory || part.fills_memory();
        }
        for (std::size_t i = 0; i < group.busy.size(); ++i)
            group.busy[i] = share_of_time(i, group.busy[i] + group.blocks * part.of_block[i] * rate);
        group.blocks = 0;
    }
    merge(state.groups);
}

/// What takes `nanoseconds` alone, from `time` on where there are places.
KernelRoom::Span KernelRoom::run(double time, double nanoseconds, Course course) {
    Span span{forever, time};
    double in_turns = 0;  // what is lost of the time in which it takes turns on an SM
    MemoryRoom::Pass memory(memory_);
    for (const LoadPart& part : course.load.parts) {
        const bool follow = !course.all_at_once && &part == course.load.parts.data();
        double left = nanoseconds * part.time;
        for (auto state = containing(span.end); left >= shortest; ++state) {
            require_invariant(state != states_.end(), "a kernel finds no place on a GPU where nothing runs");
            const double begin = std::max(span.end, state->first);
            double end = end_of(state);
            Laid laid = lay(state->second, course);
            const bool wait = follow && (!course.load.one_wave() || laid.blocks < course.blocks);
            const bool has_begun = span.begin < forever;
            if (laid.blocks < (course.all_at_once ? course.blocks : 1) ||
                ((wait || (follow && !has_begun)) && state->second.blocks_wait)) {
                span.end = end;
                continue;
            }
            if (course.all_at_once && course.stay.empty()) course.stay = shares_of(laid);
            shrink(laid, part);
            const bool turns = takes_turns(course, laid, part);
            const bool held = turns || begin < course.held_until - shortest;
            if (held && !turns) end = std::min(end, course.held_until);
            const Pace pace = pace_of(laid, course, part);
            span.begin = std::min(span.begin, begin);
            GpuBusy wanted = part.of_gpu;
            for (double& share : wanted) share *= course.share;
            const MemoryRoom::Progress progress = memory.run(begin, end, left, pace.rate, wanted);
            span.end = progress.time;
            const double passed = span.end - begin;
            span.lost += passed * (turns ? 1 : pace.rate) - progress.done;
            if (turns) in_turns += passed - progress.done;
            // The earlier blocks in truth end later by what these lose.
            if (turns) course.held_until = span.end + in_turns;
            left = span.end < end ? 0 : left - progress.done;
            (void)at(span.end);
            state = at(begin);
            take(state->second, std::move(laid), course, part, pace, passed > 0 ? progress.done / passed : 0, held);
            state->second.blocks_wait = state->second.blocks_wait || wait;
        }
    }
    return span;
}

/// Each block takes the kernel's time. Those that find no place at first begin later, and end later.
KernelRoom::Span KernelRoom::place_one_wave(double earliest, double nanoseconds, const KernelLoad& load) {
    Span all{forever, earliest};
    double last_begin = earliest;
    double left = load.blocks;
    for (int pieces = 0; left > 0; ++pieces) {
        const double least = pieces < most_pieces ? 1 : left;
        Course course{load, left, 1, true, false};
        for (auto state = containing(last_begin);; ++state) {
            require_invariant(state != states_.end(), "a block finds no place on a GPU where nothing runs");
            if (!state->second.blocks_wait) {
                course.fills = state->first > earliest;
                const double blocks = std::min(left, lay(state->second, course).blocks);
                if (blocks >= least) {
                    course.blocks = blocks;
                    last_begin = std::max(last_begin, state->first);
                    break;
                }
            }
        }
        course.share = course.blocks / load.blocks;
        const Span piece = run(last_begin, nanoseconds, course);
        all.begin = std::min(all.begin, piece.begin);
        all.end = std::max(all.end, piece.end);
        all.lost = std::max(all.lost, piece.lost);
        left -= course.blocks;
    }
    if (last_begin > all.begin) {
        const auto end = at(last_begin);
        for (auto state = at(all.begin); state != end; ++state) state->second.blocks_wait = true;
    }
    return all;
}

KernelRoom::Span KernelRoom::place(double earliest, double nanoseconds, const KernelLoad& load) {
    if (nanoseconds <= 0) return {earliest, earliest};
    const double before = std::min(load.before, nanoseconds);
    const double after = std::min(load.after, nanoseconds - before);
    const double begin = std::max(earliest + before, states_.begin()->first);
    // Either part of it is longer than what is taken to be nothing.
    const double running = std::max(4 * shortest, nanoseconds - before - after);
    // Blocks that wait for their places follow each other: with fewer of these they take longer.
    const Span span = load.one_wave() && !load.fills_memory()
                          ? place_one_wave(begin, running, load)
                          : run(begin, running, {load, load.resident, 1, false, false});
    while (states_.size() > most_states) states_.erase(states_.begin());
    return {span.begin - before, span.end + after, span.lost};
}

double KernelRoom::first_begin(double earliest, const KernelLoad& load) const {
    const double from = std::max(earliest + load.before, states_.begin()->first);
    const Course course{load, 1, 1, true, false};
    for (auto state = std::prev(states_.upper_bound(from)); state != states_.end(); ++state)
        if (!state->second.blocks_wait && lay(state->second, course).blocks > 0)
            return std::max(from, state->first) - load.before;
    return from - load.before;
}

void KernelRoom::forget_before(double time) {
    if (time > states_.begin()->first) states_.erase(states_.begin(), containing(time));
    memory_.forget_before(time);
}

}  // namespace sassafras::cudart
