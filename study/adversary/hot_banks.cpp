#include "study/adversary/hot_banks.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <utility>

#include "core/random.hpp"
#include "core/result.hpp"

namespace sassafras::study::adversary {
namespace {

constexpr std::uint32_t most_banks = 32;

/// A value for each way to move some steps' hot banks: lane d moves them d banks on. Counts stay below 2^15: a warp has
/// at most 32 * 256 elements.
using Lanes = std::array<std::int16_t, most_banks>;

/// Steps [begin, end): those that are moved.
struct Steps {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
};

void greater_of(Lanes& value, const Lanes& other) {
    for (std::size_t lane = 0; lane < most_banks; ++lane) value[lane] = std::max(value[lane], other[lane]);
}
void add(Lanes& value, std::int16_t more) {
    for (std::size_t lane = 0; lane < most_banks; ++lane) value[lane] = static_cast<std::int16_t>(value[lane] + more);
}

class HotBankSearch {
  public:
    HotBankSearch(const std::vector<TwoLists>& lists, std::uint32_t E, std::uint32_t w)
        : E_(E), w_(w), random_(E * 64 + w) {
        for (const TwoLists& one : lists)
            ++groups_[{one.first_count, one.second_count, one.first_bank % w, one.second_bank % w}];
        best_.banks.assign(E, 0);
        bound_ = bound(lists);
    }

    HotBankChoice run() {
        rotate();
        skip_once();
        climb();
        return best_;
    }

  private:
    // Measured in entries of dynamic programs, each of w lanes: about 100 M a second.
    static constexpr std::uint64_t entries_of_skips = 16'000'000;
    static constexpr std::uint64_t entries_of_climb = 6'000'000;
    static constexpr std::uint32_t trials_of_climb = 2000;

    using Group = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>;  ///< members of TwoLists

    [[nodiscard]] bool done() const { return best_.aligned == bound_; }

    /// A step takes no more from a bank than there is, nor than there are threads.
    [[nodiscard]] std::uint64_t bound(const std::vector<TwoLists>& lists) const {
        std::vector<std::uint64_t> words(w_, 0);
        std::uint64_t all = 0;
        for (const TwoLists& one : lists) {
            for (std::uint32_t i = 0; i < one.first_count; ++i) ++words[(one.first_bank + i) % w_];
            for (std::uint32_t i = 0; i < one.second_count; ++i) ++words[(one.second_bank + i) % w_];
            all += one.first_count + one.second_count;
        }
        return E_ * std::min(*std::max_element(words.begin(), words.end()), all / E_);
    }

    /// Aligned elements of all groups if the steps' hot banks are moved on by each number of banks.
    std::array<std::uint32_t, most_banks> values(const HotBanks& banks, Steps moved) {
        std::array<std::uint32_t, most_banks> sum{};
        for (const auto& [group, count] : groups_) {
            const auto [first_count, second_count, first_bank, second_bank] = group;
            align({first_count, second_count, first_bank, second_bank}, banks, moved);
            for (std::size_t lane = 0; lane < w_; ++lane)
                sum[lane] += count * static_cast<std::uint32_t>(rows_.front()[lane]);
        }
        return sum;
    }

    /// The program of most_aligned(), for all lanes at once; the result is in the first row.
    void align(const TwoLists& lists, const HotBanks& banks, Steps moved) {
        rows_.assign(std::size_t{lists.first_count} + 1, {});
        for (std::uint32_t output = lists.first_count + lists.second_count; output-- > 0;) {
            const std::uint32_t step = output % E_;
            const bool moves = step >= moved.begin && step < moved.end;
            const std::uint32_t least = output > lists.second_count ? output - lists.second_count : 0;
            const std::uint32_t most = std::min(output, lists.first_count);
            entries_ += most - least + 1;
            for (std::uint32_t a = least; a <= most; ++a) {
                // How far the hot bank has to be moved for the element to be in it.
                const std::uint32_t to_first = (lists.first_bank + a - banks[step]) & (w_ - 1);
                const std::uint32_t to_second = (lists.second_bank + output - a - banks[step]) & (w_ - 1);
                Lanes& row = rows_[a];
                const bool can_second = output - a < lists.second_count;
                if (can_second) {
                    if (moves)
                        ++row[to_second];
                    else if (to_second == 0)
                        add(row, 1);
                }
                if (a == lists.first_count) continue;
                Lanes by_first = rows_[a + 1];
                if (moves)
                    ++by_first[to_first];
                else if (to_first == 0)
                    add(by_first, 1);
                if (can_second)
                    greater_of(row, by_first);
                else
                    row = by_first;
            }
        }
    }

    void consider(const HotBanks& banks, Steps moved, std::uint32_t by, std::uint64_t aligned) {
        if (aligned <= best_.aligned) return;
        best_.banks = banks;
        move(best_.banks, moved, by);
        best_.aligned = aligned;
    }

    void move(HotBanks& banks, Steps moved, std::uint32_t by) const {
        for (std::uint32_t step = moved.begin; step < moved.end; ++step) banks[step] = (banks[step] + by) % w_;
    }

    [[nodiscard]] HotBanks from(std::uint32_t start) const {
        HotBanks banks(E_);
        for (std::uint32_t step = 0; step < E_; ++step) banks[step] = (start + step) % w_;
        return banks;
    }

    void consider_all(const HotBanks& banks, Steps moved) {
        const auto aligned = values(banks, moved);
        for (std::uint32_t by = 0; by < w_; ++by) consider(banks, moved, by, aligned[by]);
    }

    void rotate() { consider_all(from(0), {0, E_}); }

    /// The least number of banks by which all lists can be moved without a change, other than which group they are.
    [[nodiscard]] std::uint32_t period() const {
        for (std::uint32_t by = 1; by < w_; by *= 2) {
            auto moved = groups_;
            moved.clear();
            for (const auto& [group, count] : groups_) {
                const auto [first_count, second_count, first_bank, second_bank] = group;
                moved[{first_count, second_count, (first_bank + by) % w_, (second_bank + by) % w_}] += count;
            }
            if (moved == groups_) return by;
        }
        return w_;
    }

    void skip_once() {
        const std::uint32_t starts = period();
        for (std::uint32_t start = 0; start < starts; ++start)
            for (std::uint32_t begin = 1; begin < E_; ++begin) {
                if (done() || entries_ > entries_of_skips) return;
                consider_all(from(start), {begin, E_});
            }
    }

    /// Moves some steps' banks: one step's, or those of some neighbouring ones. The best move is made if it loses
    /// nothing, and sometimes if it loses little.
    void climb() {
        entries_ = 0;
        HotBanks banks = best_.banks;
        std::uint64_t current = best_.aligned;
        std::uint32_t since_better = 0;
        for (std::uint32_t trial = 0; trial < trials_of_climb && entries_ < entries_of_climb && !done(); ++trial) {
            const auto begin = static_cast<std::uint32_t>(random_.below(E_));
            Steps moved{begin, begin + 1};
            const std::uint64_t kind = random_.below(4);
            if (kind == 2) moved.end = E_;
            if (kind == 3) moved.end += static_cast<std::uint32_t>(random_.below(E_ - begin));
            const auto aligned = values(banks, moved);
            std::uint32_t by = 1;
            std::uint32_t equal = 0;
            for (std::uint32_t other = 1; other < w_; ++other) {
                if (aligned[other] > aligned[by]) equal = 0;
                if (aligned[other] >= aligned[by] && random_.below(++equal) == 0) by = other;
            }
            consider(banks, moved, by, aligned[by]);
            const bool little_lost = aligned[by] + 2 >= current && random_.below(10) < 3;
            since_better = aligned[by] > current ? 0 : since_better + 1;
            if (aligned[by] >= current || little_lost) {
                move(banks, moved, by);
                current = aligned[by];
            }
            if (since_better > 30 * E_) {
                banks = best_.banks;
                current = best_.aligned;
                since_better = 0;
            }
        }
    }

    std::uint32_t E_;
    std::uint32_t w_;
    Random random_;
    std::map<Group, std::uint32_t> groups_;  ///< pairs of lists that are alike are looked at once
    std::vector<Lanes> rows_;                ///< of the dynamic program: by elements taken from the first list
    std::uint64_t entries_ = 0;
    std::uint64_t bound_ = 0;  ///< of aligned elements
    HotBankChoice best_;
};

}  // namespace

HotBankChoice search_hot_banks(const std::vector<TwoLists>& lists, std::uint32_t E, std::uint32_t w) {
    require_invariant(w >= 2 && w <= most_banks && (w & (w - 1)) == 0, "hot banks of no machine");
    return HotBankSearch(lists, E, w).run();
}

}  // namespace sassafras::study::adversary
