// Times one kernel launch on a modelled GPU. Deterministic: the same records give the same result with any number of
// threads.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/result.hpp"
#include "core/worker_pool.hpp"
#include "sim/access/instruction_counters.hpp"
#include "sim/metrics/metric_counts.hpp"
#include "sim/platform/platform.hpp"
#include "sim/timing/answer_times.hpp"
#include "sim/timing/launch_profile.hpp"
#include "sim/timing/launch_tail.hpp"
#include "sim/timing/memory/far_code.hpp"
#include "sim/timing/memory/memory_system.hpp"
#include "sim/timing/occupancy.hpp"
#include "sim/timing/subcore_cycles.hpp"
#include "sim/trace/dealt_from.hpp"
#include "sim/trace/trace_source.hpp"

namespace sassafras::sim {

/// What a launch had come to at the end of the round in which so many of its blocks had ended.
struct TimingMark {
    std::uint64_t blocks = 0;
    Cycle cycles{};
    MetricCounts events;  ///< as of TimingResult
    StallCycles stalls{};
};

/// What can be asked and done while a launch pauses.
struct TimingPause {
    std::uint64_t block = 0;  ///< that is to start
    std::span<const TimingMark> marks;
    std::function<MetricCounts()> events;
    /// L1 and L2 then have what these accessed, which are blocks that are executed and not timed.
    std::function<void(std::span<UntimedTurn>)> leave;
};

/// How a launch goes on after a pause.
struct AfterPause {
    static constexpr std::uint64_t never = ~std::uint64_t{0};

    std::uint64_t next_block = 0;           ///< that starts: those from TimingPause::block up to it are left out
    std::uint64_t next_pause = never;       ///< before which block
    std::vector<std::uint64_t> marks = {};  ///< ascending: after how many more ends of blocks that are not left out
};

/// Where a launch stops to be told which blocks are left out of it.
struct TimingPauses {
    std::uint64_t first = AfterPause::never;  ///< before which block; behind those that the GPU holds at a time
    std::function<Result<AfterPause>(const TimingPause&)> at = {};
};

struct TimingOptions {
    std::uint32_t threads = 1;
    WorkerPool* pool = nullptr;    ///< of so many threads, in place of one of its own
    double nanoseconds_begin = 0;  ///< what the global timer shows when the launch begins
    bool cold_caches = true;  ///< as Nsight Compute's --cache-control all; false leaves L2 as the launch before left it
    /// Called once a round, if at all: blocks that have ended, cycles so far.
    std::function<void(std::uint64_t, Cycle)> progress;
    std::optional<std::uint64_t> l1_bytes = {};  ///< in place of what shared memory leaves of it
    bool l2_keeps_all = false;                   ///< of what it has had, and nothing is written back
    TimingPauses pauses = {};
    ProfileRequest profile = {};  ///< of launches without pauses
    DealtFrom dealt_from = {};
};

struct TimingResult {
    Cycle cycles{};          ///< start to end of the kernel, sm__cycles_elapsed.max
    double nanoseconds = 0;  ///< the same at the platform's clock
    Occupancy occupancy;
    MetricCounts events;  ///< of all SMs and the memory system
    SubCoreCycles subcores;
    L1Traffic l1_traffic;
    L2Traffic l2_traffic;
    std::vector<InstructionCounts> instructions;  ///< by instruction
    StallTable stalls;                            ///< by instruction, warp-cycles
    CodeBrought far_code;                         ///< beside what the launch brings
    std::vector<TimingMark> marks;                ///< one for each that was asked for and reached
    std::uint64_t timed_blocks = 0;               ///< that were not left out
    LaunchProfile profile;                        ///< what was requested
    LaunchTail tail;                              ///< of launches without pauses
    AnswerTimes answers;                          ///< of loads and atomics
    std::uint64_t warp_instructions = 0;
    std::uint64_t thread_instructions = 0;
};

/// The part of a GPU that outlives a launch: L2 contents. One launch at a time.
class TimingGpu {
  public:
    explicit TimingGpu(const Platform& platform);
    /// Fails with what the source fails with, or bad_input when a block needs more than an SM has.
    [[nodiscard]] Result<TimingResult> simulate(TraceSource& source, const TimingOptions& options);
    /// The host writes these bytes; L2 has them for a launch that does not begin cold.
    void copy_in(std::uint64_t address, std::uint64_t bytes) { memory_.copy_in(address, bytes); }

  private:
    Platform platform_;
    MemorySystem memory_;
};

}  // namespace sassafras::sim
