// Merges by a warp that meet as many bank conflicts as can be, or as few: which of two lists each output comes from.
//
// Thread t of a warp takes outputs [tE, (t+1)E), one a step, all threads in step. Lanes and banks are w each. k
// elements that a step takes from one bank are k accesses one after the other. (ModernGPU and Thrust read the successor
// of what is taken: every bank moves by one, the counts stay.) docs/worst-cases.md has the proofs.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace sassafras::study::adversary {

/// An entry for each output in order: 1 if it comes from the first list, 0 if from the second.
using MergePath = std::vector<std::uint8_t>;

/// No merge costs a warp more in its E steps, if its elements of the second list begin in the bank behind those of the
/// first, or both are a multiple of w: then a bank holds E of the wE words. A step has w lanes.
[[nodiscard]] constexpr std::uint64_t greatest_accesses(std::uint32_t E, std::uint32_t w) {
    return std::uint64_t{E} * (E < w ? E : w);
}
/// The same wherever its two parts begin: a bank holds at most E + 1 of the words.
[[nodiscard]] constexpr std::uint64_t greatest_accesses_anywhere(std::uint32_t E, std::uint32_t w) {
    return std::uint64_t{E} * (E + 1 < w ? E + 1 : w);
}

/// For 2E < w: E aligned elements in every step, the bound, with ceil(E/2) w elements of the first list and floor(E/2)
/// w of the second, both from bank 0. Construction after Berney and Sitchinava's claim (IPDPS 2020); their text was not
/// at hand, so it is ours: E columns of w words, of the two lists in turn; the first E words of a column are one
/// thread's, the rest of the columns, one after the other, are cut into E words a thread.
[[nodiscard]] MergePath zipper(std::uint32_t E, std::uint32_t w);

/// Two lists that some threads merge, and where they lie.
struct TwoLists {
    std::uint32_t first_count = 0;
    std::uint32_t second_count = 0;  ///< both together are a multiple of E
    std::uint32_t first_bank = 0;    ///< bank of the list's first element
    std::uint32_t second_bank = 0;
};

/// The bank of each of the E steps whose accesses a merge is to pile up.
using HotBanks = std::vector<std::uint32_t>;

struct AlignedMerge {
    MergePath path;
    std::uint64_t aligned = 0;  ///< elements taken from their step's hot bank
};

/// The merge that takes most elements from hot banks, by dynamic programming over how many of each list are taken. Time
/// and bytes: first_count times all elements.
[[nodiscard]] AlignedMerge most_aligned(const TwoLists& lists, const HotBanks& hot, std::uint32_t w);
/// Their number alone, in less memory.
[[nodiscard]] std::uint64_t most_aligned_count(const TwoLists& lists, const HotBanks& hot, std::uint32_t w);

/// What the threads of a warp do in one round: one entry for each pair of lists that they merge, in order of threads.
struct WarpMerge {
    std::vector<TwoLists> lists;
    std::vector<MergePath> paths;
};

/// most_aligned() for each of them.
[[nodiscard]] WarpMerge merge_along(std::vector<TwoLists> lists, const HotBanks& hot, std::uint32_t w);

/// Each thread takes first_of(thread) of its E elements from the first list, then the others from the second.
[[nodiscard]] MergePath by_threads(std::uint32_t E, std::uint32_t threads,
                                   const std::function<std::uint32_t(std::uint32_t thread)>& first_of);

/// Serialised accesses of the E steps: in each the most elements of one bank.
[[nodiscard]] std::uint64_t accesses_along(const WarpMerge& merge, std::uint32_t E, std::uint32_t w);

/// The same of each step.
[[nodiscard]] std::vector<std::uint64_t> accesses_by_step(const WarpMerge& merge, std::uint32_t E, std::uint32_t w);

/// Serialised accesses of the two reads before the steps, if every thread reads the first element behind what the
/// threads before it take of the first list, and then of the second, whether or not it takes one.
[[nodiscard]] std::uint64_t accesses_of_heads(const WarpMerge& merge, std::uint32_t E, std::uint32_t w);

/// What threads read that hold the next element of both their parts and, after taking one, read the one behind it
/// unless it is another thread's: requests of the E steps that read at all, and their accesses.
struct ReadsAhead {
    std::uint64_t requests = 0;
    std::uint64_t accesses = 0;
};
[[nodiscard]] ReadsAhead reads_ahead(const WarpMerge& merge, std::uint32_t E, std::uint32_t w);
/// The reads before them: of the first element of each thread's part of the first list, if it has any, then of the
/// second.
[[nodiscard]] ReadsAhead reads_of_heads(const WarpMerge& merge, std::uint32_t E, std::uint32_t w);

/// A whole warp's part of a merge, both lists from bank 0, ceil(E/2) w elements of the first. If 2E < w the zipper.
/// Else the best of most_aligned() for hot banks s, s + 1, s + 2, ... from every s, and for those from 0 that once skip
/// some banks (unless that takes long: E greater than about 3w/2 at w = 32).
[[nodiscard]] WarpMerge worst_warp_merge(std::uint32_t E, std::uint32_t w);

/// Without conflicts for every E: all w E elements of one list if E is odd; else E/2 of each a thread, or one more and
/// one less, so that both counts are odd, first from the first list and then from the second. Both lists from bank 0.
[[nodiscard]] WarpMerge best_warp_merge(std::uint32_t E, std::uint32_t w);

}  // namespace sassafras::study::adversary
