// Blocks of a launch that follow one another, as a launch of their own.
#pragma once

#include <cstdint>
#include <span>

#include "sim/trace/trace_source.hpp"

namespace sassafras::sim {

/// Blocks [first, first + count) of a grid.
struct BlockRange {
    std::uint64_t first = 0;
    std::uint64_t count = 0;
};

class RangeSource final : public TraceSource {
  public:
    /// `source` is kept. There must be less than 2^32 blocks in the range.
    RangeSource(TraceSource& source, const BlockRange& range)
        : source_(source), first_(range.first), shape_(source.shape()) {
        shape_.grid = {static_cast<std::uint32_t>(range.count), 1, 1};
    }

    [[nodiscard]] const isa::Program& program() const override { return source_.program(); }
    [[nodiscard]] const LaunchShape& shape() const override { return shape_; }
    Result<BlockTrace*> start(std::uint64_t number) override { return source_.start(first_ + number); }
    Result<void> advance(BlockTrace& block, std::uint64_t instructions_ahead) override {
        return source_.advance(block, instructions_ahead);
    }
    [[nodiscard]] bool depends_on_order() const override { return source_.depends_on_order(); }
    [[nodiscard]] bool begin_parts(std::span<const AdvancePart> parts) override { return source_.begin_parts(parts); }
    void advance_in_part(std::size_t part, std::size_t place) override { source_.advance_in_part(part, place); }
    void compare_part(std::size_t part) override { source_.compare_part(part); }
    Result<bool> end_parts() override { return source_.end_parts(); }
    void provide_clock(BlockTrace& block, std::uint32_t warp, Cycle now, std::uint64_t nanoseconds) override {
        source_.provide_clock(block, warp, now, nanoseconds);
    }
    void finish(BlockTrace& block) override { source_.finish(block); }

  private:
    TraceSource& source_;
    std::uint64_t first_;
    LaunchShape shape_;
};

}  // namespace sassafras::sim
