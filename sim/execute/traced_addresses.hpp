// Where a trace says that registered host memory lies. Kernels reach it at its host address, which depends on what else
// the host's allocator gave out; slices of L2 and channels of DRAM, and so cycles, must not.
#pragma once

#include <cstdint>
#include <map>

#include "core/free_ranges.hpp"

namespace sassafras::sim {

class TracedAddresses {
  public:
    /// No program, library, stack, device or pinned memory lies here on x86-64 Linux.
    static constexpr std::uint64_t first_address = 0x7400'0000'0000;
    static constexpr std::uint64_t capacity = 0x0800'0000'0000;

    TracedAddresses() { room_.add(first_address, capacity); }

    /// Traces have these bytes from a boundary of `alignment` on (but for what the widest access is aligned to), by the
    /// order in which ranges come and go. Where there is no room they have the host's address.
    void add(std::uint64_t begin, std::uint64_t size);
    /// Of the range that begins here, if there is one.
    void remove(std::uint64_t begin);

    [[nodiscard]] bool is_empty() const { return ranges_.empty(); }
    [[nodiscard]] std::uint64_t of(std::uint64_t address) const;

  private:
    static constexpr std::uint64_t alignment = 512;  // as of what the device allocates
    static constexpr std::uint64_t widest_access = 16;
    struct Range {
        std::uint64_t size = 0;
        std::uint64_t traced = 0;
    };
    [[nodiscard]] static std::uint64_t taken_by(const Range& range);

    std::map<std::uint64_t, Range> ranges_;  ///< by host address
    FreeRanges room_;
};

}  // namespace sassafras::sim
