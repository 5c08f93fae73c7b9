// Lines that L1 has a tag of because they were stored to: for the counters of stores alone, as data is written through.
//
// On an H200 a store counts as a hit in L1 where the line is there for a load (all of scan_add's and
// micro_spt_add_1's), or for a store before it (merge_E15: of 65,536 sectors that are stored 4,370 miss, those of the
// first store to each line; validate/records/h200/measured/metrics.csv). How long such a line stays is not known
// (gemm_128x128x8).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sassafras::sim {

class StoredLines {
  public:
    StoredLines() : lines_(entries, none) {}

    /// Notes a store; whether one to the same line came before, and none since to a line in the same place.
    bool store(std::uint64_t line) {
        std::uint64_t& last = lines_[line % entries];
        const bool there = last == line;
        last = line;
        return there;
    }

  private:
    static constexpr std::size_t entries = 1024;
    static constexpr std::uint64_t none = ~std::uint64_t{0};
    std::vector<std::uint64_t> lines_;
};

}  // namespace sassafras::sim
