// --check: finds races, illegal accesses, reads of shared memory that nothing wrote, and barriers that threads never
// reach, while a kernel executes (docs/checks.md).
#pragma once

#include <cstdint>
#include <vector>

#include "isa/cubin/line_info.hpp"
#include "isa/program/program.hpp"
#include "sim/check/access_site.hpp"
#include "sim/check/barrier_watch.hpp"
#include "sim/check/block_clock.hpp"
#include "sim/check/finding_log.hpp"
#include "sim/check/global_shadow.hpp"
#include "sim/check/grid_barrier.hpp"
#include "sim/check/grid_clock.hpp"
#include "sim/check/phase_watch.hpp"
#include "sim/check/shared_shadow.hpp"
#include "sim/check/undefined_values.hpp"
#include "sim/execute/device_heap.hpp"
#include "sim/execute/execution_observer.hpp"
#include "sim/execute/memory_image.hpp"
#include "sim/trace/trace_source.hpp"

namespace sassafras::sim {

/// Watches the launches of a device, one after the other.
class Checker final : public ExecutionObserver, private HazardSink {
  public:
    /// Memory, with exact bounds, and heap must outlive the checker.
    Checker(const MemoryImage& memory, const DeviceHeap& heap) : memory_(memory), heap_(heap) {}

    /// What follows is a launch of this program. `lines` may be null; program and lines must outlive the launch.
    /// `grid_workspace` as LaunchRequest has it.
    void begin(const isa::Program& program, const LaunchShape& shape, const isa::LineTable* lines,
               std::uint64_t grid_workspace);

    /// What was found so far, in the order in which it was first seen: one a kind and pair of instructions.
    [[nodiscard]] const std::vector<Finding>& findings() const { return log_.findings(); }
    void clear() { log_.clear(); }
    /// Global memory was too large to watch all of it (GlobalShadow).
    [[nodiscard]] bool has_forgotten() const { return global_.has_forgotten(); }

    void block_started(std::uint32_t slot, std::uint64_t block, std::uint32_t warps,
                       const SharedExtent& shared) override;
    void block_finished(std::uint32_t slot) override;
    bool accessed(const ObservedAccess& access) override;
    void faulted(const ObservedAccess& access, const Fault& fault) override;
    void stopped(const ExecutionPlace& place, const Fault& fault) override;
    void ordered(const ExecutionPlace& place) override;
    void copies_arrive(const ExecutionPlace& place, const std::uint32_t* barrier) override;
    bool computing(const ObservedValues& values) override;
    void branching(const ObservedValues& values) override;
    void warp_barrier_reached(const ExecutionPlace& place, const std::uint32_t* named) override;
    void warp_synchronised(std::uint32_t slot, std::uint32_t warp, std::uint32_t lanes) override;
    void barrier_reached(const ExecutionPlace& place, std::uint32_t barrier, std::uint32_t expected,
                         bool waits) override;
    void barrier_completed(std::uint32_t slot, std::uint32_t barrier) override;
    void exited(const ExecutionPlace& place) override;
    void deadlocked(const ExecutionPlace& place) override;

  private:
    struct BlockState {
        std::uint64_t block = 0;
        SharedExtent extent;
        BlockClock clock;
        SharedShadow shared;
        BarrierWatch barriers;
        PhaseWatch phases;
        std::vector<UndefinedValues> undefined;  ///< by warp; empty until there are some
    };
    void hazard(const Hazard& hazard) override;
    void uninitialised(const UninitialisedRead& read) override;

    void access_shared(BlockState& block, WarpAccess& access, const std::byte* memory);
    void access_global(BlockState& block, WarpAccess& access);
    void report_used(const UndefinedValues& undefined, std::uint32_t lanes);
    void look_at(const ObservedAccess& access, BlockState& block);
    void access_barrier(BlockState& block, const ObservedAccess& access, WarpAccess& part);
    /// Of `part`, the lanes whose barrier lies at shared address `barrier` and is `word` now.
    void use_barrier(BlockState& block, const ObservedAccess& access, const WarpAccess& part, std::uint32_t lanes,
                     std::uint64_t barrier, std::uint64_t word);
    void acquire(BlockState& block, const WarpAccess& access);
    void release(BlockState& block, const WarpAccess& access, bool is_global);

    void barrier_error(const ExecutionPlace& at, std::uint32_t lanes, BarrierFault fault);

    const MemoryImage& memory_;
    const DeviceHeap& heap_;
    const isa::Program* program_ = nullptr;
    LaunchShape shape_;
    std::vector<CheckedSite> sites_;
    std::uint32_t shared_piece_ = 4;      ///< bytes that a cell of a SharedShadow stands for
    std::vector<isa::RegisterUse> uses_;  ///< by instruction, once values are watched
    std::vector<BlockState> blocks_;      ///< by slot
    std::uint32_t slot_ = 0;              ///< of the access that is being looked at
    GridClock grid_;
    GridBarrier grid_barrier_;
    GlobalShadow global_;
    FindingLog log_;
};

}  // namespace sassafras::sim
