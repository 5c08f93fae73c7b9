#include "workloads/search/pbs_paths.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <utility>

#include "core/random.hpp"
#include "workloads/search/worst_queries.hpp"

namespace sassafras::workloads::search {
namespace {

constexpr std::uint32_t none = ~std::uint32_t{0};

/// All queries that have taken the same way up to a read.
struct Way {
    std::uint32_t read = 0;
    std::uint32_t place = 0;
    std::uint32_t parent = none;
    std::uint32_t target = 0;  ///< the least of them
    bool counts = true;        ///< false: another way comes to this place in this read, and counts it
};

/// Every way, parents first.
std::vector<Way> all_ways(std::uint32_t key_count) {
    std::vector<Way> ways;
    std::vector<std::vector<std::uint32_t>> reads;
    reads.reserve(key_count);
    for (std::uint32_t target = 0; target < key_count; ++target) reads.push_back(pbs_reads(key_count, target));
    std::vector<std::uint32_t> way_of(key_count, none);
    std::vector<std::uint32_t> seen_in(key_count, none);  // the last read of the place
    for (std::uint32_t read = 0; read < reads.front().size(); ++read) {
        // Targets of one way are neighbours, as every branch compares with one key.
        std::uint32_t parent_before = none;
        for (std::uint32_t target = 0; target < key_count; ++target) {
            const std::uint32_t parent = way_of[target];
            const std::uint32_t place = reads[target][read];
            const bool same = target > 0 && parent == parent_before && place == ways.back().place;
            parent_before = parent;
            if (!same) {
                ways.push_back({read, place, parent, target, seen_in[place] != read});
                seen_in[place] = read;
            }
            way_of[target] = static_cast<std::uint32_t>(ways.size() - 1);
        }
    }
    return ways;
}

/// How many places of each bank each read can be of.
std::vector<std::array<std::uint32_t, w>> places_of(const std::vector<Way>& ways) {
    std::vector<std::array<std::uint32_t, w>> places(ways.back().read + 1);
    for (const Way& way : ways) places[way.read][way.place % w] += static_cast<std::uint32_t>(way.counts);
    return places;
}

std::vector<std::uint32_t> most_of_one_bank(const std::vector<std::array<std::uint32_t, w>>& places) {
    std::vector<std::uint32_t> most;
    most.reserve(places.size());
    for (const auto& of_bank : places) most.push_back(*std::max_element(of_bank.begin(), of_bank.end()));
    return most;
}

class Climb {
  public:
    explicit Climb(std::uint32_t key_count)
        : key_count_(key_count), random_(key_count), ways_(all_ways(key_count)), places_(places_of(ways_)) {
        for (const std::uint32_t most : most_of_one_bank(places_)) bound_ += std::min(most, w);
    }

    std::vector<std::uint32_t> run() {
        const std::uint64_t most_evaluations =
            std::max<std::uint64_t>(100, std::min<std::uint64_t>(8000, most_work / ways_.size()));
        std::vector<std::uint32_t> best;
        std::uint64_t most = 0;
        while (evaluations_ < most_evaluations && most < bound_) {
            const std::vector<std::uint32_t> targets = targets_of(climb_once(most_evaluations));
            const auto accesses = pbs_accesses(key_count_, targets);
            const std::uint64_t total = std::accumulate(accesses.begin(), accesses.end(), std::uint64_t{0});
            if (total <= most) continue;
            most = total;
            best = targets;
        }
        return best;
    }

  private:
    static constexpr std::uint64_t most_work = 40'000'000;  ///< ways looked at: some tenths of a second

    /// The banks of a local optimum, from random ones: each read's bank in turn is replaced by the best.
    std::vector<std::uint32_t> climb_once(std::uint64_t most_evaluations) {
        const std::size_t reads = places_.size();
        std::vector<std::uint32_t> banks(reads);
        for (std::size_t read = 0; read < reads; ++read) do
                banks[read] = static_cast<std::uint32_t>(random_.below(w));
            while (places_[read][banks[read]] == 0);
        std::vector<std::size_t> order(reads);
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::uint32_t current = 0;
        for (bool better = true; better && evaluations_ < most_evaluations;) {
            better = false;
            for (std::size_t i = reads; i > 1; --i) std::swap(order[i - 1], order[random_.below(i)]);
            for (const std::size_t read : order) {
                std::uint32_t chosen = banks[read];
                std::uint32_t equal = 1;
                for (std::uint32_t bank = 0; bank < w; ++bank) {
                    if (places_[read][bank] == 0) continue;
                    banks[read] = bank;
                    const std::uint32_t covered = cover(banks);
                    if (covered > current) {
                        current = covered;
                        chosen = bank;
                        better = true;
                        equal = 1;
                    } else if (covered == current && random_.below(++equal) == 0) {
                        chosen = bank;
                    }
                }
                banks[read] = chosen;
            }
        }
        return banks;
    }

    /// Ways in their reads' banks that w targets can take at most. Fills chains_: greatest first, at most w.
    std::uint32_t cover(const std::vector<std::uint32_t>& banks) {
        ++evaluations_;
        most_below_.assign(ways_.size(), 0);
        next_.assign(ways_.size(), none);
        chains_.clear();
        for (std::uint32_t i = static_cast<std::uint32_t>(ways_.size()); i-- > 0;) {
            const Way& way = ways_[i];
            const std::uint32_t covered =
                most_below_[i] + static_cast<std::uint32_t>(way.counts && way.place % w == banks[way.read]);
            if (way.parent == none) {
                chains_.emplace_back(covered, i);
            } else if (next_[way.parent] == none) {
                next_[way.parent] = i;
                most_below_[way.parent] = covered;
            } else {  // the better branch goes on; the other is a chain of its own
                std::pair<std::uint32_t, std::uint32_t> ends{covered, i};
                if (covered > most_below_[way.parent]) {
                    std::swap(ends.first, most_below_[way.parent]);
                    std::swap(ends.second, next_[way.parent]);
                }
                chains_.push_back(ends);
            }
        }
        if (chains_.size() > w) {
            std::nth_element(chains_.begin(), chains_.begin() + w, chains_.end(), std::greater<>());
            chains_.resize(w);
        }
        std::uint32_t covered = 0;
        for (const auto& chain : chains_) covered += chain.first;
        return covered;
    }

    std::vector<std::uint32_t> targets_of(const std::vector<std::uint32_t>& banks) {
        cover(banks);
        std::vector<std::uint32_t> targets;
        for (auto [covered, way] : chains_) {
            while (next_[way] != none) way = next_[way];
            targets.push_back(ways_[way].target);
        }
        while (targets.size() < w) targets.push_back(targets.front());
        return targets;
    }

    std::uint32_t key_count_;
    Random random_;
    std::vector<Way> ways_;
    std::vector<std::array<std::uint32_t, w>> places_;
    std::uint64_t bound_ = 0;
    std::uint64_t evaluations_ = 0;
    std::vector<std::uint32_t> most_below_;
    std::vector<std::uint32_t> next_;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> chains_;
};

}  // namespace

std::vector<std::uint32_t> pbs_bounds(std::uint32_t key_count) {
    const std::vector<Way> ways = all_ways(key_count);
    auto places = places_of(ways);
    // A query below all keys goes down always, and may come to a place that no key's query does.
    std::uint32_t place = key_count / 2;
    std::uint32_t distance = (key_count + 3) / 4;
    for (std::uint32_t read = 0; read < places.size(); ++read) {
        const bool known = std::any_of(ways.begin(), ways.end(),
                                       [&](const Way& way) { return way.read == read && way.place == place; });
        if (!known) ++places[read][place % w];
        place -= std::min(place, distance);
        distance = (distance + 1) / 2;
    }
    return most_of_one_bank(places);
}

std::vector<std::uint32_t> climbed_pbs_targets(std::uint32_t key_count) { return Climb(key_count).run(); }

}  // namespace sassafras::workloads::search
