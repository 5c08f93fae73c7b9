#include "study/adversary/uneven_merge.hpp"

#include <algorithm>

#include "core/result.hpp"

namespace sassafras::study::adversary {

UnevenMerge::UnevenMerge(std::uint64_t first_count, std::uint64_t second_count, std::uint32_t E, std::uint32_t w)
    : E_(E), w_(w), rest_(first_count + second_count), rest_first_(first_count) {
    const std::uint64_t total = first_count + second_count;
    const std::uint64_t size = w_ * E_;
    const std::uint64_t mean = first_count * E_ / total;
    few_.of_first = mean - (mean + 1) % 2;
    many_.of_first = few_.of_first + 2;
    const std::uint64_t warps = total / size;
    if (many_.of_first >= E_ || warps < 2) return;
    // The last whole warp and what follows it make up for what two odd numbers cannot.
    const std::uint64_t level = warps - 1;
    rest_ = total - level * size;
    const auto wanted = static_cast<std::int64_t>(first_count - rest_ * first_count / total);
    const auto least = static_cast<std::int64_t>(w_ * level * few_.of_first);
    const auto step = static_cast<std::int64_t>(2 * w_);
    many_.warps = static_cast<std::uint64_t>(
        std::clamp<std::int64_t>((wanted - least + step / 2) / step, 0, static_cast<std::int64_t>(level)));
    few_.warps = level - many_.warps;
    rest_first_ = first_count - w_ * (many_.warps * many_.of_first + few_.warps * few_.of_first);
    require_invariant(rest_first_ >= 1 && rest_first_ < rest_, "the last warps of a merge take from both lists");
}

std::uint64_t UnevenMerge::first_before(std::uint64_t thread) const {
    return std::min(thread * E_, rest_) * rest_first_ / rest_;
}

std::uint64_t UnevenMerge::place_of_first(std::uint64_t i) const {
    std::uint64_t begin = 0;
    for (const Level& level : {many_, few_}) {
        const std::uint64_t count = level.warps * w_ * level.of_first;
        if (i < count) return begin + i / level.of_first * E_ + i % level.of_first;
        i -= count;
        begin += level.warps * w_ * E_;
    }
    const std::uint64_t thread = ((i + 1) * rest_ - 1) / (E_ * rest_first_);  // the last one with first_before() <= i
    return begin + thread * E_ + i - first_before(thread);
}

std::uint64_t UnevenMerge::place_of_second(std::uint64_t i) const {
    std::uint64_t begin = 0;
    for (const Level& level : {many_, few_}) {
        const std::uint64_t of_second = E_ - level.of_first;
        const std::uint64_t count = level.warps * w_ * of_second;
        if (i < count) return begin + i / of_second * E_ + level.of_first + i % of_second;
        i -= count;
        begin += level.warps * w_ * E_;
    }
    const std::uint64_t thread = i * rest_ / (E_ * (rest_ - rest_first_));
    return begin + i + first_before(thread + 1);  // behind all that this thread and those before it take of the first
}

}  // namespace sassafras::study::adversary
