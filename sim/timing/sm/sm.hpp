// One streaming multiprocessor: sub-cores that issue, the load/store unit they share, L1, barriers. Runs on its own
// between two exchanges with the memory system; nothing in it is scanned in a cycle in which nothing can happen.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "sim/access/instruction_counters.hpp"
#include "sim/engine/event_wheel.hpp"
#include "sim/engine/slot_calendar.hpp"
#include "sim/metrics/metric_counts.hpp"
#include "sim/platform/platform.hpp"
#include "sim/timing/memory/memory_system.hpp"
#include "sim/timing/memory/sectored_cache.hpp"
#include "sim/timing/sm/fetch.hpp"
#include "sim/timing/sm/register_scoreboard.hpp"
#include "sim/timing/timing_op.hpp"
#include "sim/trace/trace_source.hpp"

namespace sassafras::sim {

/// What all SMs of a launch share and only read.
struct LaunchContext {
    const Platform* platform = nullptr;
    const std::vector<TimingOp>* ops = nullptr;
    const RegisterDependences* registers = nullptr;  ///< where hardware tracks dependences, else null
    std::uint32_t warps_per_block = 0;
    std::uint64_t l1_lines = 0;
    TraceSource* source = nullptr;  ///< used inside run() only with on_demand
    std::uint64_t run_ahead = 0;    ///< instructions to produce at a time
    double nanoseconds_begin = 0;   ///< what the global timer showed at cycle 0
    bool on_demand = false;
};

struct BlockCompletion {
    std::uint64_t time = 0;
    BlockTrace* trace = nullptr;
};

class Sm {
  public:
    Sm(const LaunchContext& context, std::uint32_t number);

    /// Makes a block resident; its warps start at `time`, which must not lie before the end of the last run().
    void start_block(BlockTrace* trace, std::uint64_t time);
    void receive(const std::vector<MemoryResponse>& responses);
    void free_stores(const std::vector<StoreDone>& stores);
    /// Simulates from `begin`, before which nothing was left to happen, up to, not including, cycle `end`.
    void run(std::uint64_t begin, std::uint64_t end);

    [[nodiscard]] std::vector<MemoryRequest>& outbox() { return outbox_; }
    [[nodiscard]] std::vector<BlockCompletion>& completions() { return completions_; }
    [[nodiscard]] const std::vector<BlockTrace*>& resident() const { return resident_; }
    [[nodiscard]] bool idle() const { return live_warps_ == 0; }
    /// First cycle at which anything can happen without further input.
    [[nodiscard]] std::uint64_t next_activity() const;

    [[nodiscard]] const MetricCounts& counters() const { return counters_; }
    [[nodiscard]] const InstructionCounters& instruction_counters() const { return instruction_counters_; }
    [[nodiscard]] const StallTable& stalls() const { return stalls_; }
    /// Set when a kernel that reads clocks failed while it was executed on demand.
    [[nodiscard]] const std::unique_ptr<Error>& failure() const { return failure_; }

  private:
    static constexpr std::uint64_t never = ~std::uint64_t{0};
    static constexpr std::uint32_t from_the_start =
        ~std::uint32_t{0};  ///< in place of the instruction before a warp's first

    struct Warp {
        std::uint64_t stall_end = 0;  ///< last issue plus its stall count
        std::uint64_t ready_at = 0;   ///< the stall count and the fetch allow the next issue
        std::uint64_t last_issue = 0;
        std::uint64_t scoreboard_clear = 0;  ///< when the last scoreboard it waited for cleared
        std::uint64_t started = 0;
        std::uint64_t age = 0;            ///< order of start
        std::uint64_t sleep_end = never;  ///< when all `sleeping_lanes` wake: a warp has one timer
        WarpTrace* trace = nullptr;
        std::uint32_t pc = 0;
        std::uint32_t left = 0;  ///< instructions left in the segment
        std::uint32_t mask = 0;  ///< lanes of the segment
        std::uint32_t sleeping_lanes = 0;
        std::uint32_t sleeps = 0;           ///< times that the whole warp fell asleep
        bool timer_told = false;            ///< execution knows that the timer of `sleeping_lanes` has gone off
        std::uint8_t pending = 0;           ///< scoreboards that are not zero
        std::uint8_t long_scoreboards = 0;  ///< of those, the ones that wait for L1 or beyond
        std::array<std::uint8_t, 6> scoreboard{};
        Stall cleared_kind = Stall::short_scoreboard;
        Stall held_by = Stall::wait;  ///< what ready_at stands for beyond the stall count
        std::uint32_t partly_at = 0;  ///< past a barrier at which only part of the warp has arrived; 0: none
        std::uint8_t partly_number = 0;
        std::uint32_t unacknowledged = 0;  ///< stores that L2 has not taken yet, in kernels that wait for that
        bool at_membar = false;            ///< waits for them
        std::uint16_t block = 0;
        std::uint16_t index = 0;  ///< in its block
        bool live = false;
        bool starved = false;  ///< no instruction in the trace yet
        bool asleep = false;   ///< starved, and execution waits for the end of a sleep
    };
    struct SubCore {
        std::array<std::uint64_t, unit_count> unit_free{};
        std::array<std::uint32_t, 64> wake{};  ///< warps whose stall ends, by cycle modulo 64
        std::uint64_t wake_bits = 0;
        std::uint64_t next = never;  ///< next cycle worth a look
        std::uint64_t dispatch_free = 0;
        std::array<std::uint64_t, max_register_banks> bank_free{};  ///< reads of a register bank are booked up to here
        std::uint32_t candidates = 0;                               ///< warps that could issue but for a unit
        std::uint32_t waiting = 0;                                  ///< warps that wait for a scoreboard
        std::uint16_t greedy = 0xffff;                              ///< slot that issued last
        std::uint32_t last_pc = 0;
        bool ports_busy = false;           ///< the last issue holds up the next for register reads
        std::vector<std::uint64_t> queue;  ///< when each of the last memory instructions leaves the queue
        std::size_t queue_at = 0;
        std::uint64_t way_free = 0;     ///< wavefronts between it and the data stage, either way, are booked up to here
        std::uint64_t memory_free = 0;  ///< next memory instruction of this sub-core may enter the unit
    };
    struct Block {
        BlockTrace* trace = nullptr;
        std::uint32_t live = 0;
        std::array<std::uint32_t, 16> arrived{};
        std::array<std::uint32_t, 16> expected{};
        std::array<std::uint64_t, 16> waiting{};  ///< warps of the block (index) that wait, by barrier
        std::vector<std::uint16_t> warps;         ///< slots
    };
    struct Event {
        enum class Kind : std::uint8_t {
            release_write,
            release_read,
            wake,
            timer,
            fill,
            writeback,
            acknowledge
        } kind{};
        std::uint8_t scoreboard = 0;
        std::uint16_t warp = 0;
        std::uint32_t token = 0;
        std::uint64_t age = 0;  ///< of the warp that it is meant for: the slot may have been given to another
    };
    /// A load or atomic that waits for sectors.
    struct LoadOperation {
        std::uint16_t warp = 0;
        std::uint8_t scoreboard = 7;
        std::uint8_t outstanding = 0;
        std::uint16_t wavefronts_a_fill = 1;
        std::uint32_t pc = 0;
        std::uint64_t finish = 0;  ///< last wavefront booked so far
        std::uint64_t age = 0;
        std::uint32_t copy_group = 0;       ///< LDGSTS: number of its group plus one
        std::uint32_t copy_wavefronts = 0;  ///< LDGSTS: what it then stores to shared memory
    };
    /// A warp's copies to shared memory (LDGSTS) between two LDGDEPBARs.
    struct CopyGroup {
        std::uint32_t outstanding = 0;
        std::uint8_t scoreboard = 7;
        bool closed = false;
    };
    struct Copies {
        std::uint64_t age = never;  ///< of the warp; what another left in the slot does not count
        std::uint32_t first = 0;    ///< number of groups[0]
        std::vector<CopyGroup> groups = std::vector<CopyGroup>(1);  ///< the last is open
    };
    /// Sectors of one line that were asked for together, and the loads that wait for them.
    struct Miss {
        std::uint64_t line = 0;
        std::uint32_t sectors = 0;
        bool fills_cache = true;
        std::uint32_t older = 0;  ///< next open miss of the same line, plus one
        std::vector<std::uint32_t> waiting;
    };

    // sm.cpp
    void handle(const Event& event, std::uint64_t now);
    void look_at(SubCore& core, std::uint64_t when) { core.next = std::min(core.next, when); }
    void schedule_wake(std::uint16_t slot, std::uint64_t time);
    void becomes_ready(std::uint16_t slot, std::uint64_t now);
    [[nodiscard]] bool held_by_scoreboard(const Warp& warp) const;
    /// Makes the warp wait if registers that its next instruction reads or writes are not there yet.
    bool held_by_registers(std::uint16_t slot, std::uint64_t now);
    void release(std::uint16_t slot, std::uint64_t age, std::uint8_t scoreboard, std::uint64_t now);
    void loaded(const LoadOperation& load, std::uint64_t now);

    // sm_clock.cpp
    [[nodiscard]] std::uint64_t end_of_sleep(std::uint64_t nanoseconds, std::uint64_t now) const;
    void fall_asleep(std::uint16_t slot, std::uint64_t now);
    void lie_down(Warp& warp, std::uint64_t nanoseconds, std::uint64_t now);
    [[nodiscard]] static bool has_news(const Warp& warp);
    static void tell_timer(Warp& warp);
    static void end_sleep(Warp& warp);
    static void take_sleep(Warp& warp);
    void timer_went_off(const Event& event, std::uint64_t now);
    void clock_answered(Warp& warp, std::uint64_t now);
    void execute_on(Warp& warp, std::uint64_t now);

    // sm_issue.cpp
    void try_issue(std::uint32_t core_number, std::uint64_t now);
    void issue(std::uint32_t core_number, std::uint16_t slot, std::uint64_t now);
    void account(const Warp& warp, const SubCore& core, const TimingOp& op, std::uint64_t now);
    /// Moves the warp to its next instruction; `ready_at` becomes the earliest cycle at which that may issue.
    void advance_pc(std::uint16_t slot, std::uint64_t now);
    bool next_segment(Warp& warp);
    void await_code(std::uint16_t slot, std::uint32_t before, std::uint64_t now);
    void feed(std::uint16_t slot, std::uint64_t now);

    // sm_memory.cpp
    void memory_instruction(std::uint32_t core_number, std::uint16_t slot, const TimingOp& op, std::uint64_t now);
    std::uint64_t enter_memory_unit(SubCore& core, const TimingOp& op, std::uint64_t now);
    std::uint64_t reserve_data(SubCore& core, std::uint64_t from, std::uint32_t wavefronts, bool by_subcore);
    void access_memory(std::uint16_t slot, const TimingOp& op, std::uint64_t entry);
    void shared_access(std::uint16_t slot, const TimingOp& op, const AccessRecord& access, std::uint64_t entry);
    std::uint32_t count_shared(std::uint16_t slot, const TimingOp& op, const AccessRecord& access,
                               SharedAccessKind kind);
    /// The result of the warp's instruction is there at `time`: for the code's scoreboard or the hardware's.
    void result_at(std::uint16_t slot, const TimingOp& op, std::uint64_t time);
    void hold(Warp& warp, std::uint8_t scoreboard, bool is_long);
    void release_later(std::uint16_t slot, std::uint8_t scoreboard, std::uint64_t time, Event::Kind kind);

    // sm_global.cpp
    void global_access(std::uint16_t slot, const TimingOp& op, const AccessRecord& access, std::uint64_t entry);
    void local_access(std::uint16_t slot, const TimingOp& op, const AccessRecord& access, std::uint64_t entry);
    /// The cycle at which line `number` of an access is looked up, if the one before it was at `before`.
    std::uint64_t look_up_tag(std::uint32_t number, std::uint64_t before);
    void load_lines(std::uint16_t slot, const TimingOp& op, const AccessRecord& access, std::uint32_t width,
                    std::uint64_t entry, bool local);
    void store_lines(std::uint16_t slot, const TimingOp& op, const AccessRecord& access, std::uint64_t entry);
    void store_lines_to_l1(std::uint64_t entry);
    void send_store(const LineAccess& line, std::uint64_t time, MemoryRequest request);
    SectoredCache::Line& l1_line(std::uint64_t tag, std::uint64_t time);
    std::uint32_t new_miss(SectoredCache::Line* line, std::uint64_t tag, std::uint32_t sectors, std::uint64_t time,
                           RequestKind kind, std::uint8_t operations);
    std::uint32_t new_load(std::uint16_t slot, std::uint8_t scoreboard);
    void fill(std::uint32_t token, std::uint64_t now);
    void finish_load(std::uint32_t token);

    // sm_copy.cpp
    Copies& copies_of(std::uint16_t slot);
    void start_copy(std::uint16_t slot, const TimingOp& op, std::uint32_t token);
    void close_copies(std::uint16_t slot, const TimingOp& op, std::uint64_t now);
    void copy_done(const LoadOperation& load, std::uint64_t now);
    void retire_copies(std::uint16_t slot, std::uint64_t now);

    // sm_barrier.cpp
    void barrier(std::uint16_t slot, const TimingOp& op, std::uint64_t now);
    void release_barrier_if_complete(Block& block, std::size_t number, std::uint64_t time);
    void exit_warp(std::uint16_t slot, std::uint64_t now);
    void membar(std::uint16_t slot, const TimingOp& op, std::uint64_t now);
    void pass_membar(std::uint16_t slot, std::uint64_t now);
    void acknowledge(std::uint32_t token, std::uint64_t now);

    LaunchContext context_;
    const Platform& platform_;
    const TimingOp* ops_;
    std::uint32_t number_;
    std::uint32_t subcores_;
    std::uint64_t now_ = 0;
    std::vector<Warp> warps_;  ///< slot s belongs to sub-core s mod subcores
    std::vector<SubCore> cores_;
    std::vector<Block> blocks_;
    std::vector<BlockTrace*> resident_;
    std::uint32_t live_warps_ = 0;
    std::uint64_t starts_ = 0;
    EventWheel<Event> events_;
    FetchUnit fetch_;
    std::optional<RegisterScoreboard> registers_;  ///< where hardware tracks dependences
    SectoredCache l1_;

    // The memory unit's stages, in units of their intervals.
    SlotCalendar accept_;
    SlotCalendar tags_;
    SlotCalendar data_;
    std::uint64_t store_free_ = 0;  ///< 2^-20 cycles
    /// By place of a store on its way: when it becomes free, as far as known. A store whose end is not known yet is
    /// taken to need an idle round trip; what memory says corrects that before the place is needed again.
    std::vector<std::uint64_t> store_places_;
    std::uint64_t stores_sent_ = 0;
    std::uint64_t barrier_free_ = 0;
    std::uint64_t active_since_ = 0;
    std::vector<LoadOperation> loads_;
    std::vector<Copies> copies_;  ///< by slot; empty until the kernel copies
    std::vector<std::uint32_t> free_loads_;
    std::vector<Miss> misses_;
    std::vector<std::uint32_t> free_misses_;
    AccessRecord access_;
    AccessRecord part_;  ///< of a local access: one word of each lane
    GlobalAccess global_;

    std::vector<MemoryRequest> outbox_;
    std::vector<BlockCompletion> completions_;
    MetricCounts counters_;
    InstructionCounters instruction_counters_;
    StallTable stalls_;
    std::unique_ptr<Error> failure_;
};

}  // namespace sassafras::sim
