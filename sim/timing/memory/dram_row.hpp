// Where a line lies in its channel of DRAM, as an address map says. A map is a class with
//
//     explicit Map(const Platform&);
//     std::uint32_t partition(std::uint64_t line) const;           // of L2, whose memory the line is in
//     std::uint32_t slice_of_partition(std::uint64_t line) const;  // which of a partition's slices; in each the same
//     std::uint32_t channel(std::uint32_t slice) const;            // what stands behind a slice; slices are numbered
//                                                                  // partition by partition in turn
//     DramRow row(std::uint64_t line) const;                       // for schedulers that open rows
#pragma once

#include <cstdint>

namespace sassafras::sim {

struct DramRow {
    std::uint32_t bank = 0;    ///< of the channel
    std::uint64_t number = 0;  ///< of all rows of the channel
};

}  // namespace sassafras::sim
