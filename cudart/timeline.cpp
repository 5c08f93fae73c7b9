#include "cudart/timeline.hpp"

#include <algorithm>

namespace sassafras::cudart {

namespace {

/// Shares are fractions of whole SMs: sums of them may be off by their last digits.
constexpr double all_of_it = 1 + 1e-9;

}  // namespace

double Timeline::place(double earliest, const Work& work) {
    begun_ = earliest;
    if (work.engine >= Engine::commands || work.nanoseconds <= 0) return earliest + work.nanoseconds;
    Times& busy = busy_[static_cast<std::size_t>(work.engine)];
    const double begin = begun_ = first_room(busy, earliest, work);
    take(busy, begin, work);
    while (busy.size() > most_gaps) {  // what lay between the first two is given up
        busy[1] = {busy[0].begin, busy[1].end, std::max(busy[0].share, busy[1].share)};
        busy.pop_front();
    }
    return begin + work.nanoseconds;
}

double Timeline::first_room(const Times& busy, double earliest, const Work& work) {
    double begin = earliest;
    auto next = std::partition_point(busy.begin(), busy.end(), [&](const Busy& b) { return b.end <= earliest; });
    for (; next != busy.end() && next->begin < begin + work.nanoseconds; ++next)
        if (next->share + work.share > all_of_it) begin = std::max(begin, next->end);
    return begin;
}

void Timeline::take(Times& busy, double begin, const Work& work) {
    const double end = begin + work.nanoseconds;
    const auto first = std::partition_point(busy.begin(), busy.end(), [&](const Busy& b) { return b.end <= begin; });
    auto last = first;
    while (last != busy.end() && last->begin < end) ++last;
    // What was there between begin and end, cut at both, and what was free.
    Times now;
    const auto add = [&](double from, double to, double share) {
        if (from >= to) return;
        if (!now.empty() && now.back().end == from && now.back().share == share)
            now.back().end = to;
        else
            now.push_back({from, to, share});
    };
    double at = begin;
    for (auto old = first; old != last; ++old) {
        add(old->begin, std::min(old->end, begin), old->share);
        add(at, std::max(at, old->begin), work.share);
        add(std::max(old->begin, begin), std::min(old->end, end), old->share + work.share);
        add(std::max(old->begin, end), old->end, old->share);
        at = std::max(at, std::min(old->end, end));
    }
    // An old piece that goes on behind the end has been added; nothing else is free before it.
    if (at < end) add(at, end, work.share);
    auto place = busy.erase(first, last);
    if (place != busy.begin() && !now.empty() && std::prev(place)->end == now.front().begin &&
        std::prev(place)->share == now.front().share) {
        now.front().begin = std::prev(place)->begin;
        place = busy.erase(std::prev(place));
    }
    if (place != busy.end() && !now.empty() && now.back().end == place->begin && now.back().share == place->share) {
        now.back().end = place->end;
        place = busy.erase(place);
    }
    busy.insert(place, now.begin(), now.end());
}

void Timeline::forget_before(double time) {
    for (Times& busy : busy_)
        busy.erase(busy.begin(),
                   std::partition_point(busy.begin(), busy.end(), [&](const Busy& b) { return b.end <= time; }));
}

}  // namespace sassafras::cudart
