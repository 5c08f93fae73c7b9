// What of one block happens before what of another: through atomics and strong (volatile) stores behind a fence, and
// reads of what they wrote.
//
// The grid's time grows at every such release. A block that reads a location learns of all that any block had released
// when that location was last released: more than is really ordered, never less. So a race may be missed where blocks
// synchronise for another reason at the same time, but none is reported where there is none.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace sassafras::sim {

class GridClock {
  public:
    /// A block writes `location`; what it did before its time `fence` is released, if it has not been before.
    void release(std::uint32_t block, std::uint32_t fence, std::uint64_t location);
    [[nodiscard]] bool has_released() const { return now_ != 0; }
    /// The grid's time at the last release of the location; 0: never.
    [[nodiscard]] std::uint64_t released(std::uint64_t location) const;
    /// Whether what `block` did at its time `stamp` is known to one that has learnt up to `horizon`.
    [[nodiscard]] bool is_ordered(std::uint32_t block, std::uint32_t stamp, std::uint64_t horizon) const;

  private:
    struct Release {
        std::uint32_t fence = 0;
        std::uint64_t time = 0;
    };
    std::uint64_t now_ = 0;
    std::unordered_map<std::uint64_t, std::uint64_t> locations_;
    std::unordered_map<std::uint32_t, std::vector<Release>> blocks_;  ///< both numbers grow
};

}  // namespace sassafras::sim
