// Every number of a modelled GPU. A parameter is declared once, in `visit`: its JSON place, range, unit (in the name)
// and meaning; the strict reader, the resolved output, the hash and the schema all come from that one list. Nothing has
// a default: the numbers are a file's (platform_reader.hpp), and a Platform that was not read is all zeros.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/platform/limits.hpp"
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

/// One execution pipe of a sub-core.
struct PipeParameters {
    std::uint32_t issue_interval_cycles{};  ///< cycles between two warp instructions of one sub-core
    std::uint32_t latency_cycles{};         ///< issue to result, for dependents that a scoreboard tracks
    template <class Self, class Visitor>
    static void visit(Self& self, Visitor& v) {
        v.integer("issue_interval_cycles", self.issue_interval_cycles, 1, 1024,
                  "cycles between two warp instructions of one sub-core");
        v.integer("latency_cycles", self.latency_cycles, 1, 10000, "issue to result");
    }
};

struct ClockParameters {
    double sm_mhz{};
    std::uint32_t global_timer_step_ns{};
    template <class Self, class Visitor>
    static void visit(Self& self, Visitor& v) {
        v.number("sm_mhz", self.sm_mhz, 1, 100000, "clock of the SMs; every cycle of the model is one of these");
        v.integer("global_timer_step_ns", self.global_timer_step_ns, 1, 1U << 20U,
                  "what GLOBALTIMER advances by; the shortest time that NANOSLEEP can tell");
    }
};

struct GpuParameters {
    std::uint32_t sm_count{};
    std::uint32_t compute_capability_major{};
    std::uint32_t compute_capability_minor{};
    std::uint32_t launch_overhead_cycles{};
    std::uint32_t completion_overhead_cycles{};
    double first_wave_blocks_per_cycle{};
    double completed_blocks_per_cycle{};
    std::uint32_t block_start_latency_cycles{};
    std::uint32_t warp_start_interval_cycles{};
    template <class Self, class Visitor>
    static void visit(Self& self, Visitor& v) {
        v.integer("sm_count", self.sm_count, 1, 4096, "streaming multiprocessors");
        v.integer("compute_capability_major", self.compute_capability_major, 1, 99,
                  "it runs machine code for this number, sm_90 for 9, and a minor number up to its own");
        v.integer("compute_capability_minor", self.compute_capability_minor, 0, 9, "the digit behind the point");
        v.integer("launch_overhead_cycles", self.launch_overhead_cycles, 0, 1000000,
                  "start of the kernel to the dispatch of its first block");
        v.integer("completion_overhead_cycles", self.completion_overhead_cycles, 0, 1000000,
                  "last block done to end of the kernel");
        v.number("first_wave_blocks_per_cycle", self.first_wave_blocks_per_cycle, 0.001, 1000,
                 "blocks dispatched to empty SMs, for the whole GPU");
        v.number("completed_blocks_per_cycle", self.completed_blocks_per_cycle, 0.001, 1000,
                 "ends of blocks that the GPU takes note of");
        v.integer("block_start_latency_cycles", self.block_start_latency_cycles, 1, 100000,
                  "the end of a block noted to the first instruction of the block that follows it");
        v.integer("warp_start_interval_cycles", self.warp_start_interval_cycles, 0, 1000,
                  "between the starts of two warps of a block");
    }
};

struct SmParameters {
    std::uint32_t subcores{};
    std::uint32_t max_warps{};
    std::uint32_t max_blocks{};
    std::uint32_t registers{};
    std::uint32_t register_allocation_unit{};
    std::uint32_t max_threads_per_block{};
    std::uint32_t unified_l1_bytes{};
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
    std::uint32_t branch_latency_cycles{};
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
        v.integer("register_allocation_unit", self.register_allocation_unit, 32, 65536,
                  "registers a warp is given are a multiple of this");
        v.integer("max_threads_per_block", self.max_threads_per_block, 32, 4096, "threads of one block");
        v.integer("unified_l1_bytes", self.unified_l1_bytes, 1024, 1U << 28U, "L1 cache and shared memory together");
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
        v.integer("branch_latency_cycles", self.branch_latency_cycles, 1, 1000,
                  "a taken branch to the next instruction of the warp");
        v.integer("barrier_latency_cycles", self.barrier_latency_cycles, 1, 10000,
                  "last arrival at a barrier to the first instruction after it, less the barrier's stall count");
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

struct PipesParameters {
    PipeParameters alu;
    PipeParameters fma;
    PipeParameters imad;
    PipeParameters imad_wide;
    PipeParameters fp16;
    PipeParameters fp64;
    PipeParameters xu;
    PipeParameters uniform;
    PipeParameters cbu;
    PipeParameters adu;
    PipeParameters tensor;         ///< products of 16 x 8 with four registers of A: HMMA.16816, IMMA.16832
    PipeParameters tensor_short;   ///< those with fewer: HMMA.1688, IMMA.16816, IMMA.8816
    PipeParameters tensor_double;  ///< DMMA of four products a sum; each four more take the interval again
    template <class Self, class Visitor>
    static void visit(Self& self, Visitor& v) {
        v.group("alu", self.alu);
        v.group("fma", self.fma);
        v.group("imad", self.imad);
        v.group("imad_wide", self.imad_wide);
        v.group("fp16", self.fp16);
        v.group("fp64", self.fp64);
        v.group("xu", self.xu);
        v.group("uniform", self.uniform);
        v.group("cbu", self.cbu);
        v.group("adu", self.adu);
        v.group("tensor", self.tensor);
        v.group("tensor_short", self.tensor_short);
        v.group("tensor_double", self.tensor_double);
    }
};

/// The load/store unit that the sub-cores of an SM share, and the L1 cache and shared memory behind it.
struct LsuParameters {
    std::uint32_t queue_entries{};
    std::uint32_t issue_interval_cycles{};
    std::uint32_t shared_load_latency_cycles{};
    std::uint32_t shared_store_latency_cycles{};
    std::uint32_t shared_atomic_latency_cycles{};
    std::uint32_t shuffle_latency_cycles{};
    std::uint32_t constant_latency_cycles{};
    std::uint32_t l1_hit_latency_cycles{};
    std::uint32_t store_read_latency_cycles{};
    std::uint32_t operand_register_cycles{};
    std::uint32_t load_register_cycles{};
    std::uint32_t membar_latency_cycles{};
    std::uint32_t wavefront_interval_cycles{};
    std::uint32_t subcore_wavefront_interval_cycles{};
    std::uint32_t tags_per_cycle{};
    std::uint32_t lines_per_wavefront{};
    std::uint32_t data_buffer_cycles{};
    std::uint32_t l1_line_bytes{};
    std::uint32_t sector_bytes{};
    std::uint32_t l1_ways{};
    Replacements::Choice l1_replacement{};
    L1GlobalLoads l1_global_loads{};
    std::uint32_t accept_interval_cycles{};
    std::uint32_t return_bytes_per_cycle{};
    std::uint32_t store_bytes_per_cycle{};
    std::uint32_t outstanding_stores{};
    template <class Self, class Visitor>
    static void visit(Self& self, Visitor& v) {
        v.integer("queue_entries", self.queue_entries, 1, 1024,
                  "memory instructions of a sub-core that wait for the unit");
        v.integer("issue_interval_cycles", self.issue_interval_cycles, 1, 1024,
                  "between two memory instructions of one sub-core entering the unit, data of stores not counted");
        v.integer("shared_load_latency_cycles", self.shared_load_latency_cycles, 1, 10000,
                  "LDS issue to result, one wavefront, idle unit");
        v.integer("shared_store_latency_cycles", self.shared_store_latency_cycles, 1, 10000, "STS issue to done");
        v.integer("shared_atomic_latency_cycles", self.shared_atomic_latency_cycles, 1, 10000, "ATOMS issue to result");
        v.integer("shuffle_latency_cycles", self.shuffle_latency_cycles, 1, 10000, "SHFL issue to result");
        v.integer("constant_latency_cycles", self.constant_latency_cycles, 1, 10000, "LDC issue to result, cache hit");
        v.integer("l1_hit_latency_cycles", self.l1_hit_latency_cycles, 1, 10000, "LDG issue to result, L1 hit");
        v.integer("store_read_latency_cycles", self.store_read_latency_cycles, 1, 10000,
                  "store issue to its sources read (read scoreboard released)");
        v.integer("operand_register_cycles", self.operand_register_cycles, 0, 64,
                  "more, before the next, for each register of data (32 lanes x 4 bytes) that a store or atomic sends");
        v.integer("load_register_cycles", self.load_register_cycles, 0, 64,
                  "more latency for each further register of a wide LDS, where it takes a wavefront of its own");
        v.integer("membar_latency_cycles", self.membar_latency_cycles, 0, 100000,
                  "MEMBAR of the GPU or the system, once L2 has taken all stores of the warp");
        v.integer("wavefront_interval_cycles", self.wavefront_interval_cycles, 1, 64,
                  "data-stage wavefront to the next");
        v.integer("subcore_wavefront_interval_cycles", self.subcore_wavefront_interval_cycles, 1, 64,
                  "between two wavefronts of one sub-core, sent or returned");
        v.integer("tags_per_cycle", self.tags_per_cycle, 1, 32, "cache lines looked up in one cycle");
        v.integer("lines_per_wavefront", self.lines_per_wavefront, 1, 32,
                  "cache lines whose data one wavefront can return");
        v.integer("data_buffer_cycles", self.data_buffer_cycles, 1, 100000,
                  "work that may queue before the data stage");
        v.integer("l1_line_bytes", self.l1_line_bytes, 32, 1024, "cache line");
        v.integer("sector_bytes", self.sector_bytes, 16, 1024,
                  "part of a line that is valid, fetched and counted alone");
        v.integer("l1_ways", self.l1_ways, 1, 1024, "associativity");
        Replacements::visit(v, "l1_replacement", self.l1_replacement, "which line of a full set goes");
        v.choice("l1_global_loads", self.l1_global_loads,
                 {{"cached", L1GlobalLoads::cached}, {"bypassed", L1GlobalLoads::bypassed}},
                 "loads from global memory in L1; local memory is cached always");
        v.integer("accept_interval_cycles", self.accept_interval_cycles, 1, 64,
                  "between two memory instructions of all sub-cores entering the unit");
        v.integer("return_bytes_per_cycle", self.return_bytes_per_cycle, 1, 4096, "from the crossbar into an SM");
        v.integer("outstanding_stores", self.outstanding_stores, 1, 16384,
                  "lines that an SM may have on their way to L2 as stores; more wait in the memory unit");
        v.integer("store_bytes_per_cycle", self.store_bytes_per_cycle, 1, 4096, "from an SM into the crossbar");
    }
};

struct FetchParameters {
    std::uint32_t line_bytes{};
    std::uint32_t l0_lines{};
    std::uint32_t l1_lines{};
    std::uint32_t prefetch_lines{};
    std::uint32_t l0_miss_latency_cycles{};
    std::uint32_t l1_miss_latency_cycles{};
    std::uint32_t fill_interval_cycles{};
    std::uint32_t constant_line_bytes{};
    std::uint32_t constant_lines{};
    std::uint32_t constant_miss_latency_cycles{};
    template <class Self, class Visitor>
    static void visit(Self& self, Visitor& v) {
        v.integer("line_bytes", self.line_bytes, 16, 4096, "instruction cache line");
        v.integer("l0_lines", self.l0_lines, 1, 1U << 16U, "instruction cache of a sub-core");
        v.integer("l1_lines", self.l1_lines, 1, 1U << 20U, "instruction cache of an SM");
        v.integer("prefetch_lines", self.prefetch_lines, 0, 64, "lines fetched ahead of a miss");
        v.integer("l0_miss_latency_cycles", self.l0_miss_latency_cycles, 1, 10000,
                  "extra cycles when only the SM's cache has the line");
        v.integer("l1_miss_latency_cycles", self.l1_miss_latency_cycles, 1, 100000,
                  "extra cycles when the line comes from beyond the SM");
        v.integer("fill_interval_cycles", self.fill_interval_cycles, 1, 10000,
                  "between two lines that come from beyond the SM");
        v.integer("constant_line_bytes", self.constant_line_bytes, 16, 4096, "constant cache line");
        v.integer("constant_lines", self.constant_lines, 1, 1U << 16U, "constant cache of an SM");
        v.integer("constant_miss_latency_cycles", self.constant_miss_latency_cycles, 1, 100000,
                  "extra cycles of a constant miss");
    }
};

struct L2Parameters {
    std::uint32_t partitions{};
    std::uint32_t slices{};
    std::uint32_t bytes{};
    std::uint32_t ways{};
    std::uint32_t slice_bytes_per_cycle{};
    std::uint32_t slice_write_sector_bytes{};
    std::uint32_t slice_write_partial_bytes{};
    std::uint32_t slice_write_request_bytes{};
    std::uint32_t hit_latency_cycles{};
    Replacements::Choice replacement{};
    AddressMaps::Choice address_map{};
    std::uint32_t partition_granule_bytes{};
    std::uint32_t partition_parity_bits{};
    std::uint32_t far_latency_cycles{};
    std::uint32_t slice_spread_cycles{};
    std::uint32_t atomic_interval_cycles{};
    template <class Self, class Visitor>
    static void visit(Self& self, Visitor& v) {
        v.integer("partitions", self.partitions, 1, 16, "halves of the cache, each near to its share of the SMs");
        v.integer("slices", self.slices, 1, 4096, "slices of all partitions together");
        v.integer("bytes", self.bytes, 1024, 1U << 31U, "capacity");
        v.integer("ways", self.ways, 1, 1024, "associativity");
        Replacements::visit(v, "replacement", self.replacement, "which line of a full set goes");
        AddressMaps::visit(v, "address_map", self.address_map,
                           "where addresses lie: partitions, slices, channels, banks and rows");
        v.integer("slice_bytes_per_cycle", self.slice_bytes_per_cycle, 1, 4096, "data in or out of one slice");
        v.integer("slice_write_sector_bytes", self.slice_write_sector_bytes, 1, 4096,
                  "a sector that is written takes a slice for as long as this many bytes read");
        v.integer("slice_write_partial_bytes", self.slice_write_partial_bytes, 0, 4096,
                  "as many more for a sector of which only some bytes are written");
        v.integer("slice_write_request_bytes", self.slice_write_request_bytes, 0, 4096,
                  "a write request takes a slice for as long as this many bytes more");
        v.integer("hit_latency_cycles", self.hit_latency_cycles, 1, 100000,
                  "LDG issue to result, L2 hit in the nearest slice");
        v.integer("partition_granule_bytes", self.partition_granule_bytes, 16, 1U << 30U,
                  "consecutive addresses of one partition's memory");
        v.integer("partition_parity_bits", self.partition_parity_bits, 1, 64,
                  "hashed, two partitions: the parity of so many low bits of a granule's number says which");
        v.integer("far_latency_cycles", self.far_latency_cycles, 0, 100000,
                  "more, when the line is the far partition's and the near one has no copy of it yet");
        v.integer("slice_spread_cycles", self.slice_spread_cycles, 0, 10000,
                  "more, for the slice farthest from an SM; evenly spread between");
        v.integer("atomic_interval_cycles", self.atomic_interval_cycles, 1, 10000, "between two atomics on one sector");
    }
};

struct DramParameters {
    double capacity_gb{};
    std::uint32_t page_bytes{};
    std::uint32_t driver_bytes{};
    std::uint32_t channels{};
    double bandwidth_gb_per_s{};
    double efficiency{};
    double write_efficiency{};
    std::uint32_t latency_cycles{};
    std::uint32_t refresh_interval_cycles{};
    std::uint32_t refresh_cycles{};
    std::uint32_t access_bytes{};
    std::uint32_t row_region_bytes{};
    std::uint32_t interleaved_rows{};
    std::uint32_t row_interleave_bytes{};
    DramSchedulers::Choice scheduler{};
    std::uint32_t row_bytes{};
    std::uint32_t banks{};
    double t_rcd_ns{};
    double t_rp_ns{};
    double t_cas_ns{};
    double t_ras_ns{};
    template <class Self, class Visitor>
    static void visit(Self& self, Visitor& v) {
        v.number("capacity_gb", self.capacity_gb, 0.001, 16384, "memory that programs can allocate, 1e9 bytes");
        v.integer("page_bytes", self.page_bytes, 512, 1U << 30U,
                  "kernels reach the whole of a page in which an allocation lies");
        v.integer("driver_bytes", self.driver_bytes, 0, 1U << 30U,
                  "mapped for the driver's own data before the first allocation; whole pages");
        v.integer("channels", self.channels, 1, 4096, "independent channels");
        v.number("bandwidth_gb_per_s", self.bandwidth_gb_per_s, 0.001, 1e9, "peak of all channels, 1e9 bytes a second");
        v.number("efficiency", self.efficiency, 0.01, 1,
                 "share of the peak that streams of reads reach (row changes, refresh)");
        v.number("write_efficiency", self.write_efficiency, 0.01, 1,
                 "the same for bytes that are written among reads (turn-around of the channel)");
        v.integer("latency_cycles", self.latency_cycles, 1, 100000, "L2 miss to data in L2, idle channel, no refresh");
        v.integer("refresh_interval_cycles", self.refresh_interval_cycles, 0, 1U << 30U,
                  "between two refreshes of a bank; 0: none");
        v.integer("refresh_cycles", self.refresh_cycles, 0, 1U << 30U,
                  "for which a bank that is refreshed answers nothing");
        v.integer("access_bytes", self.access_bytes, 16, 1024, "least that a read brings into L2");
        v.integer("row_region_bytes", self.row_region_bytes, 16, 1U << 30U, "addresses over which rows take turns");
        v.integer("interleaved_rows", self.interleaved_rows, 1, 65536, "rows that a region is spread over");
        v.integer("row_interleave_bytes", self.row_interleave_bytes, 16, 1U << 30U,
                  "consecutive addresses in one row; what shares a row is refreshed at the same time");
        DramSchedulers::visit(v, "scheduler", self.scheduler,
                              "what a channel serves when; rows count if it opens them");
        v.integer("row_bytes", self.row_bytes, 16, 1U << 30U, "open rows: a row of one channel");
        v.integer("banks", self.banks, 1, 65536, "open rows: banks of a channel, each with one open row");
        v.number("t_rcd_ns", self.t_rcd_ns, 0, 10000, "open rows: activation of a row to its first column command");
        v.number("t_rp_ns", self.t_rp_ns, 0, 10000, "open rows: precharge of a bank to its next activation");
        v.number("t_cas_ns", self.t_cas_ns, 0, 10000, "open rows: column command to the first data");
        v.number("t_ras_ns", self.t_ras_ns, 0, 10000, "open rows: activation of a row to its precharge, at least");
    }
};

/// Copies and sets of the runtime API, and events: what a stream does but for kernels. Within the device bytes move at
/// the efficiencies of dram.
struct CopiesParameters {
    double link_gb_per_s{};
    double pageable_gb_per_s{};
    std::uint32_t to_device_ns{};
    std::uint32_t to_host_ns{};
    std::uint32_t pageable_to_device_ns{};
    std::uint32_t pageable_to_host_ns{};
    std::uint32_t within_device_ns{};
    std::uint32_t inline_bytes{};
    std::uint32_t inline_to_device_ns{};
    std::uint32_t inline_set_ns{};
    std::uint32_t event_ns{};
    template <class Self, class Visitor>
    static void visit(Self& self, Visitor& v) {
        v.number("link_gb_per_s", self.link_gb_per_s, 0.001, 1e9,
                 "between pinned host memory and the device, 1e9 bytes a second, each way");
        v.number("pageable_gb_per_s", self.pageable_gb_per_s, 0.001, 1e9,
                 "the same from and to pageable host memory: what the host's processor copies");
        v.integer("to_device_ns", self.to_device_ns, 0, 1U << 30U, "a copy from pinned memory, whatever its size");
        v.integer("to_host_ns", self.to_host_ns, 0, 1U << 30U, "a copy to pinned memory, whatever its size");
        v.integer("pageable_to_device_ns", self.pageable_to_device_ns, 0, 1U << 30U,
                  "a copy from pageable memory, whatever its size; it goes with the stream's commands");
        v.integer("pageable_to_host_ns", self.pageable_to_host_ns, 0, 1U << 30U,
                  "a copy to pageable memory, whatever its size");
        v.integer("within_device_ns", self.within_device_ns, 0, 1U << 30U,
                  "a copy or set within the device, whatever its size: it is a kernel");
        v.integer("inline_bytes", self.inline_bytes, 0, 1U << 30U,
                  "copies from pinned memory and sets of up to so many bytes go with the stream's commands");
        v.integer("inline_to_device_ns", self.inline_to_device_ns, 0, 1U << 30U, "such a copy");
        v.integer("inline_set_ns", self.inline_set_ns, 0, 1U << 30U, "such a set");
        v.integer("event_ns", self.event_ns, 0, 1U << 30U, "recording an event");
    }
};

struct Platform {
    std::string name;
    ClockParameters clock;
    GpuParameters gpu;
    SmParameters sm;
    PipesParameters pipes;
    LsuParameters lsu;
    FetchParameters fetch;
    L2Parameters l2;
    DramParameters dram;
    CopiesParameters copies;
    LimitsParameters limits;
    /// Every parameter.
    template <class Self, class Visitor>
    static void visit(Self& self, Visitor& v) {
        visit_machine(self, v);
        v.group("limits", self.limits);
    }
    /// The parameters that decide what a run computes, counts and takes: what results show, and what the hash is of.
    template <class Self, class Visitor>
    static void visit_machine(Self& self, Visitor& v) {
        v.group("clock", self.clock);
        v.group("gpu", self.gpu);
        v.group("sm", self.sm);
        v.group("pipes", self.pipes);
        v.group("lsu", self.lsu);
        v.group("fetch", self.fetch);
        v.group("l2", self.l2);
        v.group("dram", self.dram);
        v.group("copies", self.copies);
    }
};

}  // namespace sassafras::sim
