// The load/store unit that the sub-cores of an SM share, with the L1 cache behind it. It is given an instruction's
// accesses at issue, books its stages, asks the memory system for what L1 lacks, and puts an event for when a result is
// there.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/access/access_memo.hpp"
#include "sim/access/instruction_counters.hpp"
#include "sim/metrics/metric_counts.hpp"
#include "sim/platform/platform.hpp"
#include "sim/timing/memory/memory_request.hpp"
#include "sim/timing/memory/sectored_cache.hpp"
#include "sim/timing/memory/traffic.hpp"
#include "sim/timing/memory/untimed_access.hpp"
#include "sim/timing/sm/load_places.hpp"
#include "sim/timing/sm/local_layout.hpp"
#include "sim/timing/sm/memory_stages.hpp"
#include "sim/timing/sm/resident_warp.hpp"
#include "sim/timing/sm/sm_event.hpp"
#include "sim/timing/sm/store_path.hpp"
#include "sim/timing/timing_op.hpp"

namespace sassafras::sim {

/// Where a memory instruction comes from.
struct Requester {
    WarpName warp;
    std::uint32_t subcore = 0;
    std::uint32_t pc = 0;
};

/// A load or atomic that waits for sectors; or a store that L2 acknowledges.
struct LoadOperation {
    Requester requester;
    std::uint8_t scoreboard = Scoreboards::none;
    std::uint8_t outstanding = 0;
    std::uint8_t fills = 0;                 ///< that it has waited for, or still does
    std::uint16_t wavefronts_of_fills = 0;  ///< of all of them
    std::uint64_t finish = 0;               ///< last wavefront booked so far
    std::uint32_t copy_group = 0;           ///< LDGSTS: number of its group (CopyGroups)
    std::uint32_t copy_wavefronts = 0;      ///< LDGSTS: what it then stores to shared memory

    /// Of all of them, those that the next of its lines to come brings.
    [[nodiscard]] std::uint32_t wavefronts_of_fill() const {
        if (fills == 1) return wavefronts_of_fills;
        if (fills == wavefronts_of_fills) return 1;  // as most have it: no division
        const std::uint32_t had = fills - outstanding;
        return wavefronts_of_fills * (had + 1) / fills - wavefronts_of_fills * had / fills;
    }
};

/// LDGSTS: where what is loaded goes.
struct CopyTarget {
    std::uint32_t group = 0;
    std::uint32_t wavefronts = 0;
};

class MemoryUnit {
  public:
    struct Shape {
        std::uint32_t sm = 0;  ///< number
        std::uint64_t l1_lines = 1;
        std::uint64_t local_bytes = 0;  ///< of a thread
        std::size_t slots = 1;          ///< of warps
        std::size_t instructions = 0;   ///< of the kernel
    };
    /// `platform` and `events` are kept.
    MemoryUnit(const Platform& platform, const Shape& shape, SmEvents& events);

    [[nodiscard]] MemoryStages& stages() { return stages_; }
    [[nodiscard]] const MemoryStages& stages() const { return stages_; }
    [[nodiscard]] L1Traffic traffic() const {
        return {
            .wavefronts = data_wavefronts_, .line_requests = stages_.left(), .store_cycles = store_path_.cycles_busy()};
    }

    /// The cycle at which an instruction that is issued at `now` enters the unit.
    std::uint64_t enter(std::uint32_t subcore, std::uint32_t warp, const TimingOp& op, std::uint64_t now);
    /// From there until the registers that it sends are there, of its data the first `data` only
    /// (validate/records/h200/probes/memory_latencies.py). None on GPUs of which no such thing was measured.
    [[nodiscard]] std::uint32_t sending_cycles(const TimingOp& op, std::uint32_t data) const {
        const LsuParameters& lsu = platform_.lsu;
        if (lsu.address_register_cycles == 0) return 0;
        return op.address_registers * lsu.address_register_cycles + data * lsu.operand_register_cycles +
               (data != 0 ? lsu.store_data_lag_cycles : 0);
    }

    // Accesses of an instruction that enters at `entry`, one space each. Loads and atomics that return end with an
    // event `writeback` of their token; finished() then has what they were.

    /// The cycle at which the result is there.
    std::uint64_t shared(const Requester& from, const TimingOp& op, const AccessRecord& access, std::uint64_t entry);
    /// Wavefronts of an access to shared memory.
    std::uint32_t count_shared(std::uint32_t pc, const TimingOp& op, const AccessRecord& access, SharedAccessKind kind);
    /// What each of the two makes wait.
    struct Waits {
        std::uint32_t loads = 0;   ///< operations that end with a writeback
        bool acknowledge = false;  ///< a store whose lines end with an event `acknowledge` each
    };
    Waits global(const Requester& from, const TimingOp& op, const AccessRecord& access, const CopyTarget& copy,
                 std::uint64_t entry);
    Waits local(const Requester& from, const TimingOp& op, const AccessRecord& access, std::uint64_t entry);

    /// What was asked for at `asked` will be answered at `time`.
    void will_answer(std::uint64_t asked, std::uint64_t time) { load_places_.note_trip(time - asked); }
    /// Sectors that were asked for come: fill() now, or an event `fill` once what came before them is through.
    void take_answer(std::uint32_t token, std::uint64_t now);
    /// They have come.
    void fill(std::uint32_t token, std::uint64_t now);
    /// The operation whose writeback has come; its token is free.
    LoadOperation finished(std::uint32_t token);
    /// L2 has taken a line of a store; true if it was the last, with the warp that it is of.
    bool acknowledged(std::uint32_t token, WarpName& warp);
    void free_stores(const std::vector<StoreDone>& stores) {
        for (const StoreDone& store : stores) store_path_.free(store.credit, store.time);
    }

    /// What the access leaves in L1, and in `access` what goes on to L2, beside what is evicted. It takes no time and
    /// is not counted.
    void leave_untimed(UntimedAccess& access, std::vector<UntimedAccess>& evicted);

    /// Stores that leave before `end` if none comes until then go into the outbox; when the next of the others does.
    std::uint64_t let_stores_leave(std::uint64_t end) {
        store_path_.leave_until(end, outbox_);
        return store_path_.next_due();
    }
    [[nodiscard]] std::vector<MemoryRequest>& outbox() { return outbox_; }
    [[nodiscard]] MetricCounts& counters() { return counters_; }
    [[nodiscard]] const MetricCounts& counters() const { return counters_; }
    [[nodiscard]] InstructionCounters& instruction_counters() { return instruction_counters_; }
    [[nodiscard]] const InstructionCounters& instruction_counters() const { return instruction_counters_; }

  private:
    /// Sectors of one line that were asked for together, and the loads that wait for them.
    struct Miss {
        std::uint64_t line = 0;
        std::uint32_t sectors = 0;
        bool fills_cache = true;
        std::uint8_t atomics = 0;  ///< requests of an atomic that L2 answers
        std::uint32_t older = 0;   ///< next open miss of the same line, plus one
        std::vector<std::uint32_t> waiting;
    };

    /// Loads, and atomics that return: of the lines in lines_.
    void load_lines(const Requester& from, const TimingOp& op, const AccessRecord& access, const CopyTarget& copy,
                    std::uint64_t entry, bool local);
    /// When the data of a load can begin to come, with the last lookup (l1_mix.cu; where a wavefront is of one line,
    /// with the first), and how many answers it waits for.
    struct Lookups {
        std::uint64_t data_from = 0;
        std::uint8_t outstanding = 0;
    };
    Lookups ask_for_lines(const TimingOp& op, std::uint32_t token, std::uint64_t entry, bool local);
    /// Data stage wavefronts that a load takes if L1 has everything.
    /// What an H200 counts of an access: a line is one, whatever registers it fills, and comes back as part of what it
    /// was asked for with.
    void count_wavefronts(std::uint32_t wavefronts) {
        data_wavefronts_ += lines_.line_count <= 1 ? lines_.line_count : wavefronts;
    }
    [[nodiscard]] std::uint32_t wavefronts_of_load(const AccessRecord& access, std::uint32_t width, bool local) const;
    std::uint8_t look_up_line(const LineAccess& wanted, std::uint32_t token, std::uint64_t time, bool local);
    /// Stores and reductions: through to L2, without a place in L1. True if they are acknowledged.
    bool store_lines(const Requester& from, const TimingOp& op, const AccessRecord& access, std::uint64_t came,
                     std::uint64_t entry);
    /// Stores to local memory: `bytes` of the lines in lines_.
    void store_lines_to_l1(const Requester& from, const TimingOp& op, std::uint32_t word, std::uint64_t entry,
                           std::uint32_t bytes);
    std::uint64_t take_data(const Requester& from, const AccessRecord& access, std::uint32_t width, std::uint64_t there,
                            std::uint32_t more);
    void send_store(const LineAccess& line, std::uint64_t time, MemoryRequest request, std::uint32_t bytes);
    [[nodiscard]] std::uint32_t bytes_of_line(const LineAccess& line, std::uint32_t bytes) const;
    SectoredCache::Line& l1_line(std::uint64_t tag, std::uint64_t time);
    std::uint32_t new_miss(SectoredCache::Line* line, std::uint64_t tag, std::uint32_t sectors, std::uint64_t time,
                           RequestKind kind, const LineUpdates& updates);
    /// Into updates_, of the lines in lines_.
    void count_updates(const TimingOp& op, const AccessRecord& access);
    void take_out_of_chain(SectoredCache::Line& line, std::uint32_t token);
    std::uint32_t new_load(const Requester& from, std::uint8_t scoreboard);
    void finish_load(std::uint32_t token);

    const Platform& platform_;
    Shape shape_;
    LocalLayout local_layout_;
    SmEvents& events_;
    MemoryStages stages_;
    std::uint64_t data_wavefronts_ = 0;  ///< of loads and stores
    StorePath store_path_;
    std::uint64_t loads_through_ = 0;  ///< the last wavefront of loads that L1 had, in order
    LoadPlaces load_places_;
    std::uint64_t lookups_from_ = 0;  ///< lines are looked up in order: behind the last one that left
    std::uint64_t last_left_ = 0;     ///< as far as is known when that will be, of all that have been looked up
    std::uint64_t return_cost_;       ///< 2^-20 cycles a byte
    std::uint64_t return_free_ = 0;   ///< when the way into the SM is free, 2^-20 cycles
    SectoredCache l1_;
    std::vector<LoadOperation> loads_;
    std::vector<std::uint32_t> free_loads_;
    std::vector<Miss> misses_;
    std::vector<std::uint32_t> free_misses_;
    std::array<LineUpdates, 64> updates_{};  ///< by line of lines_: of an atomic
    AccessRecord part_;                      ///< of a local access: one word of each lane
    GlobalAccess lines_;
    std::vector<MemoryRequest> outbox_;
    MetricCounts counters_;
    InstructionCounters instruction_counters_;
    std::vector<std::uint32_t> known_of_;  ///< by instruction: its place in known_, plus one; 0: none yet
    std::vector<KnownWavefronts> known_;
};

}  // namespace sassafras::sim
