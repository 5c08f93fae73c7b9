// A model of the shared-memory reads of a pairwise mergesort's merges, for keys as they are: it knows nothing of how
// worst inputs are made, so that it can prove them wrong.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "study/adversary/sort_input.hpp"

namespace sassafras::study::adversary {

/// Requests of warps, and the accesses they cost one after the other: the most different words of one bank.
struct SerialisedReads {
    std::uint64_t requests = 0;
    std::uint64_t accesses = 0;

    void add(const SerialisedReads& other) {
        requests += other.requests;
        accesses += other.accesses;
    }
    bool operator==(const SerialisedReads&) const = default;
};

struct MergeReads {
    SerialisedReads heads;  ///< the first element of each thread's two parts
    std::vector<SerialisedReads>
        steps;  ///< E: the element behind the one taken; the last is not needed, so nvcc leaves it out

    void add(const MergeReads& other);
    /// All E steps. A step's reads cost as much as reading the elements taken would: each lies one bank further on.
    [[nodiscard]] SerialisedReads all_steps() const;
};

/// Merges as the threads of serial_merge.cuh do. `staged` is what lies in shared memory from word 0 on; every
/// `threads` threads of it merge two lists: the first first_count of their threads * E elements, and the others, both
/// ascending. The output replaces the input.
[[nodiscard]] MergeReads merge_staged(std::span<std::uint32_t> staged, std::uint32_t first_count, std::uint32_t threads,
                                      const SortShape& shape);

struct RoundReads {
    std::uint64_t run = 0;  ///< elements in each list that is merged
    MergeReads reads;
};

/// Sorts the keys as sort mgpu does and counts what each round reads, from the first.
[[nodiscard]] std::vector<RoundReads> count_merge_reads(std::vector<std::uint32_t>& keys, const SortShape& shape);

}  // namespace sassafras::study::adversary
