// Who has last written and read each piece of a block's shared memory.
//
// A piece is as large as the kernel's smallest access to shared memory, at most 4 bytes, so what is found is exact to
// the byte. A cell keeps the last writer and two readers since. A third reader that is not ordered before the second
// takes its place: a hazard with the one that is gone may be missed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

#include "sim/check/block_clock.hpp"
#include "sim/check/hazard.hpp"
#include "sim/execute/execution_observer.hpp"

namespace sassafras::sim {

/// Instructions and threads fit into a cell up to here; a kernel with more instructions has the rest reported as its
/// last.
inline constexpr std::uint32_t most_shadowed_instructions = 1U << 20U;

class SharedShadow {
  public:
    /// What is reserved counts as written. `piece`: bytes, 1, 2 or 4.
    void start(std::uint32_t warps, const SharedExtent& shared, std::uint32_t piece);

    /// Addresses are shared addresses inside the block's memory. `memory`: host pointer of shared address 0.
    void access(const WarpAccess& access, const BlockClock& clock, const std::byte* memory, HazardSink& sink);

    /// LDGDEPBAR: the warp's copies since the last one are a group.
    void close_copies(std::uint32_t warp);
    /// DEPBAR: all but the last `left` groups of the warp have arrived.
    void wait_for_copies(std::uint32_t warp, std::uint32_t left, std::uint32_t now);

    /// ARRIVES: what lanes of the warp have copied so far will be there, as if they had written it at `now`, for who
    /// waits at the barrier in memory.
    void arrive_with_copies(std::uint32_t warp, std::uint32_t lanes, std::uint64_t barrier, std::uint32_t now);
    /// A phase of the barrier is over: so are the copies that have arrived there.
    void finish_copies(std::uint64_t barrier);

    [[nodiscard]] std::size_t bytes() const { return cells_.capacity() * sizeof(Cell); }

  private:
    /// Stamp << 32 | instruction << 12 | thread << 2 | copy under way << 1 | strong. 0: nobody.
    using Mark = std::uint64_t;
    struct Cell {
        Mark writer = 0;
        Mark reader = 0;
        Mark other_reader = 0;
        std::uint32_t value = 0;  ///< written last
        std::uint32_t unused = 0;
    };
    struct CopiedCell {
        std::uint32_t cell = 0;
        Mark mark = 0;
    };
    struct Copies {
        std::vector<CopiedCell> open;
        std::deque<std::vector<CopiedCell>> groups;
    };
    struct ArrivedCopy {
        CopiedCell copied;
        std::uint32_t stamp = 0;
    };
    void finish(const CopiedCell& copied, std::uint32_t stamp);
    void forget_finished();
    struct Context;

    template <WarpAccess::Kind kind>
    void access_lanes(const Context& context);
    void read_cell(const Context& context, Cell& cell, Mark mine, std::uint32_t address);
    void write_cell(const Context& context, Cell& cell, Mark mine, std::uint32_t address, std::uint32_t value,
                    bool value_known);

    std::uint32_t piece_shift_ = 2;
    std::vector<Cell> cells_;
    std::vector<Copies> copies_;                                           ///< by warp
    std::unordered_map<std::uint64_t, std::vector<ArrivedCopy>> arrived_;  ///< by barrier
};

}  // namespace sassafras::sim
