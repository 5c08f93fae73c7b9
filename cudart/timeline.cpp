#include "cudart/timeline.hpp"

#include <algorithm>

namespace sassafras::cudart {

double Timeline::place(double earliest, const Work& work) {
    if (work.engine >= Engine::commands || work.nanoseconds <= 0) return earliest + work.nanoseconds;
    std::deque<Busy>& busy = busy_[static_cast<std::size_t>(work.engine)];
    double begin = earliest;
    auto next = std::partition_point(busy.begin(), busy.end(), [&](const Busy& b) { return b.end <= earliest; });
    for (; next != busy.end() && next->begin < begin + work.nanoseconds; ++next) begin = std::max(begin, next->end);
    const double end = begin + work.nanoseconds;
    const bool joins_previous = next != busy.begin() && std::prev(next)->end == begin;
    const bool joins_next = next != busy.end() && next->begin == end;
    if (joins_previous && joins_next) {
        std::prev(next)->end = next->end;
        busy.erase(next);
    } else if (joins_previous) {
        std::prev(next)->end = end;
    } else if (joins_next) {
        next->begin = begin;
    } else {
        busy.insert(next, {begin, end});
        if (busy.size() > most_gaps) {
            busy[1].begin = busy[0].begin;
            busy.pop_front();
        }
    }
    return end;
}

void Timeline::forget_before(double time) {
    for (std::deque<Busy>& busy : busy_)
        busy.erase(busy.begin(),
                   std::partition_point(busy.begin(), busy.end(), [&](const Busy& b) { return b.end <= time; }));
}

}  // namespace sassafras::cudart
