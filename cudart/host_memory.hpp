// Memory that host and GPU share under one address: managed and pinned allocations, at addresses that are the same in
// every run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>

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
    HostMemory();
    HostMemory(const HostMemory&) = delete;
    HostMemory& operator=(const HostMemory&) = delete;
    ~HostMemory();

    /// Zeroed memory, page-aligned; nullptr if there is no room, or no address space was to be had.
    [[nodiscard]] std::byte* allocate(std::uint64_t size, HostMemoryKind kind, unsigned flags);
    /// Takes note of memory that the program has. False if it overlaps what is known.
    [[nodiscard]] bool add(std::byte* begin, std::uint64_t size, unsigned flags);
    /// Forgets the allocation that begins here, and gives its memory back unless it is the program's.
    bool remove(const void* begin);
    /// Gives back or forgets all of it but managed variables, which outlive a reset.
    void clear();
    /// The allocation around an address.
    [[nodiscard]] std::optional<HostAllocation> find(const void* address) const;

  private:
    std::byte* arena_ = nullptr;
    std::uint64_t arena_bytes_ = 0;
    std::uint64_t next_ = 0;
    FreeRanges holes_;                                     ///< offsets of freed pages
    std::map<std::uint64_t, HostAllocation> allocations_;  ///< by address
};

}  // namespace sassafras::cudart
