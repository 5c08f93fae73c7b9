// Lines of one slice of L2 that were written, which of them goes when there are too many, and what waits for DRAM. That
// a line is written, and when, is the owner's business.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sim/timing/memory/mix.hpp"

namespace sassafras::sim {

/// A queue of line numbers.
class LineQueue {
  public:
    void push(std::uint64_t line) { lines_.push_back(line); }
    [[nodiscard]] bool empty() const { return first_ == lines_.size(); }
    [[nodiscard]] std::size_t size() const { return lines_.size() - first_; }
    [[nodiscard]] std::uint64_t front() const { return lines_[first_]; }
    void pop() {
        if (++first_ < lines_.size() / 2) return;
        lines_.erase(lines_.begin(), lines_.begin() + static_cast<std::ptrdiff_t>(first_));
        first_ = 0;
    }
    /// Leaves out those for which `stale(line)`.
    template <class Stale>
    void tidy(Stale&& stale) {
        std::erase_if(lines_, stale);
        first_ = 0;
    }
    void clear() {
        lines_.clear();
        first_ = 0;
    }

  private:
    std::vector<std::uint64_t> lines_;
    std::size_t first_ = 0;
};

/// Lines with dirty sectors, in the order in which they became so. The tags of the cache know which of these still are.
/// Neither the oldest nor any goes: of what all SMs store again and again, forwards or backwards, an H200 writes as
/// much as if the oldest of three at random did (validate/records/h200/probes/stored_again.cu).
class DirtyLines {
  public:
    std::size_t count = 0;  ///< of dirty lines; kept by the owner

    void push(std::uint64_t line) { lines_.push_back(line); }
    [[nodiscard]] bool empty() const { return taken_ == lines_.size(); }
    /// Takes out the oldest of `looked_at` lines at random, the same with the same calls before; there must be one.
    std::uint64_t take(std::uint64_t seed) {
        std::size_t oldest = lines_.size();
        for (std::uint32_t looked = 0; looked < looked_at;) {
            const std::size_t at = mix(seed ^ (++draws_ << 20U)) % lines_.size();
            if (lines_[at] == gone) continue;
            oldest = std::min(oldest, at);
            ++looked;
        }
        const std::uint64_t line = std::exchange(lines_[oldest], gone);
        if (++taken_ * 2 > lines_.size()) tidy([](std::uint64_t) { return false; });
        return line;
    }
    [[nodiscard]] std::size_t size() const { return lines_.size(); }
    /// Leaves out those for which `stale(line)`.
    template <class Stale>
    void tidy(Stale&& stale) {
        std::erase_if(lines_, [&](std::uint64_t line) { return line == gone || stale(line); });
        taken_ = 0;
    }
    void clear() { *this = {}; }

  private:
    static constexpr std::uint64_t gone = ~std::uint64_t{0};
    static constexpr std::uint32_t looked_at = 3;
    std::vector<std::uint64_t> lines_;
    std::size_t taken_ = 0;  ///< places of `lines_` that are `gone`
    std::uint64_t draws_ = 0;
};

/// What waits for DRAM of a slice: it has room for so many lines, each until DRAM has taken it.
class WriteQueue {
  public:
    WriteQueue() = default;
    explicit WriteQueue(std::size_t room) : taken_(room, 0) {}
    [[nodiscard]] bool bounded() const { return !taken_.empty(); }
    /// A line that DRAM has taken at `done` enters; the cycle from which on there was room for it.
    std::uint64_t enter(std::uint64_t done) {
        const std::uint64_t room = std::exchange(taken_[next_], done);
        if (++next_ == taken_.size()) next_ = 0;
        return room;
    }
    void clear() { std::fill(taken_.begin(), taken_.end(), 0); }

  private:
    std::vector<std::uint64_t> taken_;  ///< when DRAM takes the lines that entered last, in turn
    std::size_t next_ = 0;
};

/// Lines that lack bytes of sectors that were written.
class PartialLines {
  public:
    struct Entry {
        std::uint32_t sectors = 0;  ///< written
        std::uint32_t bytes = 0;    ///< of them; a byte that is written twice counts twice
    };

    /// Notes a write. The entry may be gone with the next call.
    Entry& write(std::uint64_t line, std::uint32_t sectors, std::uint32_t bytes) {
        const auto [at, is_new] = entries_.try_emplace(line);
        if (is_new) {
            // Most are written in full soon, and are not asked for again.
            constexpr std::size_t few = 4096;
            if (order_.size() > few + 4 * entries_.size())
                order_.tidy([&](std::uint64_t noted) { return noted == line || !entries_.contains(noted); });
            order_.push(line);
            ++of_bucket_[line % buckets];
        }
        at->second.sectors |= sectors;
        at->second.bytes += bytes;
        return at->second;
    }
    [[nodiscard]] std::size_t size() const { return entries_.size(); }
    /// The entry of a line; null if it has none. Asked for every access, so most are answered without the map.
    [[nodiscard]] const Entry* find(std::uint64_t line) const {
        if (entries_.empty() || of_bucket_[line % buckets] == 0) return nullptr;
        const auto at = entries_.find(line);
        return at == entries_.end() ? nullptr : &at->second;
    }
    void erase(std::uint64_t line) {
        if (entries_.erase(line) != 0) --of_bucket_[line % buckets];
    }
    /// The line that was written first, of those that are left; there must be one. Lines that were erased and written
    /// again are as old as the first time.
    [[nodiscard]] std::uint64_t oldest() {
        while (find(order_.front()) == nullptr) order_.pop();
        return order_.front();
    }
    void clear() {
        entries_.clear();
        order_.clear();
        of_bucket_.fill(0);
    }

  private:
    static constexpr std::size_t buckets = 1024;
    std::unordered_map<std::uint64_t, Entry> entries_;
    LineQueue order_;
    std::array<std::uint16_t, buckets> of_bucket_{};
};

}  // namespace sassafras::sim
