// Memory that host and GPU share under one address: managed and pinned allocations, at addresses that are the same in
// every run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <vector>

#include "core/free_ranges.hpp"
#include "core/types.hpp"

namespace sassafras::cudart {

enum class HostMemoryKind : std::uint8_t { pinned, managed, managed_variable, registered };

/// As cudaMemoryTypeManaged has it; a variable cannot be freed.
[[nodiscard]] constexpr bool is_managed(HostMemoryKind kind) {
    return kind == HostMemoryKind::managed || kind == HostMemoryKind::managed_variable;
}

struct HostAllocation {
    std::byte* begin = nullptr;
    std::uint64_t size = 0;  ///< bytes, as asked for
    HostMemoryKind kind{};
    unsigned flags = 0;
};

class HostMemory {
  public:
    /// Of the first allocation, unless others have this place. No program, library, stack or sanitizer lies here on
    /// x86-64 Linux, and no simulated device memory.
    static constexpr std::uint64_t first_address = 0x7200'0000'0000;

    HostMemory() = default;
    HostMemory(const HostMemory&) = delete;
    HostMemory& operator=(const HostMemory&) = delete;
    ~HostMemory();

    /// For --check, before the first allocation: what is freed is not given out again while there is other room, and
    /// nobody has the page behind an allocation. Until then this process cannot access it (of many, the first).
    void keep_freed() { keeps_freed_ = true; }

    /// Zeroed memory, page-aligned; nullptr if there is no room, or no address space was to be had.
    [[nodiscard]] std::byte* allocate(std::uint64_t size, HostMemoryKind kind, unsigned flags);
    /// Takes note of memory that the program has. False if it overlaps what is known.
    [[nodiscard]] bool add(std::byte* begin, std::uint64_t size, unsigned flags);
    /// Forgets the allocation that begins here, and gives its memory back unless it is the program's.
    bool remove(const void* begin);
    /// Gives back or forgets all of it but managed variables, which outlive a reset. Returns what it gave back.
    std::vector<HostAllocation> clear();
    /// allocate() has refused what it would have given in a process with all the address space that it likes.
    [[nodiscard]] bool has_fallen_short() const { return has_fallen_short_; }
    /// The allocation around an address.
    [[nodiscard]] std::optional<HostAllocation> find(const void* address) const;

  private:
    struct Pages {
        std::uint64_t offset = 0;
        std::uint64_t bytes = 0;
        bool is_protected = false;
    };
    static constexpr std::uint64_t most_bytes = std::uint64_t{1} << 40U;
    void reserve();
    [[nodiscard]] std::optional<std::uint64_t> take(std::uint64_t needed);
    [[nodiscard]] std::uint64_t pages_of(std::uint64_t size) const;
    void give_back(const Pages& pages);
    void give_back_oldest_freed();

    bool keeps_freed_ = false;
    bool is_reserved_ = false;  ///< it was tried
    bool has_fallen_short_ = false;
    std::byte* arena_ = nullptr;
    std::uint64_t arena_bytes_ = 0;
    std::uint64_t next_ = 0;
    FreeRanges holes_;         ///< offsets of pages that were freed and may be given out
    std::deque<Pages> freed_;  ///< those that are kept back, the oldest first
    std::uint64_t freed_bytes_ = 0;
    std::size_t protected_ = 0;                            ///< of freed_, those that this process cannot access
    std::map<std::uint64_t, HostAllocation> allocations_;  ///< by address
};

}  // namespace sassafras::cudart
