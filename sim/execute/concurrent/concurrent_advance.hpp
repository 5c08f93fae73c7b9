// Advances parts of a launch at the same time, with the result of advancing one after the other.
//
// Each part logs what it reads and changes of global memory. If no part accessed what another changed, their order
// does not matter, and nothing remains to do but the reductions, in order. Otherwise all of it is taken back, from
// images of the changed lines and of the blocks, and done in order. (docs/decisions/0039-parts-in-parallel.md)
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sim/execute/concurrent/concurrent_memory.hpp"
#include "sim/execute/warp_state.hpp"
#include "sim/trace/trace_source.hpp"

namespace sassafras::sim {

class ConcurrentAdvance {
  public:
    /// Whether a launch's blocks may ever advance together: no instruction reads what other blocks write meanwhile, or
    /// the time.
    [[nodiscard]] static bool suits(const Launch& launch);

    ConcurrentAdvance(Launch& launch, ConcurrentMemory& memory) : launch_(launch), memory_(memory) {}

    /// As TraceSource's.
    [[nodiscard]] bool begin(std::span<const AdvancePart> parts);
    void advance(std::size_t part, std::size_t place);
    void compare(std::size_t part);
    [[nodiscard]] Result<bool> end();

  private:
    void watch(Block& block, AccessLog* log, Fault* fault) const;
    void commit();
    [[nodiscard]] Result<void> repeat_in_order();

    Launch& launch_;
    ConcurrentMemory& memory_;
    std::unique_ptr<Regions> regions_;
    std::span<const AdvancePart> parts_;
    std::vector<std::size_t> first_snapshot_;  ///< by part
    std::atomic<bool> conflict_{false};
    std::uint32_t in_order_ = 0;  ///< calls of begin() that still say no
    std::uint32_t penalty_ = 1;   ///< how many after the next conflict
};

}  // namespace sassafras::sim
