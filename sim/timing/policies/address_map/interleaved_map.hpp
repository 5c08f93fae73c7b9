// Neighbours take turns: lines over the slices of a partition, granules over the partitions, rows over the banks. A
// stride of as many lines as there are slices meets one slice only.
#pragma once

#include <cstdint>

#include "sim/platform/platform.hpp"
#include "sim/timing/memory/dram_row.hpp"

namespace sassafras::sim {

class InterleavedMap {
  public:
    explicit InterleavedMap(const Platform& platform)
        : line_bytes_(platform.lsu.l1_line_bytes),
          granule_bytes_(platform.l2.partition_granule_bytes),
          partitions_(platform.l2.partitions),
          partition_slices_(platform.l2.slices / platform.l2.partitions),
          channels_(platform.dram.channels),
          rows_bytes_(std::uint64_t{platform.dram.row_bytes} * platform.dram.channels),
          banks_(platform.dram.banks) {}

    [[nodiscard]] std::uint32_t partition(std::uint64_t line) const {
        return static_cast<std::uint32_t>(line * line_bytes_ / granule_bytes_ % partitions_);
    }
    [[nodiscard]] std::uint32_t slice_of_partition(std::uint64_t line) const {
        return static_cast<std::uint32_t>(line % partition_slices_);
    }
    [[nodiscard]] std::uint32_t channel(std::uint32_t slice) const { return slice % channels_; }
    [[nodiscard]] DramRow row(std::uint64_t line) const {
        const std::uint64_t row = line * line_bytes_ / rows_bytes_;
        return {.bank = static_cast<std::uint32_t>(row % banks_), .number = row};
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
