// The allocations of a launch, and which of them somebody has changed: reads of the others need no record.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "sim/execute/memory_image.hpp"

namespace sassafras::sim {

/// An allocation: device addresses [begin, end).
struct Region {
    MemoryImage::Extent extent;
    /// The epoch in which somebody changed it for the first time in this launch; 0: nobody has.
    std::atomic<std::uint32_t> first_changed{0};
};

class Regions {
  public:
    explicit Regions(const MemoryImage& memory) {
        const std::vector<MemoryImage::Extent> allocations = memory.allocations();
        count_ = allocations.size();
        regions_ = std::make_unique<Region[]>(count_);
        for (std::size_t i = 0; i < count_; ++i) regions_[i].extent = allocations[i];
    }

    [[nodiscard]] std::size_t size() const { return count_; }
    [[nodiscard]] Region& operator[](std::size_t index) { return regions_[index]; }
    [[nodiscard]] const Region& operator[](std::size_t index) const { return regions_[index]; }
    [[nodiscard]] std::uint32_t index_of(const Region& region) const {
        return static_cast<std::uint32_t>(&region - regions_.get());
    }

    /// What to add to a device address to get its host address: the same for all.
    [[nodiscard]] std::uintptr_t base() const {
        if (count_ == 0) return 0;
        const MemoryImage::Extent& first = regions_[0].extent;
        return reinterpret_cast<std::uintptr_t>(first.host) - first.begin;
    }

    /// The allocation that holds an address, or null.
    [[nodiscard]] Region* find(std::uint64_t address) {
        Region* const end = regions_.get() + count_;
        Region* const after =
            std::upper_bound(regions_.get(), end, address,
                             [](std::uint64_t at, const Region& region) { return at < region.extent.begin; });
        if (after == regions_.get() || address >= (after - 1)->extent.end) return nullptr;
        return after - 1;
    }

  private:
    std::size_t count_ = 0;
    std::unique_ptr<Region[]> regions_;  ///< in order of address
};

}  // namespace sassafras::sim
