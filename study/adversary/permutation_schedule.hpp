// Moving words of shared memory along a permutation that is known beforehand, without a bank conflict.
//
// Word i lies in bank i mod w and goes to bank p(i) mod w. The graph with a vertex for each bank to read and for each
// to write, and an edge for each word, is n/w-regular and bipartite, so its edges have n/w colours (Koenig): the words
// of a colour come from w different banks and go to w different banks, one round of w lanes. After Nakano's off-line
// permutation (shared-memory machine models, 2012 and later).
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "core/result.hpp"

namespace sassafras::study::adversary {

struct PermutationSchedule {
    static constexpr std::uint32_t idle = std::numeric_limits<std::uint32_t>::max();

    std::uint32_t w = 32;             ///< lanes and banks
    std::vector<std::uint32_t> from;  ///< w a round: the word that each lane moves, or idle; lane l reads bank l

    [[nodiscard]] std::size_t rounds() const { return from.size() / w; }
};

/// ceil(n / w) rounds, the fewest. permutation[i] is where word i goes. w is a power of two, 2 to 32. Error bad_input:
/// no permutation of 0 .. n-1, n below 2^31. Time: n w at most.
[[nodiscard]] Result<PermutationSchedule> schedule_permutation(std::span<const std::uint32_t> permutation,
                                                               std::uint32_t w);

/// Empty, or what is wrong with the schedule: a word that is not moved exactly once, two lanes of a round that read or
/// write one bank. Nothing is taken over from how it was made.
[[nodiscard]] std::string fault_of(const PermutationSchedule& schedule, std::span<const std::uint32_t> permutation);

}  // namespace sassafras::study::adversary
