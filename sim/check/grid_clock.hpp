// What of one block happens before what of another: through atomics and strong (volatile) stores, and reads of what
// they wrote.
//
// Behind a fence they pass on all that came before the fence. Without one they still pass on the reads that came
// before: a load has its value before a later store of its thread is seen, and decoupled look-back scans in place count
// on it. Writes without a fence may be seen late.
//
// The grid's time grows at every such release. A block that reads a location learns of all that any block had released
// when that location was last released: more than is really ordered, never less. So a race may be missed where blocks
// synchronise for another reason at the same time, but none is reported where there is none.
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace sassafras::sim {

/// How far something is known, in the grid's time: 0: not at all.
struct GridTime {
    std::uint64_t all = 0;    ///< releases of writes and reads up to here, behind fences
    std::uint64_t reads = 0;  ///< releases of reads up to here; not before `all`

    void join(const GridTime& other) {
        all = std::max(all, other.all);
        reads = std::max(reads, other.reads);
    }
};

class GridClock {
  public:
    /// A block writes `location`: released is what it did before its time `fence`, 0 if it has not fenced, and what it
    /// read before its time `now`.
    void release(std::uint32_t block, std::uint32_t fence, std::uint32_t now, std::uint64_t location);
    [[nodiscard]] bool has_released() const { return now_ != 0; }
    /// The grid's time at the last releases of the location.
    [[nodiscard]] GridTime released(std::uint64_t location) const;
    /// Whether what `block` did at its time `stamp`, a read or a write, is known to one that has learnt up to
    /// `horizon`.
    [[nodiscard]] bool is_ordered(std::uint32_t block, std::uint32_t stamp, bool is_read,
                                  const GridTime& horizon) const;

  private:
    struct Release {
        std::uint32_t before = 0;  ///< the block's time
        std::uint64_t time = 0;
    };
    using Releases = std::vector<Release>;  ///< both numbers grow
    struct OfBlock {
        Releases all;
        Releases reads;
    };
    static void add(Releases& releases, const Release& release);

    std::uint64_t now_ = 0;
    std::unordered_map<std::uint64_t, GridTime> locations_;
    std::unordered_map<std::uint32_t, OfBlock> blocks_;
};

}  // namespace sassafras::sim
