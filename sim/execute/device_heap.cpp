#include "sim/execute/device_heap.hpp"

#include <algorithm>

namespace sassafras::sim {

namespace {

/// What a block takes beside its bytes. Assumed: the driver's bookkeeping is not documented.
constexpr std::uint64_t header_bytes = 16;

constexpr std::uint64_t round_up(std::uint64_t value, std::uint64_t unit) { return (value + unit - 1) / unit * unit; }

}  // namespace

bool DeviceHeap::resize(Bytes size) {
    if (begin_ != 0) return false;
    size_ = size;
    return true;
}

std::uint64_t DeviceHeap::allocate(std::uint64_t size, std::uint64_t aligned_to) {
    if (size > size_.count) return 0;
    if (begin_ == 0) {
        const auto region = memory_.allocate(size_);
        if (!region) return 0;
        begin_ = region->value;
        memory_.divide(*region);
        free_.add(begin_, size_.count);
    }
    const std::uint64_t wanted = round_up(size == 0 ? 1 : size, alignment);
    auto address = free_.take(wanted, header_bytes, std::max(aligned_to, alignment));
    while (!address && !freed_order_.empty()) {
        release_oldest_freed();
        address = free_.take(wanted, header_bytes, std::max(aligned_to, alignment));
    }
    if (!address) return 0;
    taken_[*address] = wanted + header_bytes;
    memory_.add_part(Address{*address}, Bytes{std::max<std::uint64_t>(size, 1)});
    return *address;
}

bool DeviceHeap::free(std::uint64_t address) {
    if (address == 0) return true;
    const auto found = taken_.find(address);
    if (found == taken_.end()) return false;
    const MemoryImage::Extent reached = memory_.reachable(address);
    memory_.remove_part(Address{address});
    if (memory_.has_exact_bounds()) {
        freed_[address] = {found->second, reached.end - reached.begin};
        freed_order_.push_back(address);
    } else {
        free_.add(address - header_bytes, found->second);
    }
    taken_.erase(found);
    return true;
}

MemoryImage::Extent DeviceHeap::freed(std::uint64_t address) const {
    auto after = freed_.upper_bound(address);
    if (after == freed_.begin()) return {};
    --after;
    if (address - after->first >= after->second.size) return {};
    return {after->first, after->first + after->second.size, nullptr};
}

void DeviceHeap::release_oldest_freed() {
    const auto oldest = freed_.find(freed_order_.front());
    free_.add(oldest->first - header_bytes, oldest->second.taken);
    freed_.erase(oldest);
    freed_order_.pop_front();
}

}  // namespace sassafras::sim
