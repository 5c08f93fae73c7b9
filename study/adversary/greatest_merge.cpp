#include "study/adversary/greatest_merge.hpp"

#include <algorithm>
#include <utility>

namespace sassafras::study::adversary {
namespace {

/// The most elements from the chosen banks, over all merges.
std::uint32_t most_from(const TwoLists& lists, const std::vector<std::uint32_t>& banks, std::uint32_t w,
                        std::vector<std::uint32_t>& best) {
    const auto E = static_cast<std::uint32_t>(banks.size());
    const std::uint32_t total = lists.first_count + lists.second_count;
    best.assign(lists.first_count + 2, 0);
    for (std::uint32_t output = total; output-- > 0;) {
        const std::uint32_t hot = banks[output % E];
        const std::uint32_t least = output > lists.second_count ? output - lists.second_count : 0;
        const std::uint32_t most = std::min(output, lists.first_count);
        for (std::uint32_t a = least; a <= most; ++a) {
            std::uint32_t value = 0;
            if (a < lists.first_count)
                value = best[a + 1] + static_cast<std::uint32_t>((lists.first_bank + a) % w == hot);
            if (output - a < lists.second_count)
                value =
                    std::max(value, best[a] + static_cast<std::uint32_t>((lists.second_bank + output - a) % w == hot));
            best[a] = value;
        }
    }
    return best[0];
}

}  // namespace

std::uint64_t greatest_by_merges(const TwoLists& lists, std::uint32_t E, std::uint32_t w) {
    MergePath ascending(lists.second_count, 0);
    ascending.resize(lists.first_count + lists.second_count, 1);
    WarpMerge merge{{lists}, {std::move(ascending)}};
    MergePath& path = merge.paths.front();
    std::uint64_t greatest = 0;
    do {
        greatest = std::max(greatest, accesses_along(merge, E, w));
    } while (std::next_permutation(path.begin(), path.end()));
    return greatest;
}

std::uint64_t greatest_by_banks(const TwoLists& lists, std::uint32_t E, std::uint32_t w) {
    return greatest_by_banks(std::vector<TwoLists>{lists}, E, w);
}

std::uint64_t greatest_by_banks(const std::vector<TwoLists>& groups, std::uint32_t E, std::uint32_t w) {
    std::vector<std::uint32_t> banks(E, 0);
    std::vector<std::uint32_t> scratch;
    std::uint64_t greatest = 0;
    while (true) {
        std::uint64_t most = 0;
        for (const TwoLists& lists : groups) most += most_from(lists, banks, w, scratch);
        greatest = std::max(greatest, most);
        std::size_t step = 0;
        while (step < E && ++banks[step] == w) banks[step++] = 0;
        if (step == E) return greatest;
    }
}

}  // namespace sassafras::study::adversary
