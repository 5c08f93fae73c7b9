// The keys on which a pairwise mergesort in shared memory (sort mgpu; ModernGPU, Thrust) meets the most bank conflicts,
// or the fewest.
//
// From the last round back to the first, the sorted keys are "unmerged": each warp's outputs go to the two lists that
// it merges along the worst, or the best, path (merge_path.hpp). Theorem and conditions: docs/worst-cases.md.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/result.hpp"
#include "study/adversary/merge_path.hpp"

namespace sassafras::study::adversary {

enum class Goal : std::uint8_t { worst, best };

/// A pairwise mergesort on a machine.
struct SortShape {
    std::uint32_t E = 15;   ///< elements a thread
    std::uint32_t b = 128;  ///< threads a block: a power of two, at least w
    std::uint32_t w = 32;   ///< lanes of a warp and banks: a power of two, 4 to 32

    [[nodiscard]] std::uint64_t warp_elements() const { return std::uint64_t{w} * E; }
    [[nodiscard]] std::uint64_t block_elements() const { return std::uint64_t{b} * E; }
};

/// What reads cost.
struct ReadCost {
    std::uint64_t requests = 0;  ///< of warps
    std::uint64_t accesses = 0;  ///< serialised: at least these; for the best input at most
    std::uint64_t bound = 0;     ///< no input costs more; for the best input: less
};

/// What a round costs. Machine code reads the heads, then the successors; E steps that each read the element which they
/// take cost as the successors do, and one step more.
struct RoundPrediction {
    std::uint64_t run = 0;  ///< elements in each list that is merged
    ReadCost steps;         ///< reading the elements that the E steps take
    ReadCost heads;         ///< the first element of each thread's two parts
    ReadCost successors;    ///< the element behind the one taken, in all steps but the last
};

/// Where the elements of each list of a pair stand in the output of two warps, the second of which swaps the lists'
/// roles: both lists have as many.
struct PairPlaces {
    std::vector<std::uint32_t> first;
    std::vector<std::uint32_t> second;
};
[[nodiscard]] PairPlaces places_of_two_warps(const MergePath& path);

class SortInput {
  public:
    static constexpr std::uint32_t greatest_E = 256;

    /// Error bad_input: no such shape, or more than 2^32 keys (each has its own value).
    [[nodiscard]] static Result<SortInput> make(const SortShape& shape, std::uint64_t n, Goal goal);

    /// keys[i] for i in [begin, begin + keys.size()): a permutation of 0 .. n-1. Begin is a multiple of w E, and so is
    /// the size, unless the keys end there. Needs a few KiB whatever n is.
    void keys(std::uint64_t begin, std::span<std::uint32_t> keys) const;
    [[nodiscard]] std::vector<std::uint32_t> keys() const;

    /// Rounds from the first. Their accesses are exact where n is b E times a power of two.
    [[nodiscard]] std::vector<RoundPrediction> rounds() const;
    [[nodiscard]] const SortShape& shape() const { return shape_; }
    [[nodiscard]] std::uint64_t size() const { return n_; }

  private:
    /// Where the elements of one list of a pair stand among the 2wE outputs of two warps: bit 31 says in the second
    /// warp's, the rest the place there.
    using Places = std::vector<std::uint32_t>;

    SortInput(const SortShape& shape, std::uint64_t n, Goal goal);
    /// Serialised accesses of a warp in a round.
    struct WarpCost {
        std::uint64_t steps = 0;  ///< all E
        std::uint64_t last = 0;   ///< the last one of them
        std::uint64_t heads = 0;
    };
    [[nodiscard]] static WarpCost cost_of(const WarpMerge& merge, const SortShape& shape);

    /// Unmerges the rounds inside a warp, and lays out the path of two warps.
    void follow_paths();
    /// Fewer keys than a block's: the layout's advantage is small, so keys drawn at random replace it if they cost
    /// less.
    void take_better_than_drawn();
    /// How many warps cost what was laid out in a round between warps: those of whole pairs of lists, then of the last.
    [[nodiscard]] std::uint64_t warps_as_laid_out(std::uint64_t run) const;
    /// How many pairs of warps merge along the worst path where the second list has so many elements, then ends.
    [[nodiscard]] std::uint64_t warp_pairs_along_path(std::uint64_t run, std::uint64_t second_count) const;
    /// The keys of a warp's elements into `place`; `chunk` is scratch of the same size.
    void warp_block(std::uint64_t block, std::span<std::uint32_t> place, std::span<std::uint32_t> chunk) const;

    SortShape shape_;
    std::uint64_t n_ = 0;
    Goal goal_ = Goal::worst;
    bool sorted_ = false;                     ///< no conflict at all: the keys are 0, 1, 2, ...
    Places first_;                            ///< of the first list's
    Places second_;                           ///< of the second list's
    std::vector<std::uint32_t> inside_;       ///< rank, among a warp's elements, of its i-th before any round
    std::vector<std::uint32_t> inside_last_;  ///< the same of the last warp, if it is short
    std::vector<std::uint32_t> drawn_;        ///< the keys, if a random order is better than the one laid out
    std::vector<WarpCost> inside_costs_;      ///< of the rounds inside a warp
    WarpCost cost_;                           ///< of every later round
};

}  // namespace sassafras::study::adversary
