// Memory that somebody lends to the GPU: it has the device address that an allocation of its size would have, so that
// cycles do not depend on where the host has it, and the host's bytes, so that nothing is copied.
#include <fmt/format.h>

#include "sim/execute/memory_image.hpp"

namespace sassafras::sim {

Result<Address> MemoryImage::lend(std::byte* host, Bytes size) {
    if (reinterpret_cast<std::uintptr_t>(host) % lent_alignment != 0 || size.count == 0)
        return Error{ErrorKind::bad_input,
                     fmt::format("{} bytes of host memory at {} cannot be lent", size.count, fmt::ptr(host)), "",
                     fmt::format("lend memory that begins at a multiple of {} bytes", lent_alignment)};
    auto address = allocate(size);
    if (address) lent_[address->value - first_address_] = host;
    return address;
}

Result<void> MemoryImage::take_back(Address address) {
    const std::uint64_t offset = address.value - first_address_;
    if (lent_.erase(offset) == 0)
        return Error{ErrorKind::bad_input, fmt::format("nothing that was lent begins at {:#x}", address.value), "",
                     "take back what lend returned, once"};
    const auto found = live_.find(offset);
    // As allocate() had reckoned; the address may be given out again at once, as nothing of the GPU's is left there.
    const std::uint64_t size = (found->second + alignment - 1) / alignment * alignment + alignment;
    live_.erase(found);
    holes_.add(offset, size);
    if (const auto last = holes_.take_ending_at(next_)) next_ = *last;
    return {};
}

std::byte* MemoryImage::host_of(std::uint64_t offset) const {
    const auto lent = lent_.find(offset);
    return lent == lent_.end() ? arena_ + offset : lent->second;
}

bool MemoryImage::has_lent_within(std::uint64_t begin, std::uint64_t end) const {
    const auto next = lent_.lower_bound(begin);
    return next != lent_.end() && next->first < end;
}

}  // namespace sassafras::sim
