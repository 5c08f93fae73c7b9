// Channels, banks and rows of DRAM where an address map has nothing better: channels take turns behind slices, a row of
// each channel is next to the other channels', and a hash says which bank it is in.
#pragma once

#include <cstdint>

#include "sim/platform/platform.hpp"
#include "sim/timing/memory/dram_row.hpp"
#include "sim/timing/memory/mix.hpp"

namespace sassafras::sim {

class HashedRows {
  public:
    explicit HashedRows(const Platform& platform)
        : channels_(platform.dram.channels),
          rows_bytes_(platform.dram.row_span_bytes != 0
                          ? platform.dram.row_span_bytes
                          : std::uint64_t{platform.dram.row_bytes} * platform.dram.channels),
          line_bytes_(platform.lsu.l1_line_bytes),
          banks_(platform.dram.banks) {}

    [[nodiscard]] std::uint32_t channel(std::uint32_t slice) const { return slice % channels_; }
    [[nodiscard]] DramRow row(std::uint64_t line) const {
        const std::uint64_t row = line * line_bytes_ / rows_bytes_;
        return {.bank = static_cast<std::uint32_t>(mix(row) % banks_), .number = row};
    }

  private:
    std::uint32_t channels_;
    std::uint64_t rows_bytes_;  ///< addresses that have one row of each channel
    std::uint64_t line_bytes_;
    std::uint32_t banks_;
};

}  // namespace sassafras::sim
