#include "sim/execute/traced_addresses.hpp"

#include <iterator>

namespace sassafras::sim {

/// Up to the next boundary; begins at one.
std::uint64_t TracedAddresses::taken_by(const Range& range) {
    return (range.size + widest_access + alignment - 1) / alignment * alignment;
}

void TracedAddresses::add(std::uint64_t begin, std::uint64_t size) {
    Range range{size, 0};
    const auto place = room_.take(taken_by(range));
    if (!place) return;
    range.traced = *place + begin % widest_access;
    ranges_[begin] = range;
}

void TracedAddresses::remove(std::uint64_t begin) {
    const auto found = ranges_.find(begin);
    if (found == ranges_.end()) return;
    room_.add(found->second.traced - begin % widest_access, taken_by(found->second));
    ranges_.erase(found);
}

std::uint64_t TracedAddresses::of(std::uint64_t address) const {
    const auto after = ranges_.upper_bound(address);
    if (after == ranges_.begin()) return address;
    const auto& [begin, range] = *std::prev(after);
    return address - begin < range.size ? range.traced + (address - begin) : address;
}

}  // namespace sassafras::sim
