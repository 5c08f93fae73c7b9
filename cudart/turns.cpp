#include "cudart/turns.hpp"

#include <algorithm>
#include <iterator>
#include <set>

namespace sassafras::cudart {

double Turns::take(double earliest, double nanoseconds, const Recording& recording) {
    Slot slot{earliest, earliest + nanoseconds, recording.stream, false};
    const auto over = [&](const Slot& other) { return other.end + recording.turn <= earliest; };
    auto next = std::partition_point(slots_.begin(), slots_.end(), over);
    std::set<std::uint64_t> together;
    for (auto other = next; other != slots_.begin() && std::prev(other)->end > earliest - recording.lost;) {
        --other;
        if (other->stream != slot.stream && other->end > recording.since) together.insert(other->stream);
    }
    if (!together.empty()) {
        slot.met = true;
        slot.begin =
            earliest + recording.meeting + static_cast<double>(together.size() - 1) * (nanoseconds + recording.turn);
        slot.end = slot.begin + nanoseconds;
        next = std::partition_point(next, slots_.end(),
                                    [&](const Slot& s) { return s.end + recording.turn <= slot.begin; });
    }
    for (; next != slots_.end(); ++next) {
        const bool other = next->stream != slot.stream && next->end > recording.since;
        const double apart = other ? recording.turn : 0;
        if (next->begin >= slot.end + apart) break;
        if (next->end + apart <= slot.begin) continue;
        const bool first_to_meet = other && !next->met;
        if (other) slot.met = next->met = true;
        slot.begin = next->end + (first_to_meet ? std::max(apart, recording.meeting) : apart);
        slot.end = slot.begin + nanoseconds;
    }
    slots_.insert(next, slot);
    if (slots_.size() > most_slots) slots_.pop_front();
    return slot.end;
}

void Turns::forget_before(double time) {
    while (!slots_.empty() && slots_.front().end <= time) slots_.pop_front();
}

}  // namespace sassafras::cudart
