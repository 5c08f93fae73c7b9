// Translation of addresses: up to three levels of lookaside buffers, asked one after the other. A buffer begins a miss
// every so often; the pages of misses that are under way count as there, so that what needs them too waits with them.
// Replaced is the least recently used page of a set. Asked in order of time, by one thread.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/platform/platform.hpp"
#include "sim/timing/cycle_fraction.hpp"

namespace sassafras::sim {

/// Which pages one buffer holds, and from when on.
class TlbBuffer {
  public:
    struct Entry {
        std::uint64_t page = none;
        std::uint64_t last_use = 0;  ///< the greater the later
        std::uint64_t ready = 0;     ///< cycle at which the translation is there
    };

    explicit TlbBuffer(const TlbParameters& level)
        : sets_(level.sets),
          ways_(level.ways),
          // A set that is larger than the others is taken to stand for several of their places.
          places_(std::max(level.sets, level.entries / std::max(1U, level.ways))),
          first_ways_(level.entries - (level.sets - 1) * level.ways),
          entries_(level.entries) {}

    /// The page's entry if it is there, else nullptr. Counts as a use.
    Entry* find(std::uint64_t page) {
        for (Entry& entry : set_of(page)) {
            if (entry.page != page) continue;
            entry.last_use = ++clock_;
            return &entry;
        }
        return nullptr;
    }
    void put(std::uint64_t page, std::uint64_t ready) {
        const std::span<Entry> set = set_of(page);
        *std::min_element(set.begin(), set.end(), [](const Entry& a, const Entry& b) {
            return a.last_use < b.last_use;
        }) = {.page = page, .last_use = ++clock_, .ready = ready};
    }
    void clear() { std::fill(entries_.begin(), entries_.end(), Entry{}); }
    /// All that was under way has arrived.
    void settle() {
        for (Entry& entry : entries_) entry.ready = 0;
    }

  private:
    static constexpr std::uint64_t none = ~std::uint64_t{0};

    /// Neighbouring pages lie in neighbouring sets.
    std::span<Entry> set_of(std::uint64_t page) {
        const std::uint64_t place = page % places_;
        if (place == 0 || place >= sets_) return {entries_.data(), first_ways_};
        return {entries_.data() + first_ways_ + (place - 1) * ways_, ways_};
    }

    std::uint32_t sets_;
    std::uint32_t ways_;
    std::uint32_t places_;
    std::uint32_t first_ways_;
    std::uint64_t clock_ = 0;
    std::vector<Entry> entries_;
};

class Translation {
  public:
    explicit Translation(const Platform& platform) {
        for (const TlbParameters* of : {&platform.tlb.l1, &platform.tlb.l2, &platform.tlb.l3}) {
            if (of->entries == 0) break;
            Level& level = levels_.emplace_back();
            level.page_bytes = of->page_bytes;
            level.miss_cycles = of->miss_cycles;
            level.interval = static_cast<std::uint64_t>(
                std::llround(of->miss_interval_cycles * static_cast<double>(cycle_fraction)));
            level.buffers.assign(of->buffers == 0 ? platform.gpu.sm_count : of->buffers, TlbBuffer(*of));
            level.free.assign(level.buffers.size(), 0);
        }
    }

    /// False where the platform has no level: then nothing need be asked.
    [[nodiscard]] bool modelled() const { return !levels_.empty(); }

    /// The cycle at which the address that an SM asks for at `time` is translated.
    std::uint64_t translated(std::uint32_t sm, std::uint64_t address, std::uint64_t time) {
        return found_in(0, sm, address, time);
    }

    /// A launch begins at cycle 0.
    void begin_launch(bool cold) {
        for (Level& level : levels_) {
            std::fill(level.free.begin(), level.free.end(), 0);
            for (TlbBuffer& buffer : level.buffers) cold ? buffer.clear() : buffer.settle();
        }
    }

  private:
    struct Level {
        std::uint64_t page_bytes = 1;
        std::uint64_t miss_cycles = 0;
        std::uint64_t interval = 0;  ///< 2^-20 cycles
        std::vector<TlbBuffer> buffers;
        std::vector<std::uint64_t> free;  ///< by buffer, when it can begin another miss, 2^-20 cycles
    };

    // At most three deep.
    // NOLINTNEXTLINE(misc-no-recursion)
    std::uint64_t found_in(std::size_t number, std::uint32_t sm, std::uint64_t address, std::uint64_t time) {
        if (number == levels_.size()) return time;  // the page tables
        Level& level = levels_[number];
        const std::size_t which = sm % level.buffers.size();
        const std::uint64_t page = address / level.page_bytes;
        if (const TlbBuffer::Entry* entry = level.buffers[which].find(page)) return std::max(time, entry->ready);
        const std::uint64_t start = std::max(level.free[which], time * cycle_fraction);
        level.free[which] = start + level.interval;
        const std::uint64_t ready = found_in(number + 1, sm, address, start / cycle_fraction) + level.miss_cycles;
        level.buffers[which].put(page, ready);
        return ready;
    }

    std::vector<Level> levels_;
};

}  // namespace sassafras::sim
