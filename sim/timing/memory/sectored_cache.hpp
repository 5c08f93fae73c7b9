// Tags of a set-associative cache whose lines are valid, dirty and pending sector by sector. Holds no data and no time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace sassafras::sim {

class SectoredCache {
  public:
    struct Line {
        std::uint64_t tag = empty;
        std::uint32_t valid = 0;
        std::uint32_t dirty = 0;
        std::uint32_t pending = 0;  ///< sectors on their way
        std::uint32_t stamp = 0;    ///< of the last use; least recently used goes first
        std::uint64_t ready = 0;    ///< cycle at which the pending sectors arrive, where the owner knows it
    };
    static constexpr std::uint64_t empty = ~std::uint64_t{0};

    SectoredCache() = default;
    SectoredCache(std::uint64_t lines, std::uint32_t ways)
        : ways_(lines < ways ? static_cast<std::uint32_t>(lines == 0 ? 1 : lines) : ways),
          sets_(lines / ways_ == 0 ? 1 : lines / ways_),
          lines_(sets_ * ways_) {}

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
                settle(set[way]);
                set[way].stamp = ++clock_;
                return &set[way];
            }
        }
        return nullptr;
    }

    /// Takes the least recently used line of the set for `tag`; `victim` receives what was there.
    Line* allocate(std::uint64_t tag, Line& victim) {
        Line* set = set_of(tag);
        Line* oldest = set;
        for (std::uint32_t way = 0; way < ways_; ++way) {
            if (set[way].tag == empty) {
                oldest = &set[way];
                break;
            }
            if (set[way].stamp < oldest->stamp) oldest = &set[way];
        }
        settle(*oldest);
        victim = *oldest;
        *oldest = Line{.tag = tag, .stamp = ++clock_};
        return oldest;
    }

    void clear() {
        if (clock_ == 0) return;
        for (Line& line : lines_) line = Line{};
        clock_ = settled_ = 0;
    }

    /// All that was on its way has arrived. Looks at no line: a program may launch ten thousand kernels that touch
    /// three lines each. Stamps above `most` are made small first, so that they do not wrap within the next launch.
    void settle(std::uint32_t most = std::uint32_t{1} << 31U) {
        if (clock_ > most) renumber();
        settled_ = clock_;
    }

  private:
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
    std::uint32_t settled_ = 0;  ///< the clock at the last settle(): what was pending then is not any more
};

}  // namespace sassafras::sim
