#include "study/adversary/level_merges.hpp"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "core/random.hpp"

namespace sassafras::study::adversary {
namespace {

/// What a word more in a bank counts for, by how many are read from there in the step: much more than all the words of
/// less crowded banks, so that the most crowded are emptied first.
std::uint64_t crowding(std::uint32_t words) { return std::uint64_t{1} << std::min(3 * words, 45U); }

struct Cost {
    std::uint64_t accesses = 0;
    std::uint64_t crowding = 0;

    bool operator<=(const Cost& other) const {
        return accesses != other.accesses ? accesses < other.accesses : crowding <= other.crowding;
    }
};

class Levelling {
  public:
    Levelling(WarpMerge merge, std::uint32_t E, std::uint32_t w)
        : merge_(std::move(merge)), E_(E), w_(w), random_(E * 64 + w), load_(std::size_t{E} * w, 0) {
        taken_.resize(merge_.paths.size());
        for (std::size_t group = 0; group < merge_.paths.size(); ++group) {
            const MergePath& path = merge_.paths[group];
            std::uint32_t of_first = 0;
            for (std::uint32_t output = 0; output < path.size(); ++output) {
                if (output % E == 0) taken_[group].push_back(of_first);
                of_first += path[output];
            }
            taken_[group].push_back(of_first);
            for (std::uint32_t thread = 0; thread + 1 < taken_[group].size(); ++thread) count({group, thread, 1}, 1);
        }
        for (std::uint32_t step = 0; step < E; ++step) cost_.push_back(cost_of(step));
    }

    WarpMerge run() {
        for (std::uint32_t trial = 0; trial < most_trials && entries_ < most_entries; ++trial) {
            const std::size_t group = random_.below(merge_.paths.size());
            const auto threads = static_cast<std::uint32_t>(taken_[group].size() - 1);
            const std::uint32_t width = std::min<std::uint32_t>(threads, random_.below(8) == 0 ? 4 : 2);
            improve({group, static_cast<std::uint32_t>(random_.below(threads - width + 1)), width});
        }
        return std::move(merge_);
    }

  private:
    static constexpr std::uint32_t most_trials = 6000;
    static constexpr std::uint64_t most_entries = 20'000'000;  ///< of dynamic programs

    /// Some neighbouring threads that merge one pair of lists.
    struct Window {
        std::size_t group = 0;
        std::uint32_t thread = 0;
        std::uint32_t threads = 0;
    };

    [[nodiscard]] std::uint32_t first_bank(const Window& window, std::uint32_t a) const {
        return (merge_.lists[window.group].first_bank + a) % w_;
    }
    [[nodiscard]] std::uint32_t second_bank(const Window& window, std::uint32_t b) const {
        return (merge_.lists[window.group].second_bank + b) % w_;
    }

    /// Adds what the window's threads read to the load, or takes it away.
    void count(const Window& window, std::uint32_t more) {
        const MergePath& path = merge_.paths[window.group];
        std::uint32_t a = taken_[window.group][window.thread];
        for (std::uint32_t output = window.thread * E_; output < (window.thread + window.threads) * E_; ++output) {
            const std::uint32_t bank = path[output] != 0 ? first_bank(window, a) : second_bank(window, output - a);
            a += path[output];
            load_[output % E_ * w_ + bank] += more;
        }
    }

    [[nodiscard]] Cost cost_of(std::uint32_t step) const {
        Cost cost;
        for (std::uint32_t bank = 0; bank < w_; ++bank) {
            const std::uint32_t words = load_[step * w_ + bank];
            cost.accesses = std::max<std::uint64_t>(cost.accesses, words);
            for (std::uint32_t word = 0; word < words; ++word) cost.crowding += crowding(word);
        }
        return cost;
    }

    [[nodiscard]] static Cost sum(const std::vector<Cost>& costs) {
        Cost sum;
        for (const Cost& cost : costs) {
            sum.accesses += cost.accesses;
            sum.crowding += cost.crowding;
        }
        return sum;
    }

    void improve(const Window& window) {
        const std::uint32_t begin = window.thread * E_;
        const std::uint32_t end = begin + window.threads * E_;
        MergePath& path = merge_.paths[window.group];
        const auto from = path.begin() + begin;
        const MergePath before(from, path.begin() + end);
        const std::vector<Cost> cost_before = cost_;
        count(window, ~std::uint32_t{0});
        least_crowded(window);
        count(window, 1);
        for (std::uint32_t step = 0; step < E_; ++step) cost_[step] = cost_of(step);
        if (sum(cost_) <= sum(cost_before)) {
            std::uint32_t a = taken_[window.group][window.thread];
            for (std::uint32_t output = begin; output < end; ++output) {
                if (output % E_ == 0) taken_[window.group][output / E_] = a;
                a += path[output];
            }
            return;
        }
        count(window, ~std::uint32_t{0});
        std::copy(before.begin(), before.end(), from);
        count(window, 1);
        cost_ = cost_before;
    }

    /// The way of least crowding through the window, for the load of all other threads. Among equal ways one is drawn.
    void least_crowded(const Window& window) {
        const std::uint32_t begin = window.thread * E_;
        const std::uint32_t size = window.threads * E_;
        const std::uint32_t a_begin = taken_[window.group][window.thread];
        const std::uint32_t firsts = taken_[window.group][window.thread + window.threads] - a_begin;
        const std::uint32_t seconds = size - firsts;
        const std::size_t columns = std::size_t{firsts} + 1;
        least_.assign(columns + 1, 0);
        takes_first_.assign(size * columns, 0);
        for (std::uint32_t output = size; output-- > 0;) {
            const std::uint32_t* const load = &load_[output % E_ * w_];
            const std::uint32_t fewest = output > seconds ? output - seconds : 0;
            const std::uint32_t most = std::min(output, firsts);
            entries_ += most - fewest + 1;
            for (std::uint32_t a = fewest; a <= most; ++a) {
                constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();
                const std::uint32_t b = output - a;
                const std::uint64_t by_first =
                    a == firsts ? never : least_[a + 1] + crowding(load[first_bank(window, a_begin + a)]);
                const std::uint64_t by_second =
                    b == seconds ? never : least_[a] + crowding(load[second_bank(window, begin - a_begin + b)]);
                const bool first = by_first != by_second ? by_first < by_second : random_.below(2) == 0;
                least_[a] = first ? by_first : by_second;
                takes_first_[output * columns + a] = static_cast<std::uint8_t>(first);
            }
        }
        std::uint32_t a = 0;
        for (std::uint32_t output = 0; output < size; ++output) {
            const std::uint8_t first = takes_first_[output * columns + a];
            merge_.paths[window.group][begin + output] = first;
            a += first;
        }
    }

    WarpMerge merge_;
    std::uint32_t E_;
    std::uint32_t w_;
    Random random_;
    std::vector<std::vector<std::uint32_t>> taken_;  ///< from the first list, before each thread and at the end
    std::vector<std::uint32_t> load_;                ///< words read in each step from each bank
    std::vector<Cost> cost_;                         ///< of each step
    std::vector<std::uint64_t> least_;
    std::vector<std::uint8_t> takes_first_;
    std::uint64_t entries_ = 0;
};

}  // namespace

WarpMerge level_merges(WarpMerge merge, std::uint32_t E, std::uint32_t w) {
    return Levelling(std::move(merge), E, w).run();
}

}  // namespace sassafras::study::adversary
