// Where timing (or a functional counter run) gets the records of a kernel launch: live execution, or a trace file.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/result.hpp"
#include "core/types.hpp"
#include "isa/program/program.hpp"
#include "sim/trace/warp_trace.hpp"

namespace sassafras::sim {

/// A thread block that is resident: one trace a warp. Owned by its TraceSource.
struct BlockTrace {
    std::uint64_t block_index = 0;  ///< x + grid.x * (y + grid.y * z)
    std::vector<WarpTrace> warps;
};

/// What a launch needs to know of itself beside the instructions.
struct LaunchShape {
    Dim3 grid;
    Dim3 block;
    Bytes dynamic_shared{};
};

/// Blocks that one thread advances, in this order.
struct AdvancePart {
    std::vector<BlockTrace*> blocks;
    std::uint64_t instructions_ahead = 0;
};

/// Callers run blocks in an order of their choice but call start/advance/finish from one thread at a time.
class TraceSource {
  public:
    TraceSource() = default;
    TraceSource(const TraceSource&) = delete;
    TraceSource& operator=(const TraceSource&) = delete;
    virtual ~TraceSource() = default;

    [[nodiscard]] virtual const isa::Program& program() const = 0;
    [[nodiscard]] virtual const LaunchShape& shape() const = 0;

    /// Makes a block resident. The pointer stays valid until finish().
    virtual Result<BlockTrace*> start(std::uint64_t block_index) = 0;

    /// Produces until every warp of the block has at least `instructions_ahead` buffered, has exited, waits for a
    /// clock or its turn, sleeps, or waits at a barrier for a warp that does. Fails on a fault, an instruction that is
    /// not modelled, or a deadlock.
    virtual Result<void> advance(BlockTrace& block, std::uint64_t instructions_ahead) = 0;

    /// Whether blocks may learn in which order they were advanced: from what others have written by then, or a clock.
    [[nodiscard]] virtual bool depends_on_order() const { return true; }

    /// Several threads may advance parts at the same time, with the result of advancing the parts one after the other:
    /// begin_parts() on one thread; then, unless it says false, advance_in_part() for each of a part's blocks in turn,
    /// on a thread for each part; when all have returned, compare_part() once for each, on any thread; when all have
    /// returned, end_parts() on one thread, which fails as advance() does. False: advance them in order. `parts` must
    /// stay as they are until end_parts(). Where that says false, all has been taken back and done again: what was read
    /// of the traces meanwhile is to be forgotten. Only traces that were empty before may be read.
    [[nodiscard]] virtual bool begin_parts(std::span<const AdvancePart> /*parts*/) { return false; }
    virtual void advance_in_part(std::size_t /*part*/, std::size_t /*place*/) {}
    virtual void compare_part(std::size_t /*part*/) {}
    virtual Result<bool> end_parts() { return true; }

    /// Answers the clock read that ends a warp's trace (state waiting_clock): the values CLOCK and GLOBALTIMER have at
    /// that read.
    virtual void provide_clock(BlockTrace& block, std::uint32_t warp, Cycle now, std::uint64_t nanoseconds) = 0;

    /// The block has exited and its records are consumed; its state is freed.
    virtual void finish(BlockTrace& block) = 0;
};

}  // namespace sassafras::sim
