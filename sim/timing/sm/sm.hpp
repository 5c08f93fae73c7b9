// One streaming multiprocessor: sub-cores that issue, the memory unit they share, fetch, barriers. Here is what ties
// these parts together: the warps and their way from one instruction to the next. Runs on its own between two exchanges
// with the memory system; nothing in it is scanned in a cycle in which nothing can happen.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "sim/access/instruction_counters.hpp"
#include "sim/metrics/metric_counts.hpp"
#include "sim/platform/platform.hpp"
#include "sim/timing/memory/memory_request.hpp"
#include "sim/timing/policies/make_policy.hpp"
#include "sim/timing/policies/warp_scheduler.hpp"
#include "sim/timing/sm/barriers.hpp"
#include "sim/timing/sm/constant_port.hpp"
#include "sim/timing/sm/copy_groups.hpp"
#include "sim/timing/sm/fetch.hpp"
#include "sim/timing/sm/memory_unit.hpp"
#include "sim/timing/sm/register_scoreboard.hpp"
#include "sim/timing/sm/resident_warp.hpp"
#include "sim/timing/sm/sm_event.hpp"
#include "sim/timing/sm/sub_core.hpp"
#include "sim/timing/subcore_cycles.hpp"
#include "sim/timing/timing_op.hpp"
#include "sim/trace/trace_source.hpp"

namespace sassafras::sim {

/// What all SMs of a launch share and only read.
struct LaunchContext {
    const Platform* platform = nullptr;
    const std::vector<TimingOp>* ops = nullptr;
    const RegisterDependences* registers = nullptr;  ///< where hardware tracks dependences, else null
    std::uint32_t warps_per_block = 0;
    std::uint64_t blocks = 0;  ///< of the launch
    std::uint64_t l1_lines = 0;
    std::uint64_t local_bytes = 0;  ///< of a thread
    TraceSource* source = nullptr;  ///< used inside run() only with on_demand
    std::uint64_t run_ahead = 0;    ///< instructions to produce at a time
    double nanoseconds_begin = 0;   ///< what the global timer showed at cycle 0
    bool on_demand = false;
    std::uint32_t code_lines = 0;
    const FarCode* far_code = nullptr;  ///< null: what the launch brings is all
};

struct BlockCompletion {
    std::uint64_t time = 0;
    BlockTrace* trace = nullptr;
};

class Sm {
  public:
    Sm(const LaunchContext& context, std::uint32_t number);
    Sm(const Sm&) = delete;
    Sm& operator=(const Sm&) = delete;

    /// Makes a block resident; its warps start at `time`, which must not lie before the end of the last run().
    void start_block(BlockTrace* trace, std::uint64_t time);
    void receive(const std::vector<MemoryResponse>& responses);
    void free_stores(const std::vector<StoreDone>& stores) { memory_.free_stores(stores); }
    /// Simulates from `begin`, before which nothing was left to happen, up to, not including, cycle `end`.
    void run(std::uint64_t begin, std::uint64_t end);

    /// As of MemoryUnit.
    void leave_untimed(UntimedAccess& access, std::vector<UntimedAccess>& evicted) {
        memory_.leave_untimed(access, evicted);
    }
    /// MemoryUnit::let_stores_leave().
    std::uint64_t let_stores_leave(std::uint64_t end) { return memory_.let_stores_leave(end); }
    [[nodiscard]] std::vector<MemoryRequest>& outbox() { return memory_.outbox(); }
    /// What it has asked its GPC for of far code in this round.
    [[nodiscard]] std::vector<CodeFetch>& code_fetches() { return fetch_.code_fetches(); }
    [[nodiscard]] std::vector<BlockCompletion>& completions() { return completions_; }
    [[nodiscard]] const std::vector<BlockTrace*>& resident() const { return resident_; }
    [[nodiscard]] bool idle() const { return live_warps_ == 0; }
    /// First cycle at which anything can happen without further input.
    [[nodiscard]] std::uint64_t next_activity() const;

    [[nodiscard]] const MetricCounts& counters() const { return memory_.counters(); }
    /// Of each of its sub-cores, while it had a warp.
    [[nodiscard]] SubCoreCycles subcore_cycles() const;
    [[nodiscard]] L1Traffic l1_traffic() const { return memory_.traffic(); }
    [[nodiscard]] const InstructionCounters& instruction_counters() const { return memory_.instruction_counters(); }
    [[nodiscard]] const StallTable& stalls() const { return stalls_; }
    /// Adds, of warps that are resident at `now`, to which it has run, what its counters do not have yet: cycles of the
    /// SM, and of the warps.
    void add_resident(std::uint64_t now, std::uint64_t& active, std::uint64_t& warps) const;
    /// Set when a kernel that reads clocks failed while it was executed on demand.
    [[nodiscard]] const std::unique_ptr<Error>& failure() const { return failure_; }

  private:
    static constexpr std::uint64_t never = ~std::uint64_t{0};
    static constexpr std::uint32_t from_the_start =
        ~std::uint32_t{0};  ///< in place of the instruction before a warp's first
    using Warp = ResidentWarp;
    using Event = SmEvent;

    struct Block {
        BlockTrace* trace = nullptr;
        std::uint32_t live = 0;  ///< warps
        BlockBarriers barriers;
        std::vector<std::uint16_t> warps;  ///< slots
    };

    [[nodiscard]] SubCore& core_of(std::uint16_t slot) { return cores_[warps_[slot].subcore]; }
    /// The number of a slot's warp in its sub-core.
    [[nodiscard]] std::uint32_t number_in_core(std::uint16_t slot) const { return warps_[slot].in_subcore; }
    [[nodiscard]] WarpName name_of(std::uint16_t slot) const { return {.slot = slot, .age = warps_[slot].age}; }
    /// False if it has ended, with something for it still on its way.
    [[nodiscard]] bool is_there(const WarpName& name) const {
        return warps_[name.slot].live && warps_[name.slot].age == name.age;
    }

    // sm.cpp
    class Ready;
    /// `schedulers`: one a sub-core.
    template <class Scheduler>
    void run_until(std::uint64_t end, std::vector<Scheduler>& schedulers);
    template <class Scheduler>
    void try_issue(std::uint32_t core_number, std::uint64_t now, Scheduler& scheduler);
    void handle(const Event& event, std::uint64_t now);
    void schedule_wake(std::uint16_t slot, std::uint64_t time);
    void becomes_ready(std::uint16_t slot, std::uint64_t now);
    [[nodiscard]] bool held_by_scoreboard(const Warp& warp) const;
    /// Makes the warp wait if registers that its next instruction reads or writes are not there yet.
    bool held_by_registers(std::uint16_t slot, std::uint64_t now);
    /// Makes the warp wait if its next instruction may not issue before a barrier behind which the warp has gone on
    /// lets go.
    bool held_by_barrier(std::uint16_t slot, std::uint64_t now);
    void release(std::uint16_t slot, std::uint64_t age, std::uint8_t scoreboard, std::uint64_t now);

    // sm_clock.cpp
    void fall_asleep(std::uint16_t slot, std::uint64_t now);
    void lie_down(Warp& warp, std::uint64_t nanoseconds, std::uint64_t now);
    [[nodiscard]] static bool has_news(const Warp& warp);
    static void tell_timer(Warp& warp);
    static void end_sleep(Warp& warp);
    static void take_sleep(Warp& warp);
    void timer_went_off(const Event& event, std::uint64_t now);
    void clock_answered(Warp& warp, std::uint64_t now);
    void execute_on(Warp& warp, std::uint64_t now);
    bool take_turn(Warp& warp, std::uint64_t now);

    // sm_issue.cpp
    void issue(std::uint32_t core_number, std::uint16_t slot, std::uint64_t now);
    void account(std::uint16_t slot, std::uint32_t core_number, const TimingOp& op, std::uint64_t now);
    /// Moves the warp to its next instruction; `ready_at` becomes the earliest cycle at which that may issue.
    void advance_pc(std::uint16_t slot, std::uint64_t now);
    bool next_segment(Warp& warp);
    void seek_lanes(Warp& warp);
    static void take_code(Warp& warp, std::uint64_t fetched);
    void await_code(std::uint16_t slot, std::uint32_t before, std::uint64_t now);
    void feed(std::uint16_t slot, std::uint64_t now);

    // sm_memory.cpp
    static std::uint32_t constant_addresses(Warp& warp, const TimingOp& op);
    void memory_instruction(std::uint32_t core_number, std::uint16_t slot, const TimingOp& op, std::uint64_t now);
    void access_memory(std::uint16_t slot, const TimingOp& op, std::uint64_t entry);
    void shared_access(std::uint16_t slot, const TimingOp& op, std::uint64_t entry);
    void global_access(std::uint16_t slot, const TimingOp& op, std::uint64_t entry);
    void local_access(std::uint16_t slot, const TimingOp& op, std::uint64_t entry);
    void wait_for(std::uint16_t slot, const TimingOp& op, const MemoryUnit::Waits& waits);
    void load_finished(const LoadOperation& load, std::uint64_t now);
    void loaded(const LoadOperation& load, std::uint64_t now);
    /// The result of the warp's instruction is there at `time`: for the code's scoreboard or the hardware's.
    void result_at(std::uint16_t slot, const TimingOp& op, std::uint64_t time);
    void release_later(std::uint16_t slot, std::uint8_t scoreboard, std::uint64_t time, Event::Kind kind);
    void close_copies(std::uint16_t slot, const TimingOp& op, std::uint64_t now);
    void retire_copies(std::uint16_t slot, std::uint64_t now);

    // sm_barrier.cpp
    void barrier(std::uint16_t slot, const TimingOp& op, std::uint64_t now);
    void release_barrier_if_complete(Block& block, std::size_t number, std::uint64_t time);
    /// The warp has exited: it ends when its stores have been read and its constants are there (start.cu). Not on GPUs
    /// that track registers in hardware, of which nothing is known.
    void drain_warp(std::uint16_t slot, std::uint64_t now);
    void end_warp(std::uint16_t slot, std::uint64_t now);
    void membar(std::uint16_t slot, const TimingOp& op, std::uint64_t now);
    void pass_membar(std::uint16_t slot, std::uint64_t now);
    void acknowledge(std::uint32_t token, std::uint64_t now);

    LaunchContext context_;
    const Platform& platform_;
    const TimingOp* ops_;
    std::uint32_t subcores_;
    int line_shift_;  ///< an instruction's line of code is its number without these low bits
    std::uint64_t now_ = 0;
    std::vector<Warp> warps_;  ///< slot s belongs to sub-core s mod subcores
    std::vector<SubCore> cores_;
    PoliciesOf<WarpSchedulers> schedulers_;  ///< by sub-core
    std::vector<Block> blocks_;
    std::vector<BlockTrace*> resident_;
    std::uint32_t live_warps_ = 0;
    std::uint64_t starts_ = 0;
    SmEvents events_;
    FetchUnit fetch_;
    ConstantPort constant_port_;
    std::optional<RegisterScoreboard> registers_;  ///< where hardware tracks dependences
    MemoryUnit memory_;
    CopyGroups copies_;
    BarrierArrivals arrivals_;
    std::uint64_t active_since_ = 0;
    AccessRecord access_;
    std::vector<BlockCompletion> completions_;
    StallTable stalls_;
    std::unique_ptr<Error> failure_;
};

}  // namespace sassafras::sim
