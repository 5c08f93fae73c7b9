#include "cudart/launches.hpp"

#include <algorithm>
#include <iterator>

namespace sassafras::cudart {

double Launches::find(std::uint64_t stream, double earliest, const LaunchTurn& turn) const {
    if (turn.turn <= 0) return earliest;
    const auto next =
        std::partition_point(slots_.begin(), slots_.end(), [&](const Slot& s) { return s.begin < earliest; });
    const bool was_left = turn.behind && next != slots_.begin() && std::prev(next)->stream != stream;
    double begin = earliest + (was_left ? turn.back : 0);
    // Slots are all as long, so that of those that begin earlier only such as begin within one turn may be in the way.
    auto slot =
        std::partition_point(slots_.begin(), slots_.end(), [&](const Slot& s) { return s.begin <= begin - turn.turn; });
    for (; slot != slots_.end() && slot->begin < begin + turn.turn; ++slot)
        if (slot->stream != stream) begin = std::max(begin, slot->begin + turn.turn);
    return begin;
}

double Launches::take(std::uint64_t stream, double earliest, const LaunchTurn& turn) {
    const double begin = find(stream, earliest, turn);
    if (turn.turn <= 0) return begin;
    const auto behind =
        std::partition_point(slots_.begin(), slots_.end(), [&](const Slot& s) { return s.begin <= begin; });
    slots_.insert(behind, {begin, begin + turn.turn, stream});
    if (slots_.size() > most_slots) slots_.pop_front();
    return begin;
}

void Launches::forget_before(double time) {
    while (!slots_.empty() && slots_.front().end <= time) slots_.pop_front();
}

}  // namespace sassafras::cudart
