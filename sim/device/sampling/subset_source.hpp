// Some blocks of a launch as a launch of their own.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "sim/device/sampling/window_choice.hpp"
#include "sim/trace/trace_source.hpp"

namespace sassafras::sim {

class SubsetSource final : public TraceSource {
  public:
    /// `source` is kept. There must be less than 2^32 blocks in `ranges`.
    SubsetSource(TraceSource& source, std::vector<BlockRange> ranges)
        : source_(source), ranges_(std::move(ranges)), shape_(source.shape()) {
        std::uint64_t blocks = 0;
        for (const BlockRange& range : ranges_) {
            begins_.push_back(blocks);
            blocks += range.count;
        }
        shape_.grid = {static_cast<std::uint32_t>(blocks), 1, 1};
    }

    [[nodiscard]] const isa::Program& program() const override { return source_.program(); }
    [[nodiscard]] const LaunchShape& shape() const override { return shape_; }
    Result<BlockTrace*> start(std::uint64_t number) override {
        const auto after = std::upper_bound(begins_.begin(), begins_.end(), number);
        const auto range = static_cast<std::size_t>(after - begins_.begin()) - 1;
        return source_.start(ranges_[range].first + (number - begins_[range]));
    }
    Result<void> advance(BlockTrace& block, std::uint64_t instructions_ahead) override {
        return source_.advance(block, instructions_ahead);
    }
    [[nodiscard]] bool depends_on_order() const override { return source_.depends_on_order(); }
    [[nodiscard]] bool begin_parts(std::span<const AdvancePart> parts) override { return source_.begin_parts(parts); }
    void advance_part(std::size_t part) override { source_.advance_part(part); }
    void compare_part(std::size_t part) override { source_.compare_part(part); }
    Result<bool> end_parts() override { return source_.end_parts(); }
    void provide_clock(BlockTrace& block, std::uint32_t warp, Cycle now, std::uint64_t nanoseconds) override {
        source_.provide_clock(block, warp, now, nanoseconds);
    }
    void finish(BlockTrace& block) override { source_.finish(block); }

  private:
    TraceSource& source_;
    std::vector<BlockRange> ranges_;
    std::vector<std::uint64_t> begins_;  ///< numbers of their first blocks
    LaunchShape shape_;
};

}  // namespace sassafras::sim
