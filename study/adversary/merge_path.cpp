#include "study/adversary/merge_path.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>

#include "core/result.hpp"

namespace sassafras::study::adversary {

MergePath zipper(std::uint32_t E, std::uint32_t w) {
    require_invariant(2 * E < w, "a zipper of too many elements a thread");
    MergePath path;
    path.reserve(std::size_t{E} * w);
    const auto of_first = [](std::uint32_t column) { return static_cast<std::uint8_t>(column % 2 == 0 ? 1 : 0); };
    const std::uint32_t filler = w - E;  // words of a column behind its aligned ones
    std::uint32_t columns_begun = 0;
    for (std::uint32_t thread = 0; thread < filler; ++thread) {
        const std::uint32_t begin = thread * E;  // of this thread's words in the stream of fillers
        const std::uint32_t last_column = (begin + E - 1) / filler;
        while (columns_begun <= last_column) path.insert(path.end(), E, of_first(columns_begun++));
        for (std::uint32_t word = begin; word < begin + E; ++word) path.push_back(of_first(word / filler));
    }
    return path;
}

namespace {

/// Fills best[0] with the most aligned elements, and, unless it is empty, for each output and each count of the first
/// list's elements before it, whether the first list is taken from.
std::uint64_t align(const TwoLists& lists, const HotBanks& hot, std::uint32_t w, std::vector<std::uint32_t>& best,
                    std::span<std::uint8_t> takes_first) {
    const auto E = static_cast<std::uint32_t>(hot.size());
    const std::uint32_t total = lists.first_count + lists.second_count;
    const std::size_t columns = std::size_t{lists.first_count} + 1;
    // best[a]: most aligned elements among the outputs from some output on, a of the first list being taken before it.
    // Rows go from the last output to the first, so that the path can be read forwards.
    best.assign(columns + 1, 0);
    for (std::uint32_t output = total; output-- > 0;) {
        const std::uint32_t bank = hot[output % E];
        const std::uint32_t least = output > lists.second_count ? output - lists.second_count : 0;
        const std::uint32_t most = std::min(output, lists.first_count);
        for (std::uint32_t a = least; a <= most; ++a) {  // best[a + 1] is still the next output's
            const bool can_first = a < lists.first_count;
            const bool can_second = output - a < lists.second_count;
            const std::uint32_t by_first =
                can_first ? best[a + 1] + static_cast<std::uint32_t>((lists.first_bank + a) % w == bank) : 0;
            const std::uint32_t by_second =
                can_second ? best[a] + static_cast<std::uint32_t>((lists.second_bank + output - a) % w == bank) : 0;
            const bool first = can_first && (!can_second || by_first >= by_second);
            best[a] = first ? by_first : by_second;
            if (!takes_first.empty()) takes_first[output * columns + a] = static_cast<std::uint8_t>(first);
        }
    }
    return best[0];
}

HotBanks banks_from(std::uint32_t start, std::uint32_t E, std::uint32_t w) {
    HotBanks hot(E);
    for (std::uint32_t step = 0; step < E; ++step) hot[step] = (start + step) % w;
    return hot;
}

std::uint64_t aligned_in_all(const std::vector<TwoLists>& lists, const HotBanks& hot, std::uint32_t w) {
    std::uint64_t aligned = 0;
    for (const TwoLists& one : lists) aligned += most_aligned_count(one, hot, w);
    return aligned;
}

struct Choice {
    HotBanks hot;
    std::uint64_t aligned = 0;

    void improve(const std::vector<TwoLists>& lists, HotBanks candidate, std::uint32_t w) {
        const std::uint64_t count = aligned_in_all(lists, candidate, w);
        if (count <= aligned) return;
        aligned = count;
        hot = std::move(candidate);
    }
};

Choice best_start(const std::vector<TwoLists>& lists, std::uint32_t E, std::uint32_t w) {
    Choice best;
    for (std::uint32_t start = 0; start < w; ++start) best.improve(lists, banks_from(start, E, w), w);
    return best;
}

}  // namespace

WarpMerge merge_along(std::vector<TwoLists> lists, const HotBanks& hot, std::uint32_t w) {
    WarpMerge merge;
    for (const TwoLists& one : lists) merge.paths.push_back(most_aligned(one, hot, w).path);
    merge.lists = std::move(lists);
    return merge;
}

AlignedMerge most_aligned(const TwoLists& lists, const HotBanks& hot, std::uint32_t w) {
    const std::uint32_t total = lists.first_count + lists.second_count;
    const std::size_t columns = std::size_t{lists.first_count} + 1;
    std::vector<std::uint32_t> best;
    std::vector<std::uint8_t> takes_first(total * columns);
    AlignedMerge merge;
    merge.aligned = align(lists, hot, w, best, takes_first);
    merge.path.reserve(total);
    std::size_t a = 0;
    for (std::uint32_t output = 0; output < total; ++output) {
        merge.path.push_back(takes_first[output * columns + a]);
        a += merge.path.back();
    }
    return merge;
}

std::uint64_t most_aligned_count(const TwoLists& lists, const HotBanks& hot, std::uint32_t w) {
    std::vector<std::uint32_t> best;
    return align(lists, hot, w, best, {});
}

std::vector<std::uint64_t> accesses_by_step(const WarpMerge& merge, std::uint32_t E, std::uint32_t w) {
    std::vector<std::uint32_t> load(std::size_t{E} * w, 0);
    for (std::size_t group = 0; group < merge.paths.size(); ++group) {
        std::uint32_t of_first = 0;
        for (std::uint32_t output = 0; output < merge.paths[group].size(); ++output) {
            const std::uint32_t bank = merge.paths[group][output] != 0
                                           ? merge.lists[group].first_bank + of_first++
                                           : merge.lists[group].second_bank + output - of_first;
            ++load[output % E * w + bank % w];
        }
    }
    std::vector<std::uint64_t> accesses;
    for (auto step = load.begin(); step != load.end(); step += w) accesses.push_back(*std::max_element(step, step + w));
    return accesses;
}

std::uint64_t accesses_along(const WarpMerge& merge, std::uint32_t E, std::uint32_t w) {
    const std::vector<std::uint64_t> steps = accesses_by_step(merge, E, w);
    return std::accumulate(steps.begin(), steps.end(), std::uint64_t{0});
}

std::uint64_t accesses_of_heads(const WarpMerge& merge, std::uint32_t E, std::uint32_t w) {
    std::vector<std::uint32_t> load(std::size_t{2} * w, 0);  // of the first lists' banks, then of the second lists'
    for (std::size_t group = 0; group < merge.paths.size(); ++group) {
        const MergePath& path = merge.paths[group];
        const TwoLists& lists = merge.lists[group];
        std::uint32_t of_first = 0;
        std::uint32_t taken = 0;  // of the first list, by the thread before
        std::uint32_t left = 0;
        for (std::uint32_t output = 0; output < path.size(); output += E) {
            // A thread's head is the one of the thread before, if that takes none: one access serves both.
            if (output == 0 || taken != 0) ++load[(lists.first_bank + of_first) % w];
            if (output == 0 || left != 0) ++load[w + (lists.second_bank + output - of_first) % w];
            const auto begin = path.begin() + output;
            taken = static_cast<std::uint32_t>(std::count(begin, begin + E, std::uint8_t{1}));
            left = E - taken;
            of_first += taken;
        }
    }
    return *std::max_element(load.begin(), load.begin() + w) + *std::max_element(load.begin() + w, load.end());
}

namespace {

/// `load` has words of each bank, for one read after the other.
ReadsAhead reads_that_load(const std::vector<std::uint32_t>& load, std::uint32_t w) {
    ReadsAhead reads;
    for (auto read = load.begin(); read != load.end(); read += w) {
        const std::uint32_t most = *std::max_element(read, read + w);
        reads.accesses += most;
        reads.requests += static_cast<std::uint64_t>(most != 0);
    }
    return reads;
}

}  // namespace

ReadsAhead reads_ahead(const WarpMerge& merge, std::uint32_t E, std::uint32_t w) {
    std::vector<std::uint32_t> load(std::size_t{E} * w, 0);
    for (std::size_t group = 0; group < merge.paths.size(); ++group) {
        const MergePath& path = merge.paths[group];
        std::uint32_t of_first = 0;
        for (std::uint32_t output = 0; output < path.size(); ++output) {
            const std::uint32_t bank = path[output] != 0 ? merge.lists[group].first_bank + of_first++
                                                         : merge.lists[group].second_bank + output - of_first;
            const auto begin = path.begin() + output + 1;
            const auto end = path.begin() + (output / E + 1) * E;
            if (std::find(begin, end, path[output]) != end) ++load[output % E * w + (bank + 1) % w];
        }
    }
    return reads_that_load(load, w);
}

ReadsAhead reads_of_heads(const WarpMerge& merge, std::uint32_t E, std::uint32_t w) {
    std::vector<std::uint32_t> load(std::size_t{2} * w, 0);  // of the first lists' banks, then of the second lists'
    for (std::size_t group = 0; group < merge.paths.size(); ++group) {
        const MergePath& path = merge.paths[group];
        const TwoLists& lists = merge.lists[group];
        std::uint32_t of_first = 0;
        for (std::uint32_t output = 0; output < path.size(); output += E) {
            const auto begin = path.begin() + output;
            const auto taken = static_cast<std::uint32_t>(std::count(begin, begin + E, std::uint8_t{1}));
            if (taken != 0) ++load[(lists.first_bank + of_first) % w];
            if (taken != E) ++load[w + (lists.second_bank + output - of_first) % w];
            of_first += taken;
        }
    }
    return reads_that_load(load, w);
}

WarpMerge worst_warp_merge(std::uint32_t E, std::uint32_t w) {
    const TwoLists lists{(E + 1) / 2 * w, E / 2 * w, 0, 0};
    if (2 * E < w) return {{lists}, {zipper(E, w)}};
    Choice best = best_start({lists}, E, w);
    constexpr std::uint64_t most_work = 2'000'000'000;  // entries of dynamic programs: a few seconds
    const std::uint64_t entries = std::uint64_t{E} * w * lists.first_count;
    if (entries * E * w <= most_work && best.aligned < greatest_accesses(E, w))
        for (std::uint32_t begin = 1; begin < E; ++begin)
            for (std::uint32_t skipped = 1; skipped < w; ++skipped) {
                HotBanks hot = banks_from(0, E, w);
                for (std::uint32_t step = begin; step < E; ++step) hot[step] = (hot[step] + skipped) % w;
                best.improve({lists}, std::move(hot), w);
            }
    return merge_along({lists}, best.hot, w);
}

namespace {

/// E / 2, or the odd number below it.
std::uint32_t odd_half(std::uint32_t E) { return E / 2 - (E / 2 + 1) % 2; }

}  // namespace

MergePath by_threads(std::uint32_t E, std::uint32_t threads,
                     const std::function<std::uint32_t(std::uint32_t thread)>& first_of) {
    MergePath path;
    path.reserve(std::size_t{E} * threads);
    for (std::uint32_t thread = 0; thread < threads; ++thread) {
        const std::uint32_t of_first = first_of(thread);
        path.insert(path.end(), of_first, 1);
        path.insert(path.end(), E - of_first, 0);
    }
    return path;
}

WarpMerge best_warp_merge(std::uint32_t E, std::uint32_t w) {
    const std::uint32_t of_first = E % 2 == 1 ? E : odd_half(E);
    return {{{of_first * w, (E - of_first) * w, 0, 0}}, {by_threads(E, w, [=](std::uint32_t) { return of_first; })}};
}

}  // namespace sassafras::study::adversary
