// Ranges of addresses that were somebody's and have no owner any more: what --check names a stray access by.
#pragma once

#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

namespace sassafras::sim {

class FormerRanges {
  public:
    using Ranges = std::map<std::uint64_t, std::uint64_t>;  ///< begin -> size in bytes; no two overlap

    /// Of ranges that overlap, the last counts.
    void add(std::uint64_t begin, std::uint64_t size) {
        forget(begin, size);
        if (size != 0) ranges_[begin] = size;
    }

    /// Some of [begin, begin + size) has an owner again: ranges that it touches go as a whole.
    void forget(std::uint64_t begin, std::uint64_t size) {
        auto range = ranges_.upper_bound(begin);
        if (range != ranges_.begin() && begin - std::prev(range)->first < std::prev(range)->second) --range;
        while (range != ranges_.end() && (range->first < begin || range->first - begin < size))
            range = ranges_.erase(range);
    }

    /// Begin and size of the range that an address is in.
    [[nodiscard]] std::optional<std::pair<std::uint64_t, std::uint64_t>> find(std::uint64_t address) const {
        auto after = ranges_.upper_bound(address);
        if (after == ranges_.begin()) return std::nullopt;
        --after;
        if (address - after->first >= after->second) return std::nullopt;
        return *after;
    }

    [[nodiscard]] const Ranges& all() const { return ranges_; }

  private:
    Ranges ranges_;
};

}  // namespace sassafras::sim
