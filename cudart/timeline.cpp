#include "cudart/timeline.hpp"

#include <algorithm>
#include <iterator>

namespace sassafras::cudart {

double Timeline::place(double earliest, const Work& work) {
    begun_ = earliest;
    lost_ = 0;
    if (work.engine >= Engine::commands || work.nanoseconds <= 0) return earliest + work.nanoseconds;
    if (work.engine == Engine::kernels) {
        const double launched = launches_.take(work.recording.stream, earliest, work.launch);
        const KernelRoom::Span span = kernels_.place(launched, work.nanoseconds, work.load);
        begun_ = span.begin;
        lost_ = span.lost;
        return span.end;
    }
    if (work.engine == Engine::records) {
        const double end = records_.take(earliest, work.nanoseconds, work.recording);
        begun_ = end - work.nanoseconds;
        return end;
    }
    begun_ = take(times_of(work.engine), earliest, work.nanoseconds);
    return begun_ + work.nanoseconds;
}

/// The first time from which on the engine is free for so long, which is then taken.
double Timeline::take(Times& busy, double earliest, double nanoseconds) {
    double begin = earliest;
    auto next = std::partition_point(busy.begin(), busy.end(), [&](const Busy& b) { return b.end <= earliest; });
    for (; next != busy.end() && next->begin < begin + nanoseconds; ++next) begin = std::max(begin, next->end);
    Busy now{begin, begin + nanoseconds};
    if (next != busy.end() && next->begin == now.end) {
        now.end = next->end;
        next = busy.erase(next);
    }
    if (next != busy.begin() && std::prev(next)->end == now.begin)
        std::prev(next)->end = now.end;
    else
        busy.insert(next, now);
    if (busy.size() > most_gaps) {  // what lay between the first two is given up
        busy[1].begin = busy[0].begin;
        busy.pop_front();
    }
    return begin;
}

void Timeline::forget_before(double time) {
    kernels_.forget_before(time);
    launches_.forget_before(time);
    records_.forget_before(time);
    for (Times& busy : copies_)
        busy.erase(busy.begin(),
                   std::partition_point(busy.begin(), busy.end(), [&](const Busy& b) { return b.end <= time; }));
}

}  // namespace sassafras::cudart
