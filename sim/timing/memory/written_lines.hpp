// Lines of one slice of L2 that were written, in the order in which that happened first. Hold neither data nor time;
// what becomes of the oldest when there are too many is the owner's business.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

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

/// Lines with dirty sectors. The tags of the cache know which of the queue still are.
struct DirtyLines {
    LineQueue order;  ///< some may be clean again, or gone
    std::size_t count = 0;
    void clear() {
        order.clear();
        count = 0;
    }
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
