// Merges of two lists of unequal length that meet few bank conflicts, for an even number of elements a thread.
#pragma once

#include <cstdint>

namespace sassafras::study::adversary {

/// Where each element of two lists goes in their merge. In all warps but the last one or two, and if both lists have
/// at least an element for every thread, all threads take the same odd number of the first list and then, E being even,
/// an odd number of the second: no step has a conflict, in whatever banks the lists begin. The other threads share what
/// is left evenly, so that their parts begin in as many banks as can be.
class UnevenMerge {
  public:
    /// first_count >= second_count >= 1, together at most 2^32; E even; w lanes and banks.
    UnevenMerge(std::uint64_t first_count, std::uint64_t second_count, std::uint32_t E, std::uint32_t w);

    /// The place in the output of the first list's element i, and of the second's.
    [[nodiscard]] std::uint64_t place_of_first(std::uint64_t i) const;
    [[nodiscard]] std::uint64_t place_of_second(std::uint64_t i) const;
    /// Warps without a conflict, the first ones.
    [[nodiscard]] std::uint64_t level_warps() const { return many_.warps + few_.warps; }

  private:
    /// Warps whose threads take equally many.
    struct Level {
        std::uint64_t warps = 0;
        std::uint64_t of_first = 0;  ///< of a thread's elements
    };
    /// How many of the first list the threads before one of the rest take.
    [[nodiscard]] std::uint64_t first_before(std::uint64_t thread) const;

    std::uint64_t E_;
    std::uint64_t w_;
    Level many_;
    Level few_;                     ///< behind them
    std::uint64_t rest_ = 0;        ///< outputs of the warps behind these
    std::uint64_t rest_first_ = 0;  ///< of the first list
};

}  // namespace sassafras::study::adversary
