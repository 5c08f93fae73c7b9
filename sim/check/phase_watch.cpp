#include "sim/check/phase_watch.hpp"

#include <algorithm>
#include <bit>

#include "sim/check/lane_count.hpp"

namespace sassafras::sim {

namespace {

constexpr unsigned phase_at = 63;
constexpr unsigned expected_at = 1;
constexpr std::uint64_t count_limit = std::uint64_t{1} << 20U;
/// Ends of phases that are remembered of a barrier: one of each warp, and some that are being waited for.
constexpr std::size_t most_ends = 64;

std::uint64_t expected_arrivals(std::uint64_t word) {
    return (count_limit - (word >> expected_at & (count_limit - 1))) & (count_limit - 1);
}

template <class F>
void for_each_thread(const WarpAccess& access, std::uint32_t lanes, F&& f) {
    for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
        f(lane, access.warp * lane_count + lane);
    }
}

}  // namespace

void PhaseWatch::start(std::uint32_t threads) {
    threads_ = threads;
    barriers_.clear();
}

void PhaseWatch::remember(Barrier& barrier, const Event& event) {
    if (barrier.ends.size() == most_ends) barrier.ends.erase(barrier.ends.begin());
    barrier.ends.push_back(event);
}

/// A phase is over when the word's phase bit has changed.
void PhaseWatch::see(Barrier& barrier, const Event& event, std::uint64_t word) {
    const bool is_over = (barrier.word ^ word) >> phase_at != 0;
    barrier.word = word;
    if (!is_over) return;
    ++barrier.phases;
    remember(barrier, {event.stamp, event.thread, barrier.phases});
}

void PhaseWatch::initialise(const WarpAccess& access, std::uint64_t barrier, std::uint64_t word,
                            const BlockClock& clock) {
    Barrier& state = barriers_[barrier];
    state = {};
    state.is_initialised = true;
    state.word = word;
    state.threads.resize(threads_);
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(access.lanes));
    state.initialised = {clock.now(), access.warp * lane_count + lane, 0};
}

bool PhaseWatch::knows_end(const Barrier& barrier, std::uint32_t thread, const BlockClock& clock) const {
    const Thread& state = barrier.threads[thread];
    if (state.known >= state.arrived) return true;
    return std::any_of(barrier.ends.begin(), barrier.ends.end(), [&](const Event& end) {
        if (end.phases < state.arrived) return false;
        // To end a phase by arriving last tells a thread nothing, until all have met.
        return end.thread == thread ? end.stamp < clock.all_before() : clock.is_ordered(end.stamp, end.thread, thread);
    });
}

PhaseWatch::Faults PhaseWatch::arrive(const WarpAccess& access, std::uint32_t lanes, std::uint64_t barrier,
                                      std::uint64_t word, const BlockClock& clock) {
    Barrier& state = barriers_[barrier];
    Faults faults;
    if (!state.is_initialised) {
        faults.missing_init = lanes;
        return faults;
    }
    // A thread may arrive several times in a phase, unless that leaves too few arrivals for the other threads.
    const bool is_of_all = expected_arrivals(state.word) == threads_ && !state.takes_copies;
    std::uint32_t last = 0;
    for_each_thread(access, lanes, [&](std::uint32_t lane, std::uint32_t thread) {
        last = thread;
        // Synccheck holds a warp's lanes to know what one of them has initialised.
        if (thread / lane_count != state.initialised.thread / lane_count &&
            !clock.is_ordered(state.initialised.stamp, state.initialised.thread, thread))
            faults.missing_init |= 1U << lane;
        Thread& arriving = state.threads[thread];
        const bool is_again = arriving.arrived == state.phases + 1;
        if (arriving.arrived != 0 && (!is_again || is_of_all) && !knows_end(state, thread, clock))
            faults.missing_wait |= 1U << lane;
        arriving.arrived = state.phases + 1;
    });
    see(state, {clock.now(), last, 0}, word);
    return faults;
}

void PhaseWatch::wait(const WarpAccess& access, std::uint32_t lanes, std::uint64_t barrier, std::uint64_t word,
                      const BlockClock& clock) {
    Barrier& state = barriers_[barrier];
    if (!state.is_initialised || lanes == 0) return;
    const Event event{clock.now(), access.warp * lane_count + static_cast<std::uint32_t>(std::countr_zero(lanes)), 0};
    see(state, event, word);
    for_each_thread(access, lanes, [&](std::uint32_t, std::uint32_t thread) {
        state.threads[thread].known = std::max(state.threads[thread].known, state.phases);
    });
    remember(state, {event.stamp, event.thread, state.phases});
}

}  // namespace sassafras::sim
