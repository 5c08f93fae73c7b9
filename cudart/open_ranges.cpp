#include "cudart/open_ranges.hpp"

#include <algorithm>

namespace sassafras::cudart {

void OpenRanges::note(TimelineEntry::Kind kind, std::uint64_t thread, const std::string& domain,
                      const std::string& name, std::uint64_t number) {
    using Kind = TimelineEntry::Kind;
    if (kind == Kind::range_start) started_[number] = {domain, name, false};
    if (kind == Kind::range_end) started_.erase(number);
    if (kind != Kind::push && kind != Kind::pop) return;
    std::vector<sim::OpenRange>& pushed = pushed_[thread];
    if (kind == Kind::push) {
        pushed.push_back({domain, name, true});
        return;
    }
    // Each domain has a stack of its own.
    const auto innermost = std::find_if(pushed.rbegin(), pushed.rend(),
                                        [&](const sim::OpenRange& range) { return range.domain == domain; });
    if (innermost != pushed.rend()) pushed.erase(std::next(innermost).base());
}

std::vector<sim::OpenRange> OpenRanges::of_thread(std::uint64_t thread) const {
    std::vector<sim::OpenRange> open;
    if (const auto pushed = pushed_.find(thread); pushed != pushed_.end()) open = pushed->second;
    for (const auto& [number, range] : started_) open.push_back(range);
    return open;
}

}  // namespace sassafras::cudart
