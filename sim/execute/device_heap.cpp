#include "sim/execute/device_heap.hpp"

#include <iterator>

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
        free_[begin_] = size_.count;
    }
    const std::uint64_t wanted = round_up(size == 0 ? 1 : size, alignment);
    for (auto hole = free_.begin(); hole != free_.end(); ++hole) {
        const std::uint64_t begin = hole->first;
        const std::uint64_t end = begin + hole->second;
        const std::uint64_t address = round_up(begin + header_bytes, aligned_to < alignment ? alignment : aligned_to);
        if (address > end || wanted > end - address) continue;
        free_.erase(hole);
        const std::uint64_t block = address - header_bytes;  // what alignment skips stays free
        if (block != begin) free_[begin] = block - begin;
        if (address + wanted != end) free_[address + wanted] = end - address - wanted;
        taken_[address] = wanted + header_bytes;
        return address;
    }
    return 0;
}

bool DeviceHeap::free(std::uint64_t address) {
    if (address == 0) return true;
    const auto found = taken_.find(address);
    if (found == taken_.end()) return false;
    std::uint64_t begin = address - header_bytes;
    std::uint64_t size = found->second;
    taken_.erase(found);
    const auto next = free_.lower_bound(begin);
    if (next != free_.end() && next->first == begin + size) {
        size += next->second;
        free_.erase(next);
    }
    const auto after = free_.lower_bound(begin);
    if (after != free_.begin()) {
        const auto before = std::prev(after);
        if (before->first + before->second == begin) {
            before->second += size;
            return true;
        }
    }
    free_[begin] = size;
    return true;
}

}  // namespace sassafras::sim
