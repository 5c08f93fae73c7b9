// Ranges of numbers that nobody has, given out by first fit: what allocators of addresses have in common.
#pragma once

#include <cstdint>
#include <iterator>
#include <map>
#include <optional>

namespace sassafras {

class FreeRanges {
  public:
    /// [begin, begin + size) is free from now on; it joins the ranges that it touches. It must overlap none.
    void add(std::uint64_t begin, std::uint64_t size) {
        if (size == 0) return;
        const auto next = ranges_.lower_bound(begin);
        if (next != ranges_.begin()) {
            const auto before = std::prev(next);
            if (before->first + before->second == begin) {
                begin = before->first;
                size += before->second;
                ranges_.erase(before);
            }
        }
        if (next != ranges_.end() && next->first == begin + size) {
            size += next->second;
            ranges_.erase(next);
        }
        ranges_[begin] = size;
    }

    /// Where `size` may begin: the lowest multiple of `alignment` in the first range that has room for it and, just
    /// before it, for `header`. Header and size are taken. Empty if there is no such range.
    [[nodiscard]] std::optional<std::uint64_t> take(std::uint64_t size, std::uint64_t header = 0,
                                                    std::uint64_t alignment = 1) {
        for (auto range = ranges_.begin(); range != ranges_.end(); ++range) {
            const std::uint64_t begin = range->first;
            const std::uint64_t end = begin + range->second;
            const std::uint64_t place = (begin + header + alignment - 1) / alignment * alignment;
            if (place > end || size > end - place) continue;
            ranges_.erase(range);
            if (place - header != begin) ranges_[begin] = place - header - begin;
            if (place + size != end) ranges_[place + size] = end - place - size;
            return place;
        }
        return std::nullopt;
    }

    /// Takes the range that ends at `end`, if there is one, and says where it begins: an arena that shrinks.
    [[nodiscard]] std::optional<std::uint64_t> take_ending_at(std::uint64_t end) {
        const auto after = ranges_.lower_bound(end);
        if (after == ranges_.begin()) return std::nullopt;
        const auto range = std::prev(after);
        if (range->first + range->second != end) return std::nullopt;
        const std::uint64_t begin = range->first;
        ranges_.erase(range);
        return begin;
    }

    [[nodiscard]] std::uint64_t total() const {
        std::uint64_t sum = 0;
        for (const auto& [begin, size] : ranges_) sum += size;
        return sum;
    }

  private:
    std::map<std::uint64_t, std::uint64_t> ranges_;  ///< begin -> size; no two touch
};

}  // namespace sassafras
