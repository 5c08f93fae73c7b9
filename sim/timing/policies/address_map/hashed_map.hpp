// Addresses spread so that no stride meets one place only, for GPUs whose own hash is not known.
#pragma once

#include <bit>
#include <cstdint>

#include "sim/platform/platform.hpp"
#include "sim/timing/memory/dram_row.hpp"
#include "sim/timing/memory/mix.hpp"

namespace sassafras::sim {

class HashedMap {
  public:
    explicit HashedMap(const Platform& platform)
        : line_bytes_(platform.lsu.l1_line_bytes),
          granule_bytes_(platform.l2.partition_granule_bytes),
          partitions_(platform.l2.partitions),
          partition_slices_(platform.l2.slices / platform.l2.partitions),
          channels_(platform.dram.channels),
          rows_bytes_(std::uint64_t{platform.dram.row_bytes} * platform.dram.channels),
          banks_(platform.dram.banks) {}

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
    [[nodiscard]] std::uint32_t channel(std::uint32_t slice) const { return slice % channels_; }
    [[nodiscard]] DramRow row(std::uint64_t line) const {
        const std::uint64_t row = line * line_bytes_ / rows_bytes_;
        return {.bank = static_cast<std::uint32_t>(mix(row) % banks_), .number = row};
    }

  private:
    std::uint64_t line_bytes_;
    std::uint64_t granule_bytes_;
    std::uint32_t partitions_;
    std::uint64_t partition_slices_;
    std::uint32_t channels_;
    std::uint64_t rows_bytes_;  ///< addresses that have one row of each channel
    std::uint32_t banks_;
};

}  // namespace sassafras::sim
