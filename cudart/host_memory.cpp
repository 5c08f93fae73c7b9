#include "cudart/host_memory.hpp"

#include <sys/mman.h>

#include <iterator>

#include "sim/execute/affordable_space.hpp"

namespace sassafras::cudart {

namespace {

constexpr std::uint64_t least_bytes = std::uint64_t{1} << 20U;
constexpr std::uint64_t page = 4096;

}  // namespace

/// Address space only: a page takes memory when it is first touched. Where a sanitizer keeps the wanted addresses for
/// itself, the system chooses others, and may have less in one piece.
void HostMemory::reserve() {
    is_reserved_ = true;
    for (std::uint64_t bytes = sim::affordable_space(most_bytes); arena_ == nullptr && bytes >= least_bytes;
         bytes /= 4) {
        void* arena = mmap(reinterpret_cast<void*>(first_address), bytes, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (arena == MAP_FAILED) continue;
        arena_ = static_cast<std::byte*>(arena);
        arena_bytes_ = bytes;
    }
}

HostMemory::~HostMemory() {
    if (arena_ != nullptr) munmap(arena_, arena_bytes_);
}

/// Bytes that an allocation takes.
std::uint64_t HostMemory::pages_of(std::uint64_t size) const {
    return (size + page - 1) / page * page + (keeps_freed_ ? page : 0);
}

/// Offset of free pages; empty if there is no room.
std::optional<std::uint64_t> HostMemory::take(std::uint64_t needed) {
    auto offset = holes_.take(needed);
    while (!offset && needed > arena_bytes_ - next_) {
        if (freed_.empty()) return std::nullopt;
        give_back_oldest_freed();
        offset = holes_.take(needed);
    }
    if (offset) return offset;
    next_ += needed;
    return next_ - needed;
}

std::byte* HostMemory::allocate(std::uint64_t size, HostMemoryKind kind, unsigned flags) {
    if (!is_reserved_) reserve();
    if (size == 0 || size > most_bytes) return nullptr;
    const auto offset = take(pages_of(size));
    if (!offset) {
        has_fallen_short_ = has_fallen_short_ || arena_bytes_ < most_bytes;
        return nullptr;
    }
    allocations_[reinterpret_cast<std::uint64_t>(arena_) + *offset] = {arena_ + *offset, size, kind, flags};
    return arena_ + *offset;
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
    Pages pages{static_cast<std::uint64_t>(allocation.begin - arena_), pages_of(allocation.size)};
    madvise(allocation.begin, pages.bytes, MADV_DONTNEED);
    if (!keeps_freed_) {
        give_back(pages);
        return true;
    }
    // As on hardware, the program's own access faults. The system has a number of ranges for a process (65,530), which
    // are the program's too: past some of them an access stays unseen.
    constexpr std::size_t most_protected = 16384;
    if (protected_ < most_protected && mprotect(allocation.begin, pages.bytes, PROT_NONE) == 0) {
        pages.is_protected = true;
        ++protected_;
    }
    freed_.push_back(pages);
    freed_bytes_ += pages.bytes;
    while (freed_bytes_ > arena_bytes_ / 2) give_back_oldest_freed();
    return true;
}

void HostMemory::give_back(const Pages& pages) {
    holes_.add(pages.offset, pages.bytes);
    if (const auto last = holes_.take_ending_at(next_)) next_ = *last;
}

void HostMemory::give_back_oldest_freed() {
    const Pages oldest = freed_.front();
    freed_.pop_front();
    freed_bytes_ -= oldest.bytes;
    if (oldest.is_protected) {
        if (mprotect(arena_ + oldest.offset, oldest.bytes, PROT_READ | PROT_WRITE) != 0) return;  // nobody gets it
        --protected_;
    }
    give_back(oldest);
}

std::vector<HostAllocation> HostMemory::clear() {
    std::vector<HostAllocation> gone;
    for (const auto& [address, allocation] : allocations_)
        if (allocation.kind != HostMemoryKind::managed_variable) gone.push_back(allocation);
    for (const HostAllocation& allocation : gone) (void)remove(allocation.begin);
    std::erase_if(gone, [](const HostAllocation& allocation) { return allocation.kind == HostMemoryKind::registered; });
    return gone;
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
