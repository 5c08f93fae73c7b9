#include "cudart/host_memory.hpp"

#include <sys/mman.h>
#include <vector>

#include <iterator>

namespace sassafras::cudart {

namespace {

/// Where no program, library, stack or sanitizer lies on x86-64 Linux, and no simulated device memory.
constexpr std::uint64_t arena_address = 0x7200'0000'0000;
constexpr std::uint64_t most_arena_bytes = std::uint64_t{1} << 40U;
constexpr std::uint64_t least_arena_bytes = std::uint64_t{1} << 32U;
constexpr std::uint64_t page = 4096;

std::uint64_t whole_pages(std::uint64_t size) { return (size + page - 1) / page * page; }

}  // namespace

HostMemory::HostMemory() {
    // Address space only: a page takes memory when it is first touched. Where a sanitizer keeps the wanted addresses
    // for itself, the system chooses others, and may have less in one piece.
    for (std::uint64_t bytes = most_arena_bytes; arena_ == nullptr && bytes >= least_arena_bytes; bytes /= 4) {
        void* arena = mmap(reinterpret_cast<void*>(arena_address), bytes, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (arena == MAP_FAILED) continue;
        arena_ = static_cast<std::byte*>(arena);
        arena_bytes_ = bytes;
    }
}

HostMemory::~HostMemory() {
    if (arena_ != nullptr) munmap(arena_, arena_bytes_);
}

std::byte* HostMemory::allocate(std::uint64_t size, HostMemoryKind kind, unsigned flags) {
    if (arena_ == nullptr || size == 0 || size > arena_bytes_) return nullptr;
    const std::uint64_t needed = whole_pages(size);
    std::uint64_t offset = next_;
    if (const auto hole = holes_.take(needed)) {
        offset = *hole;
    } else {
        if (needed > arena_bytes_ - next_) return nullptr;
        next_ += needed;
    }
    allocations_[reinterpret_cast<std::uint64_t>(arena_) + offset] = {arena_ + offset, size, kind, flags};
    return arena_ + offset;
}

bool HostMemory::add(std::byte* begin, std::uint64_t size, unsigned flags) {
    const auto address = reinterpret_cast<std::uint64_t>(begin);
    const auto next = allocations_.lower_bound(address);
    if (next != allocations_.end() && next->first - address < size) return false;
    if (next != allocations_.begin()) {
        const auto before = std::prev(next);
        if (address - before->first < before->second.size) return false;
    }
    allocations_[address] = {begin, size, HostMemoryKind::registered, flags};
    return true;
}

bool HostMemory::remove(const void* begin) {
    const auto found = allocations_.find(reinterpret_cast<std::uint64_t>(begin));
    if (found == allocations_.end()) return false;
    const HostAllocation allocation = found->second;
    allocations_.erase(found);
    if (allocation.kind == HostMemoryKind::registered) return true;
    const std::uint64_t bytes = whole_pages(allocation.size);
    madvise(allocation.begin, bytes, MADV_DONTNEED);
    holes_.add(static_cast<std::uint64_t>(allocation.begin - arena_), bytes);
    if (const auto last = holes_.take_ending_at(next_)) next_ = *last;
    return true;
}

void HostMemory::clear() {
    std::vector<const std::byte*> gone;
    for (const auto& [address, allocation] : allocations_)
        if (allocation.kind != HostMemoryKind::managed_variable) gone.push_back(allocation.begin);
    for (const std::byte* begin : gone) (void)remove(begin);
}

std::optional<HostAllocation> HostMemory::find(const void* address) const {
    const auto value = reinterpret_cast<std::uint64_t>(address);
    auto after = allocations_.upper_bound(value);
    if (after == allocations_.begin()) return std::nullopt;
    --after;
    if (value - after->first >= after->second.size) return std::nullopt;
    return after->second;
}

}  // namespace sassafras::cudart
