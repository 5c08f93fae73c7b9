#include "cudart/launch_line.hpp"

#include <algorithm>
#include <limits>

namespace sassafras::cudart {

void LaunchLine::add(double now, const Launch& launch) {
    const bool was_left = launch.behind && has_begun_ && last_stream_ != launch.stream;
    waiting_.push_back({launch, now + (was_left && launch.turn.turn > 0 ? launch.turn.back : 0)});
}

double LaunchLine::begin_of(const Waiting& waiting) const {
    const bool of_another = has_begun_ && last_stream_ != waiting.launch.stream;
    return of_another && waiting.launch.turn.turn > 0
               ? std::max(waiting.earliest, last_begin_ + waiting.launch.turn.turn)
               : waiting.earliest;
}

std::vector<LaunchLine::Waiting>::const_iterator LaunchLine::first() const {
    return std::min_element(waiting_.begin(), waiting_.end(),
                            [&](const Waiting& a, const Waiting& b) { return begin_of(a) < begin_of(b); });
}

double LaunchLine::next() const {
    return waiting_.empty() ? std::numeric_limits<double>::infinity() : begin_of(*first());
}

std::optional<std::uint64_t> LaunchLine::take(double now) {
    if (next() > now) return std::nullopt;
    const auto launch = first();
    const std::uint64_t command = launch->launch.command;
    has_begun_ = true;
    last_begin_ = now;
    last_stream_ = launch->launch.stream;
    waiting_.erase(launch);
    return command;
}

}  // namespace sassafras::cudart
