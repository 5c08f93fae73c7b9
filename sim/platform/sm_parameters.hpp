// The numbers of an SM: sub-cores, the load/store unit with L1 and shared memory. Their pipes: pipe_parameters.hpp.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/platform/policies.hpp"

namespace sassafras::sim {

/// How a warp knows that the values it needs are there.
enum class DependenceTracking : std::uint8_t {
    control_codes,  ///< the compiler's stall counts and scoreboards (Volta and later)
    scoreboard,     ///< hardware tracks every register (before Volta)
};

/// What becomes of loads from global memory in L1. Local memory is cached there always.
enum class L1GlobalLoads : std::uint8_t {
    cached,
    bypassed,  ///< answered by L2 (Kepler; Maxwell unless a program asks for it)
};

/// What becomes of stores to local memory. L1 has what they wrote either way.
enum class LocalStores : std::uint8_t {
    write_back,     ///< they stay in L1 until their line has to go
    write_through,  ///< each goes on to L2, as stores to global memory do
};

struct SmParameters {
    std::uint32_t subcores{};
    std::uint32_t max_warps{};
    std::uint32_t max_blocks{};
    std::uint32_t registers{};
    std::uint32_t max_registers_per_thread{};
    std::uint32_t register_allocation_unit{};
    std::uint32_t max_threads_per_block{};
    std::uint32_t unified_l1_bytes{};
    std::uint32_t l1_reserved_bytes{};
    std::uint32_t shared_bytes{};
    std::uint32_t max_shared_per_block_bytes{};
    std::uint32_t reserved_shared_per_block_bytes{};
    std::uint32_t shared_allocation_unit_bytes{};
    std::vector<std::uint32_t> shared_carve_outs_bytes;
    std::uint32_t shared_banks{};
    std::uint32_t shared_bank_bytes{};
    std::uint32_t register_banks{};
    std::uint32_t register_bank_ports{};
    std::uint32_t read_window_cycles{};
    std::uint32_t queued_read_interval_cycles{};
    std::uint32_t queued_release_cycles{};
    std::uint32_t result_write_lead_cycles{};
    std::uint32_t issue_interval_cycles{};
    std::uint32_t branch_latency_cycles{};
    std::uint32_t reconvergence_cycles{};
    std::uint32_t lane_search_cycles{};
    std::uint32_t barrier_latency_cycles{};
    std::uint32_t barrier_arrival_interval_cycles{};
    std::uint32_t sleep_least_cycles{};
    std::uint32_t sleep_wake_cycles{};
    std::uint32_t sleep_longest_ns{};
    DependenceTracking dependence_tracking{};
    WarpSchedulers::Choice warp_scheduler{};
    std::uint32_t scheduler_group_warps{};
    template <class Self, class Visitor>
    static void visit(Self& self, Visitor& v) {
        v.integer("subcores", self.subcores, 1, 16, "warp schedulers; warp w belongs to sub-core w mod subcores");
        v.integer("max_warps", self.max_warps, 1, 128, "resident warps");
        v.integer("max_blocks", self.max_blocks, 1, 128, "resident blocks");
        v.integer("registers", self.registers, 1024, 1U << 24U, "32-bit registers");
        v.integer("max_registers_per_thread", self.max_registers_per_thread, 16, 255,
                  "of which a thread can name; kernels that were compiled for more run, with a note");
        v.integer("register_allocation_unit", self.register_allocation_unit, 32, 65536,
                  "registers a warp is given are a multiple of this");
        v.integer("max_threads_per_block", self.max_threads_per_block, 32, 4096, "threads of one block");
        v.integer("unified_l1_bytes", self.unified_l1_bytes, 1024, 1U << 28U, "L1 cache and shared memory together");
        v.integer("l1_reserved_bytes", self.l1_reserved_bytes, 0, 1U << 28U, "of them that neither has");
        v.integer("shared_bytes", self.shared_bytes, 0, 1U << 28U,
                  "most shared memory of an SM, reserved part included");
        v.integer("max_shared_per_block_bytes", self.max_shared_per_block_bytes, 0, 1U << 28U,
                  "most shared memory of a block, reserved part left out");
        v.integer("reserved_shared_per_block_bytes", self.reserved_shared_per_block_bytes, 0, 65536,
                  "taken by the system in every block");
        v.integer("shared_allocation_unit_bytes", self.shared_allocation_unit_bytes, 1, 65536,
                  "shared memory that a block is given is a multiple of this");
        v.integers("shared_carve_outs_bytes", self.shared_carve_outs_bytes, 0, 1U << 28U,
                   "what of the L1 can become shared memory; above all of these, shared_bytes");
        v.integer("shared_banks", self.shared_banks, 1, 1024, "banks of shared memory");
        v.integer("shared_bank_bytes", self.shared_bank_bytes, 4, 16, "width of a bank");
        v.integer("register_banks", self.register_banks, 1, 16, "register-file banks of a sub-core");
        v.integer("register_bank_ports", self.register_bank_ports, 1, 8, "reads of a register bank in one cycle");
        v.integer("read_window_cycles", self.read_window_cycles, 1, 64,
                  "cycles after issue in which an instruction must find its register reads");
        v.integer("queued_release_cycles", self.queued_release_cycles, 1, 10000,
                  "issue of an operation of XU to its register read (read scoreboard released)");
        v.integer("queued_read_interval_cycles", self.queued_read_interval_cycles, 0, 16,
                  "between the registers that XU, stores and shuffles read from their queues, each in the last of them "
                  "at the latest; 0: they are read at issue");
        v.integer("result_write_lead_cycles", self.result_write_lead_cycles, 0, 16,
                  "before its scoreboard clears a result of XU needs a port, at once or a cycle earlier; 0: none");
        v.integer("issue_interval_cycles", self.issue_interval_cycles, 1, 64,
                  "cycles between two warp instructions that a sub-core issues, to whatever unit");
        v.integer("branch_latency_cycles", self.branch_latency_cycles, 1, 1000,
                  "a taken branch to the next instruction of the warp");
        v.integer("reconvergence_cycles", self.reconvergence_cycles, 0, 1000,
                  "that BSYNC takes beyond its stall count, or beyond the branch to other lanes' code");
        v.integer("lane_search_cycles", self.lane_search_cycles, 0, 1000,
                  "that a diverged warp takes to go on with other lanes than those of its last split");
        v.integer("barrier_latency_cycles", self.barrier_latency_cycles, 1, 10000,
                  "last arrival at a barrier to what waits for it; one that does not defer adds its stall count");
        v.integer("barrier_arrival_interval_cycles", self.barrier_arrival_interval_cycles, 1, 1000,
                  "between two warps arriving at barriers of an SM");
        v.integer("sleep_least_cycles", self.sleep_least_cycles, 1, 100000,
                  "NANOSLEEP to the next instruction of the warp, at least");
        v.integer("sleep_wake_cycles", self.sleep_wake_cycles, 1, 100000,
                  "the tick of the timer that ends a NANOSLEEP to the next instruction of the warp");
        v.integer("sleep_longest_ns", self.sleep_longest_ns, 1, 1U << 30U, "what a longer NANOSLEEP is taken for");
        v.choice("dependence_tracking", self.dependence_tracking,
                 {{"control_codes", DependenceTracking::control_codes}, {"scoreboard", DependenceTracking::scoreboard}},
                 "how dependences are tracked");
        WarpSchedulers::visit(v, "warp_scheduler", self.warp_scheduler,
                              "which of a sub-core's warps that can issue does so");
        v.integer("scheduler_group_warps", self.scheduler_group_warps, 1, 32,
                  "two_level: warps of a sub-core that form a group; the other schedulers have none");
    }
};

/// The load/store unit that the sub-cores of an SM share, and the L1 cache and shared memory behind it.
struct LsuParameters {
    std::uint32_t queue_entries{};
    std::uint32_t issue_interval_cycles{};
    std::uint32_t shared_load_latency_cycles{};
    std::uint32_t shared_atomic_latency_cycles{};
    std::uint32_t shared_swap_latency_cycles{};
    std::uint32_t shuffle_latency_cycles{};
    std::uint32_t constant_latency_cycles{};
    std::uint32_t constant_address_cycles{};
    std::uint32_t constant_interval_cycles{};
    std::uint32_t l1_hit_latency_cycles{};
    std::uint32_t register_read_latency_cycles{};
    std::uint32_t store_data_lag_cycles{};
    std::uint32_t store_drain_cycles{};
    std::uint32_t operand_register_cycles{};
    std::uint32_t load_register_cycles{};
    std::uint32_t address_register_cycles{};
    std::uint32_t return_register_cycles{};
    std::uint32_t membar_latency_cycles{};
    std::uint32_t wavefront_interval_cycles{};
    std::uint32_t subcore_wavefront_interval_cycles{};
    std::uint32_t warp_wavefront_interval_cycles{};
    std::uint32_t tags_per_cycle{};
    std::vector<std::uint32_t> tag_hash;
    std::uint32_t miss_interval_cycles{};
    std::uint32_t lines_per_wavefront{};
    std::uint32_t data_buffer_accesses{};
    std::uint32_t data_buffer_cycles{};
    std::uint32_t warp_buffer_cycles{};
    std::uint32_t l1_line_bytes{};
    std::uint32_t sector_bytes{};
    std::uint32_t l1_fill_bytes{};
    std::uint32_t l1_ways{};
    Replacements::Choice l1_replacement{};
    L1GlobalLoads l1_global_loads{};
    LocalStores local_stores{};
    std::uint32_t accept_interval_cycles{};
    std::uint32_t return_bytes_per_cycle{};
    std::uint32_t atomic_return_cycles{};
    std::uint32_t store_buffer_cycles{};
    std::uint32_t store_bytes_per_cycle{};
    std::uint32_t store_mask_bytes{};
    std::uint32_t store_wavefronts{};
    std::uint32_t store_merge_lines{};
    std::uint32_t store_port_lines{};
    std::uint32_t store_merge_idle_cycles{};
    std::uint32_t store_merge_hold_cycles{};
    std::uint32_t outstanding_stores{};
    std::uint32_t outstanding_loads{};
    std::uint32_t miss_buffer_lines{};
    template <class Self, class Visitor>
    static void visit(Self& self, Visitor& v) {
        v.integer("queue_entries", self.queue_entries, 1, 1024,
                  "memory instructions of a sub-core that wait for the unit");
        v.integer("issue_interval_cycles", self.issue_interval_cycles, 1, 1024,
                  "between two memory instructions of one sub-core entering the unit, data of stores not counted");
        v.integer("shared_load_latency_cycles", self.shared_load_latency_cycles, 1, 10000,
                  "LDS issue to result, one wavefront, idle unit");
        v.integer("shared_atomic_latency_cycles", self.shared_atomic_latency_cycles, 1, 10000, "ATOMS issue to result");
        v.integer("shared_swap_latency_cycles", self.shared_swap_latency_cycles, 1, 10000,
                  "ATOMS.CAS and ATOMS.CAST.SPIN issue to result, beside their second wavefront");
        v.integer("shuffle_latency_cycles", self.shuffle_latency_cycles, 1, 10000, "SHFL issue to result");
        v.integer("constant_latency_cycles", self.constant_latency_cycles, 1, 10000, "LDC issue to result, cache hit");
        v.integer("constant_address_cycles", self.constant_address_cycles, 0, 10000,
                  "more for each address beyond the first that its lanes have");
        v.integer("constant_interval_cycles", self.constant_interval_cycles, 0, 10000,
                  "of an SM, for each of those addresses");
        v.integer("l1_hit_latency_cycles", self.l1_hit_latency_cycles, 1, 10000, "LDG issue to result, L1 hit");
        v.integer("register_read_latency_cycles", self.register_read_latency_cycles, 1, 10000,
                  "issue to its registers read (read scoreboard released), beside what each of them takes to be sent");
        v.integer("store_data_lag_cycles", self.store_data_lag_cycles, 0, 10000,
                  "more where there is data: so much later it is all there, and a load behind it begins");
        v.integer("store_drain_cycles", self.store_drain_cycles, 0, 10000,
                  "from the last register of a store being read until its warp may end");
        v.integer("operand_register_cycles", self.operand_register_cycles, 0, 64,
                  "more, before the next, for each register of data (32 lanes x 4 bytes) that a store or atomic sends");
        v.integer("load_register_cycles", self.load_register_cycles, 0, 64,
                  "more latency for each further register of a wide LDS, where it takes a wavefront of its own");
        v.integer("address_register_cycles", self.address_register_cycles, 0, 64,
                  "more, before the next, for the second register of an address; so much less if it has none");
        v.integer("return_register_cycles", self.return_register_cycles, 0, 64,
                  "a load keeps its sub-core's way so long for each register that it brings, and for one more");
        v.integer("membar_latency_cycles", self.membar_latency_cycles, 0, 100000,
                  "MEMBAR of the GPU or the system, once L2 has taken all stores of the warp");
        v.integer("wavefront_interval_cycles", self.wavefront_interval_cycles, 1, 64,
                  "data-stage wavefront to the next");
        v.integer("subcore_wavefront_interval_cycles", self.subcore_wavefront_interval_cycles, 1, 64,
                  "between two wavefronts of one sub-core, sent or returned");
        v.integer("warp_wavefront_interval_cycles", self.warp_wavefront_interval_cycles, 1, 64,
                  "between two wavefronts of one warp");
        v.integer("tags_per_cycle", self.tags_per_cycle, 1, 32,
                  "cache lines of an access looked up in one cycle, each in a bank of tags of its own");
        v.integers("tag_hash", self.tag_hash, 0, 31,
                   "of each address bit, from a line's number upwards, the bits that it flips of the number that, "
                   "modulo tags_per_cycle, is the bank of tags");
        v.integer("lines_per_wavefront", self.lines_per_wavefront, 0, 32,
                  "cache lines whose data one wavefront can return; 0: any, a word of each bank");
        v.integer("miss_interval_cycles", self.miss_interval_cycles, 1, 64,
                  "between two lines that loads and atomics ask L2 for");
        v.integer("data_buffer_accesses", self.data_buffer_accesses, 0, 1024,
                  "memory instructions that have entered the unit and not gone through the data stage, of all "
                  "sub-cores; 0: data_buffer_cycles and warp_buffer_cycles bound them");
        v.integer("data_buffer_cycles", self.data_buffer_cycles, 1, 100000,
                  "work that may queue before the data stage; what a store takes it for beside its words comes so much "
                  "later");
        v.integer(
            "warp_buffer_cycles", self.warp_buffer_cycles, 1, 100000,
            "wavefronts of one warp that may queue there, a cycle each, before others of its sub-core must wait too");
        v.integer("l1_line_bytes", self.l1_line_bytes, 32, 1024, "cache line");
        v.integer("sector_bytes", self.sector_bytes, 16, 1024,
                  "part of a line that is valid, fetched and counted alone");
        v.integer("l1_fill_bytes", self.l1_fill_bytes, 16, 1024,
                  "a load that misses L1 brings whole parts of a line of this size; at least a sector");
        v.integer("l1_ways", self.l1_ways, 1, 1024, "associativity");
        Replacements::visit(v, "l1_replacement", self.l1_replacement, "which line of a full set goes");
        v.choice("l1_global_loads", self.l1_global_loads,
                 {{"cached", L1GlobalLoads::cached}, {"bypassed", L1GlobalLoads::bypassed}},
                 "loads from global memory in L1; local memory is cached always");
        v.choice("local_stores", self.local_stores,
                 {{"write_back", LocalStores::write_back}, {"write_through", LocalStores::write_through}},
                 "whether stores to local memory stay in L1 until their line goes, or each goes on to L2");
        v.integer("accept_interval_cycles", self.accept_interval_cycles, 1, 64,
                  "between two memory instructions of all sub-cores entering the unit");
        v.integer("return_bytes_per_cycle", self.return_bytes_per_cycle, 1, 4096, "from the crossbar into an SM");
        v.integer("atomic_return_cycles", self.atomic_return_cycles, 0, 1000,
                  "that an atomic's result occupies this way, for each lane of a line's fullest word");
        visit_ways_out(self, v);
    }

  private:
    template <class Self, class Visitor>
    static void visit_ways_out(Self& self, Visitor& v) {
        v.integer("outstanding_stores", self.outstanding_stores, 1, 16384,
                  "lines that an SM may have on their way to L2 as stores; more wait in the memory unit");
        v.integer("outstanding_loads", self.outstanding_loads, 0, 65536,
                  "requests of loads and atomics of an SM, a line each, that L2 has not answered; more wait. 0: no "
                  "bound but, "
                  "where data_buffer_accesses is not 0, the lines of L1");
        v.integer(
            "miss_buffer_lines", self.miss_buffer_lines, 0, 65536,
            "lines that L1 lacks, so many may wait to leave the SM behind their lookups; later lookups wait for more");
        v.integer("store_buffer_cycles", self.store_buffer_cycles, 0, 100000,
                  "of the way into the crossbar, for which stores may have entered the unit");
        v.integer("store_bytes_per_cycle", self.store_bytes_per_cycle, 1, 4096, "from an SM into the crossbar");
        v.integer("store_mask_bytes", self.store_mask_bytes, 0, 4096,
                  "more of a line that is written in part, or reduced: its byte mask");
        v.integer("store_wavefronts", self.store_wavefronts, 0, 64,
                  "of the data stage that a store to global or local memory takes beside one a register");
        v.integer("store_port_lines", self.store_port_lines, 0, 1024,
                  "lines of stores that may wait for the crossbar before what comes behind must wait; 0: no bound");
        v.integer("store_merge_lines", self.store_merge_lines, 0, 1024,
                  "lines of stores that may wait for further stores to them; 0: none waits");
        v.integer("store_merge_idle_cycles", self.store_merge_idle_cycles, 0, 100000,
                  "without a store, after which they leave");
        v.integer("store_merge_hold_cycles", self.store_merge_hold_cycles, 0, 100000,
                  "without a store, after which the last of them leaves");
    }
};

}  // namespace sassafras::sim
