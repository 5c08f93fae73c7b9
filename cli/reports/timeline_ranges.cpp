#include "cli/reports/timeline_ranges.hpp"

#include <algorithm>

namespace sassafras::cli {

void NvtxRanges::open(const cudart::TimelineEntry& entry, std::vector<std::size_t>& of, bool is_of_thread) {
    of.push_back(ranges_.size());
    NvtxRange range;
    range.domain = entry.track;
    range.message = entry.name;
    if (is_of_thread) range.thread = entry.thread;
    range.begin = range.end = entry.begin;
    ranges_.push_back(std::move(range));
}

void NvtxRanges::add_work(const std::vector<std::size_t>& open, const cudart::TimelineEntry& work) {
    for (const std::size_t place : open) {
        NvtxRange::OnGpu& on_gpu = ranges_[place].work;
        on_gpu.begin = on_gpu.pieces == 0 ? work.begin : std::min(on_gpu.begin, work.begin);
        on_gpu.end = on_gpu.pieces == 0 ? work.end : std::max(on_gpu.end, work.end);
        ++on_gpu.pieces;
    }
}

void NvtxRanges::add(const cudart::TimelineEntry& entry) {
    using Kind = cudart::TimelineEntry::Kind;
    const auto close = [&](std::vector<std::size_t>& of, std::vector<std::size_t>::iterator place) {
        ranges_[*place].end = entry.begin;
        ranges_[*place].ended = true;
        of.erase(place);
    };
    if (entry.is_work()) {
        if (const auto open = of_thread_.find(entry.thread); open != of_thread_.end()) add_work(open->second, entry);
        add_work(of_process_, entry);
    } else if (entry.kind == Kind::push) {
        open(entry, of_thread_[entry.thread], true);
    } else if (entry.kind == Kind::pop) {
        std::vector<std::size_t>& open = of_thread_[entry.thread];
        // Each domain has a stack of its own.
        const auto last = std::find_if(open.rbegin(), open.rend(),
                                       [&](std::size_t place) { return ranges_[place].domain == entry.track; });
        if (last != open.rend()) close(open, std::prev(last.base()));
    } else if (entry.kind == Kind::range_start) {
        by_number_[entry.number] = ranges_.size();
        open(entry, of_process_, false);
    } else if (entry.kind == Kind::range_end) {
        const auto number = by_number_.find(entry.number);
        if (number == by_number_.end()) return;
        const auto place = std::find(of_process_.begin(), of_process_.end(), number->second);
        if (place != of_process_.end()) close(of_process_, place);
        by_number_.erase(number);
    }
}

std::vector<NvtxRange> NvtxRanges::finish(double time) {
    for (NvtxRange& range : ranges_)
        if (!range.ended) range.end = std::max(range.begin, time);
    return std::move(ranges_);
}

}  // namespace sassafras::cli
