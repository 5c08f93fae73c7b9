#include "study/adversary/group_merges.hpp"

#include <utility>

#include "study/adversary/hot_banks.hpp"
#include "study/adversary/level_merges.hpp"

namespace sassafras::study::adversary {
namespace {

/// Lists of equal length, one behind the other from bank 0, two for every `threads` of a warp.
std::vector<TwoLists> group_lists(std::uint32_t E, std::uint32_t w, std::uint32_t threads) {
    std::vector<TwoLists> lists;
    const std::uint32_t count = threads / 2 * E;
    for (std::uint32_t begin = 0; begin < w * E; begin += 2 * count)
        lists.push_back({count, count, begin % w, (begin + count) % w});
    return lists;
}

}  // namespace

WarpMerge worst_group_merges(std::uint32_t E, std::uint32_t w, std::uint32_t threads) {
    std::vector<TwoLists> lists = group_lists(E, w, threads);
    const HotBanks hot = search_hot_banks(lists, E, w).banks;
    return merge_along(std::move(lists), hot, w);
}

WarpMerge best_group_merges(std::uint32_t E, std::uint32_t w, std::uint32_t threads) {
    const std::vector<TwoLists> lists = group_lists(E, w, threads);
    const std::uint32_t half = E / 2;
    std::vector<MergePath> candidates;
    candidates.push_back(by_threads(E, threads, [=](std::uint32_t thread) { return thread < threads / 2 ? E : 0; }));
    candidates.push_back(by_threads(E, threads, [=](std::uint32_t thread) { return thread % 2 == 0 ? E : 0; }));
    for (std::uint32_t less = 0; less < half; ++less) {
        const std::uint32_t few = half - less;
        candidates.push_back(
            by_threads(E, threads, [=](std::uint32_t thread) { return thread < threads / 2 ? few : E - few; }));
        candidates.push_back(
            by_threads(E, threads, [=](std::uint32_t thread) { return thread % 2 == 0 ? few : E - few; }));
    }
    WarpMerge best;
    for (const MergePath& candidate : candidates) {
        WarpMerge merge{lists, std::vector<MergePath>(lists.size(), candidate)};
        if (best.paths.empty() || accesses_along(merge, E, w) < accesses_along(best, E, w)) best = std::move(merge);
    }
    return level_merges(std::move(best), E, w);
}

}  // namespace sassafras::study::adversary
