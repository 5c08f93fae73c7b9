// Tags of a set-associative cache whose lines are valid, dirty and pending sector by sector. Holds no data and no time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <variant>
#include <vector>

#include "sim/timing/memory/cache_set.hpp"
#include "sim/timing/policies/make_policy.hpp"
#include "sim/timing/policies/replacement.hpp"

namespace sassafras::sim {

/// The sectors of all granules of so many sectors, from the line's start, that one of `sectors` is in. Some may lie
/// beyond the line.
[[nodiscard]] constexpr std::uint32_t whole_granules(std::uint32_t sectors, std::uint32_t granule) {
    if (granule <= 1) return sectors;
    if (granule >= 32) return sectors == 0 ? 0 : ~0U;
    std::uint32_t whole = 0;
    for (std::uint32_t first = 0; first < 32; first += granule) {
        const std::uint32_t mask = ((1U << granule) - 1U) << first;
        if ((sectors & mask) != 0) whole |= mask;
    }
    return whole;
}

class SectoredCache {
  public:
    struct Line {
        std::uint64_t tag = empty;
        std::uint32_t valid = 0;
        std::uint32_t dirty = 0;
        std::uint32_t pending = 0;  ///< sectors on their way
        std::uint32_t stamp = 0;    ///< of the last use
        std::uint64_t ready = 0;    ///< cycle at which the pending sectors arrive, where the owner knows it
    };
    static constexpr std::uint64_t empty = ~std::uint64_t{0};

    SectoredCache() = default;
    /// `number`: of the cache among those of its kind, so that what is random differs.
    SectoredCache(std::uint64_t lines, std::uint32_t ways, Replacements::Choice replacement = {},
                  std::uint64_t number = 0)
        : ways_(lines < ways ? static_cast<std::uint32_t>(lines == 0 ? 1 : lines) : ways),
          sets_(lines / ways_ == 0 ? 1 : lines / ways_),
          lines_(sets_ * ways_),
          replacement_(
              make_policy<Replacements>(replacement, CacheShape{.sets = sets_, .ways = ways_, .number = number})) {}

    /// Asks for the memory of the tag's set ahead of find().
    void prefetch(std::uint64_t tag) const {
        const Line* set = set_of(tag);
        __builtin_prefetch(set);
        __builtin_prefetch(reinterpret_cast<const char*>(set) + 64);
    }

    /// The line if it is present, else nullptr. Counts as a use.
    Line* find(std::uint64_t tag) {
        Line* set = set_of(tag);
        for (std::uint32_t way = 0; way < ways_; ++way) {
            if (set[way].tag == tag) {
                used_ += set[way].stamp <= settled_ ? 1U : 0U;
                settle(set[way]);
                set[way].stamp = ++clock_;
                return &set[way];
            }
        }
        return nullptr;
    }

    /// The line if it is present, else nullptr. No use of it.
    Line* look_up(std::uint64_t tag) {
        Line* set = set_of(tag);
        for (std::uint32_t way = 0; way < ways_; ++way)
            if (set[way].tag == tag) return &set[way];
        return nullptr;
    }

    /// Whether the line is present. No use of it.
    [[nodiscard]] bool has(std::uint64_t tag) const {
        const Line* set = set_of(tag);
        for (std::uint32_t way = 0; way < ways_; ++way)
            if (set[way].tag == tag) return true;
        return false;
    }

    /// These sectors of the line, if it is present, are not valid any more. No use of it; a line that has none left is
    /// the least recently used.
    void forget(std::uint64_t tag, std::uint32_t sectors) {
        Line* set = set_of(tag);
        for (std::uint32_t way = 0; way < ways_; ++way) {
            if (set[way].tag != tag) continue;
            set[way].valid &= ~sectors;
            if (set[way].valid == 0) set[way].stamp = 0;
        }
    }

    /// Takes a line of the set for `tag`; `victim` receives what was there. Ways fill in order and are never emptied
    /// one by one, so the last tells whether the set is full.
    Line* allocate(std::uint64_t tag, Line& victim) {
        const std::size_t first = first_of_set(tag);
        Line* set = lines_.data() + first;
        std::uint32_t way = 0;
        if (set[ways_ - 1].tag == empty)
            while (set[way].tag != empty) ++way;
        else
            way = std::visit([&](auto& policy) { return policy.victim(SetView{set, ways_, first}); }, replacement_);
        Line& taken = set[way];
        settle(taken);
        victim = taken;
        taken = Line{.tag = tag, .stamp = ++clock_};
        ++used_;
        return &taken;
    }

    /// Lines that were used so far, each once between two settle(), or once while it is here.
    [[nodiscard]] std::uint64_t used() const { return used_; }

    void clear() {
        if (clock_ == 0) return;
        for (Line& line : lines_) line = Line{};
        clock_ = settled_ = 0;
        std::visit([](auto& policy) { policy.clear(); }, replacement_);
    }

    /// All that was on its way has arrived. Looks at no line: a program may launch ten thousand kernels that touch
    /// three lines each. Stamps above `most` are made small first, so that they do not wrap within the next launch.
    void settle(std::uint32_t most = std::uint32_t{1} << 31U) {
        if (clock_ > most) renumber();
        settled_ = clock_;
    }

  private:
    /// What a replacement policy sees of a set.
    struct SetView {
        [[nodiscard]] std::uint64_t number() const { return first / count; }
        [[nodiscard]] std::uint32_t ways() const { return count; }
        [[nodiscard]] std::uint32_t last_use(std::uint32_t way) const { return lines[way].stamp; }
        const Line* lines;
        std::uint32_t count;
        std::size_t first;
    };

    /// A line that was last used before settle().
    void settle(Line& line) const {
        if (line.stamp > settled_) return;
        line.pending = 0;
        line.ready = 0;
    }

    /// Small stamps in the same order.
    void renumber() {
        std::vector<Line*> order(ways_);
        for (std::size_t first = 0; first < lines_.size(); first += ways_) {
            for (std::uint32_t way = 0; way < ways_; ++way) {
                settle(lines_[first + way]);
                order[way] = &lines_[first + way];
            }
            std::sort(order.begin(), order.end(), [](const Line* a, const Line* b) { return a->stamp < b->stamp; });
            for (std::uint32_t way = 0; way < ways_; ++way) order[way]->stamp = way;
        }
        clock_ = ways_;
    }

    [[nodiscard]] std::size_t first_of_set(std::uint64_t tag) const {
        // Multiplicative hashing spreads strided tags over sets whose number need not be a power of two.
        const std::uint64_t mixed = (tag * 0x9e3779b97f4a7c15ULL) >> 32U;
        return ((mixed * sets_) >> 32U) * ways_;
    }
    Line* set_of(std::uint64_t tag) { return lines_.data() + first_of_set(tag); }
    [[nodiscard]] const Line* set_of(std::uint64_t tag) const { return lines_.data() + first_of_set(tag); }

    std::uint32_t ways_ = 1;
    std::uint64_t sets_ = 1;
    std::vector<Line> lines_ = std::vector<Line>(1);
    std::uint32_t clock_ = 0;
    std::uint64_t used_ = 0;
    std::uint32_t settled_ = 0;  ///< the clock at the last settle(): what was pending then is not any more
    PolicyOf<Replacements> replacement_{LeastRecentlyUsed(CacheShape{})};
};

}  // namespace sassafras::sim
