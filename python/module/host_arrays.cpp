#include "python/module/host_arrays.hpp"

#include <algorithm>
#include <map>

namespace sassafras::python {

namespace {

using Spans = std::map<std::uintptr_t, std::uintptr_t>;  ///< begin -> end, host addresses; they do not touch

std::uintptr_t address_of(const HostRange& range) { return reinterpret_cast<std::uintptr_t>(range.begin); }

/// From a whole unit on: an array may be a part of another.
std::uintptr_t aligned_begin(const HostRange& range) {
    return address_of(range) / sim::MemoryImage::lent_alignment * sim::MemoryImage::lent_alignment;
}

void add(Spans& spans, std::uintptr_t begin, std::uintptr_t end) {
    auto next = spans.upper_bound(begin);
    if (next != spans.begin() && std::prev(next)->second > begin) --next;
    while (next != spans.end() && next->first < end) {
        begin = std::min(begin, next->first);
        end = std::max(end, next->second);
        next = spans.erase(next);
    }
    spans[begin] = end;
}

}  // namespace

LentArrays::~LentArrays() {
    for (const Address& address : lent_) (void)memory_.take_back(address);
}

Result<std::vector<std::uint64_t>> LentArrays::lend(const std::vector<HostRange>& ranges) {
    Spans spans;
    for (const HostRange& range : ranges)
        if (range.bytes != 0) add(spans, aligned_begin(range), address_of(range) + range.bytes);
    std::map<std::uintptr_t, std::uint64_t> device;  // of the spans lent so far, by where they begin
    std::vector<std::uint64_t> addresses;
    for (const HostRange& range : ranges) {
        if (range.bytes == 0) {
            addresses.push_back(0);
            continue;
        }
        const auto span = std::prev(spans.upper_bound(address_of(range)));
        const auto [known, is_new] = device.try_emplace(span->first);
        if (is_new) {
            auto address = memory_.lend(reinterpret_cast<std::byte*>(span->first), Bytes{span->second - span->first});
            if (!address) return address.error();
            lent_.push_back(*address);
            known->second = address->value;
        }
        addresses.push_back(known->second + (address_of(range) - span->first));
    }
    return addresses;
}

}  // namespace sassafras::python
