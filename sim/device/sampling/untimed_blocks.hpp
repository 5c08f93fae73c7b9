// Blocks of a launch that are executed and counted, and not timed; caches have then what they would leave there.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/result.hpp"
#include "core/worker_pool.hpp"
#include "sim/access/instruction_counters.hpp"
#include "sim/device/device.hpp"
#include "sim/device/model_options.hpp"
#include "sim/device/sampling/range_source.hpp"
#include "sim/timing/simulate.hpp"
#include "sim/trace/trace_source.hpp"

namespace sassafras::sim {

/// Of so many blocks, how many must be remembered for caches to be as if they had been timed: until L2 has been filled
/// some times over by what came to it from DRAM, or many times by what was asked of it. `pause`: the launch so far.
/// `ended`: blocks that have ended in it.
[[nodiscard]] std::uint64_t remembered_blocks(const TimingPause& pause, std::uint64_t ended, std::uint64_t blocks,
                                              const Platform& platform);

class UntimedBlocks {
  public:
    using Leave = std::function<void(std::span<UntimedTurn>)>;  ///< as of TimingPause

    /// Keeps references.
    UntimedBlocks(TraceSource& source, const Launch& launch, const Platform& platform, const ModelOptions& options,
                  WorkerPool& pool)
        : source_(source),
          launch_(launch),
          platform_(platform),
          options_(options),
          pool_(pool),
          counts_(source.program().instructions.size()) {}

    /// Executes these. What the last `remembered` of them accessed goes to `leave`.
    Result<void> execute(const BlockRange& range, std::uint64_t remembered, const Leave& leave);

    /// How many were executed.
    [[nodiscard]] std::uint64_t blocks() const { return executed_; }
    [[nodiscard]] std::uint64_t warp_instructions() const;
    /// Of all of them, by instruction.
    [[nodiscard]] const std::vector<InstructionCounts>& counts() const { return counts_; }

  private:
    Result<void> count(const BlockRange& range);
    Result<void> count_and_leave(const BlockRange& range, const Leave& leave);

    TraceSource& source_;
    const Launch& launch_;
    const Platform& platform_;
    const ModelOptions& options_;
    WorkerPool& pool_;
    std::vector<InstructionCounts> counts_;
    std::uint64_t executed_ = 0;
};

}  // namespace sassafras::sim
