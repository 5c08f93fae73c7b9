// When memory answers SMs in a launch. Kernels that read once have their answers in a part of their time, and what two
// of them ask for in such a part takes as long as both, though on average memory has room
// (validate/records/h200/probes/reading_pairs.cu).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace sassafras::sim {

/// Counts by pieces of time, which get longer as a launch does. The same at any number of threads.
class AnswerTimes {
  public:
    struct Stretch {
        std::uint64_t begin = 0;  ///< cycles
        std::uint64_t end = 0;
        double share = 0;  ///< of all answers; 0: there were none
        friend bool operator==(const Stretch&, const Stretch&) = default;
    };

    void note(std::uint64_t cycle) {
        while (cycle >> shift_ >= counts_.size()) widen();
        ++counts_[cycle >> shift_];
    }
    void add(AnswerTimes other) {
        while (shift_ < other.shift_) widen();
        while (other.shift_ < shift_) other.widen();
        for (std::size_t i = 0; i < counts_.size(); ++i) counts_[i] += other.counts_[i];
    }
    /// The shortest stretch of pieces that has at least `share` of all answers; the first of several.
    [[nodiscard]] Stretch shortest_with(double share) const {
        std::uint64_t all = 0;
        for (const std::uint64_t count : counts_) all += count;
        Stretch best;
        std::uint64_t within = 0;
        std::size_t first = 0;
        for (std::size_t i = 0; all != 0 && i < counts_.size(); ++i) {
            within += counts_[i];
            const auto enough = [&](std::uint64_t count) {
                return static_cast<double>(count) >= share * static_cast<double>(all);
            };
            while (first < i && enough(within - counts_[first])) within -= counts_[first++];
            if (!enough(within) || (best.share > 0 && (i + 1 - first) << shift_ >= best.end - best.begin)) continue;
            best = {first << shift_, (i + 1) << shift_, static_cast<double>(within) / static_cast<double>(all)};
        }
        return best;
    }

  private:
    void widen() {
        for (std::size_t i = 0; i < counts_.size() / 2; ++i) counts_[i] = counts_[2 * i] + counts_[2 * i + 1];
        for (std::size_t i = counts_.size() / 2; i < counts_.size(); ++i) counts_[i] = 0;
        ++shift_;
    }

    std::array<std::uint64_t, 64> counts_{};
    unsigned shift_ = 5;  ///< a piece is so many times doubled a cycle
};

}  // namespace sassafras::sim
