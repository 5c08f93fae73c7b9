// Addresses spread so that no stride meets one place only, for GPUs whose own hash is not known.
#pragma once

#include <bit>
#include <cstdint>

#include "sim/platform/platform.hpp"
#include "sim/timing/memory/hashed_rows.hpp"
#include "sim/timing/memory/mix.hpp"

namespace sassafras::sim {

class HashedMap {
  public:
    explicit HashedMap(const Platform& platform)
        : line_bytes_(platform.lsu.l1_line_bytes),
          granule_bytes_(platform.l2.partition_granule_bytes),
          partitions_(platform.l2.partitions),
          partition_slices_(platform.l2.slices / platform.l2.partitions),
          rows_(platform) {}

    /// Granules take turns in an order that no stride meets: of two partitions the parity of the granule's number says
    /// which.
    [[nodiscard]] std::uint32_t partition(std::uint64_t line) const {
        if (partitions_ == 1) return 0;
        const std::uint64_t granule = line * line_bytes_ / granule_bytes_;
        if (partitions_ == 2) return static_cast<std::uint32_t>(std::popcount(granule)) & 1U;
        return static_cast<std::uint32_t>(mix(granule) % partitions_);
    }
    /// As many neighbouring lines as a partition has slices lie in as many slices, in an order that differs from one
    /// such group to the next.
    [[nodiscard]] std::uint32_t slice_of_partition(std::uint64_t line) const {
        const std::uint64_t turn = (mix(line / partition_slices_) & 0xffffffffU) * partition_slices_ >> 32U;
        const std::uint64_t slice = line % partition_slices_ + turn;
        return static_cast<std::uint32_t>(slice < partition_slices_ ? slice : slice - partition_slices_);
    }
    [[nodiscard]] std::uint32_t channel(std::uint32_t slice) const { return rows_.channel(slice); }
    [[nodiscard]] DramRow row(std::uint64_t line) const { return rows_.row(line); }

  private:
    std::uint64_t line_bytes_;
    std::uint64_t granule_bytes_;
    std::uint32_t partitions_;
    std::uint64_t partition_slices_;
    HashedRows rows_;
};

}  // namespace sassafras::sim
