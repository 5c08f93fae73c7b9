#include "cudart/record_line.hpp"

#include <algorithm>
#include <limits>

namespace sassafras::cudart {

void RecordLine::add(double now, const Record& record) { waiting_.push_back({record, now}); }

bool RecordLine::meets(const Waiting& waiting) const {
    return last_stream_ && *last_stream_ != waiting.record.stream && waiting.record.turn.turn > 0 &&
           last_end_ > waiting.record.since && last_end_ + waiting.record.turn.turn > waiting.earliest;
}

double RecordLine::begin_of(const Waiting& waiting) const {
    const RecordTurn& turn = waiting.record.turn;
    if (!meets(waiting)) return std::max(waiting.earliest, waiting.record.turn.turn > 0 ? last_end_ : 0);
    return last_end_ + turn.turn;
}

double RecordLine::next() const {
    if (waiting_.empty()) return std::numeric_limits<double>::infinity();
    return begin_of(waiting_.front()) + waiting_.front().record.nanoseconds;
}

std::optional<std::uint64_t> RecordLine::take(double now) {
    if (next() > now) return std::nullopt;
    const Waiting done = waiting_.front();
    waiting_.pop_front();
    last_end_ = now;
    last_stream_ = done.record.stream;
    return done.record.command;
}

}  // namespace sassafras::cudart
