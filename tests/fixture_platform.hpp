// A GPU for tests of mechanisms: every number is said here, so that a test's arithmetic does not move when a platform
// of configs/platforms is measured anew. Tests of a shipped platform load it instead.
#pragma once
#include "sim/platform/platform.hpp"

namespace sassafras::sim::test {

inline ClockParameters fixture_clock() {
    return {
        .sm_mhz = 1980,
        .global_timer_step_ns = 32,
    };
}

inline GpuParameters fixture_gpu() {
    return {
        .sm_count = 132,
        .gpc_sms = 16,
        .compute_capability_major = 9,
        .compute_capability_minor = 0,
        .launch_overhead_cycles = 0,
        .first_launch_cycles = 0,
        .completion_overhead_cycles = 0,
        .first_wave_blocks_per_cycle = 6,
        .completed_blocks_per_cycle = 0.83,
        .block_start_latency_cycles = 300,
        .warp_start_interval_cycles = 1,
    };
}

inline SmParameters fixture_sm() {
    return {
        .subcores = 4,
        .max_warps = 64,
        .max_blocks = 32,
        .registers = 65536,
        .max_registers_per_thread = 255,
        .register_allocation_unit = 256,
        .max_threads_per_block = 1024,
        .unified_l1_bytes = 262144,
        .l1_reserved_bytes = 0,
        .shared_bytes = 233472,
        .max_shared_per_block_bytes = 232448,
        .reserved_shared_per_block_bytes = 1024,
        .shared_allocation_unit_bytes = 128,
        .shared_carve_outs_bytes = {0, 8192, 16384, 32768, 65536, 102400, 135168, 167936, 200704, 233472},
        .shared_banks = 32,
        .shared_bank_bytes = 4,
        .register_banks = 2,
        .register_bank_ports = 1,
        .read_window_cycles = 3,
        .queued_read_interval_cycles = 0,
        .queued_release_cycles = 12,
        .result_write_lead_cycles = 0,
        .issue_interval_cycles = 1,
        .branch_latency_cycles = 8,
        .reconvergence_cycles = 0,
        .lane_search_cycles = 0,
        .barrier_latency_cycles = 4,
        .barrier_arrival_interval_cycles = 2,
        .sleep_least_cycles = 73,
        .sleep_wake_cycles = 40,
        .sleep_longest_ns = 1048575,
        .dependence_tracking = DependenceTracking::control_codes,
        .warp_scheduler = WarpSchedulers::named("greedy_then_youngest"),
        .scheduler_group_warps = 8,
    };
}

inline PipesParameters fixture_pipes() {
    return {
        .alu = {.issue_interval_cycles = 2, .latency_cycles = 5},
        .fma = {.issue_interval_cycles = 1, .latency_cycles = 4},
        .imad = {.issue_interval_cycles = 2, .latency_cycles = 4},
        .imad_wide = {.issue_interval_cycles = 4, .latency_cycles = 5},
        .imad_wide_addend_latency_cycles = 5,
        .fma_halves = 1,
        .fp64_late_cycles = 0,
        .xu_lead_cycles = 0,
        .xu_other_lead_cycles = 0,
        .s2ur_cycles = 0,
        .redux_cycles = 0,
        .match_cycles = 0,
        .fchk_cycles = 0,
        .fp16 = {.issue_interval_cycles = 1, .latency_cycles = 5},
        .fp64 = {.issue_interval_cycles = 2, .latency_cycles = 8},
        .xu = {.issue_interval_cycles = 8, .latency_cycles = 20},
        .xu_wide = {.issue_interval_cycles = 8, .latency_cycles = 20},
        .uniform = {.issue_interval_cycles = 2, .latency_cycles = 6},
        .cbu = {.issue_interval_cycles = 2, .latency_cycles = 8},
        .adu = {.issue_interval_cycles = 2, .latency_cycles = 20},
        .tensor = {.issue_interval_cycles = 16, .latency_cycles = 32},
        .tensor_short = {.issue_interval_cycles = 16, .latency_cycles = 32},
        .tensor_double = {.issue_interval_cycles = 16, .latency_cycles = 32},
    };
}

inline LsuParameters fixture_lsu() {
    return {
        .queue_entries = 8,
        .issue_interval_cycles = 2,
        .shared_load_latency_cycles = 23,
        .shared_atomic_latency_cycles = 47,
        .shared_swap_latency_cycles = 49,
        .shuffle_latency_cycles = 23,
        .constant_latency_cycles = 26,
        .constant_address_cycles = 0,
        .constant_interval_cycles = 0,
        .l1_hit_latency_cycles = 33,
        .register_read_latency_cycles = 12,
        .store_data_lag_cycles = 0,
        .store_drain_cycles = 0,
        .operand_register_cycles = 2,
        .load_register_cycles = 1,
        .address_register_cycles = 0,
        .return_register_cycles = 0,
        .membar_latency_cycles = 20,
        .wavefront_interval_cycles = 1,
        .subcore_wavefront_interval_cycles = 2,
        .warp_wavefront_interval_cycles = 2,
        .tags_per_cycle = 1,
        .tag_hash = {1, 2},
        .miss_interval_cycles = 1,
        .lines_per_wavefront = 1,
        .data_buffer_accesses = 0,
        .data_buffer_cycles = 32,
        .warp_buffer_cycles = 256,
        .l1_line_bytes = 128,
        .sector_bytes = 32,
        .l1_fill_bytes = 32,
        .l1_ways = 8,
        .l1_replacement = Replacements::named("least_recently_used"),
        .l1_global_loads = L1GlobalLoads::cached,
        .local_stores = LocalStores::write_back,
        .accept_interval_cycles = 1,
        .return_bytes_per_cycle = 64,
        .atomic_return_cycles = 0,
        .store_buffer_cycles = 32,
        .store_bytes_per_cycle = 64,
        .store_mask_bytes = 0,
        .store_wavefronts = 0,
        .store_merge_lines = 0,
        .store_port_lines = 0,
        .store_merge_idle_cycles = 6,
        .store_merge_hold_cycles = 12,
        .outstanding_stores = 256,
        .outstanding_loads = 0,
        .miss_buffer_lines = 0,
    };
}

inline FetchParameters fixture_fetch() {
    return {
        .line_bytes = 128,
        .l0_lines = 16,
        .l1_lines = 256,
        .prefetch_lines = 4,
        .prefetch_interval_cycles = 0,
        .l0_latency_cycles = 0,
        .line_interval_cycles = 0,
        .next_line_cycles = 0,
        .warp_switch_cycles = 0,
        .l0_miss_latency_cycles = 20,
        .l1_miss_latency_cycles = 140,
        .fill_interval_cycles = 17,
        .gpc_lines = 0,
        .gpc_ways = 1,
        .gpc_launch_lines = 0,
        .gpc_miss_cycles = 0,
        .gpc_miss_cold_cycles = 0,
        .gpc_fill_cycles = 17,
        .gpc_fill_cold_cycles = 17,
        .constant_line_bytes = 64,
        .constant_lines = 32,
        .constant_miss_latency_cycles = 100,
        .constant_again_cycles = 0,
        .loaded_constant_miss_latency_cycles = 100,
        .fill_turn_cycles = 0,
        .gpc_request_interval_cycles = 0,
        .tpc_request_cycles = 0,
        .start_code_lines = 0,
        .start_cycles = 0,
        .launch_latency_cycles = 0,
    };
}

inline L2Parameters fixture_l2() {
    return {
        .partitions = 2,
        .slices = 96,
        .bytes = 50U << 20U,
        .ways = 16,
        .clock_share = 1,
        .slice_bytes_per_cycle = 55,
        .slice_write_sector_bytes = 60,
        .slice_write_partial_bytes = 0,
        .slice_write_request_bytes = 45,
        .slice_request_cycles = 0,
        .slice_dirty_lines = 0,
        .slice_partial_lines = 0,
        .hit_latency_cycles = 244,
        .replacement = Replacements::named("least_recently_used"),
        .address_map = AddressMaps::named("hashed"),
        .partition_granule_bytes = 4096,
        .partition_hash = {0, 0, 0, 0, 0, 1},
        .slice_hash = {1, 2, 4, 1, 2, 4, 1, 2, 4},
        .slice_quotient_bit = 16,
        .far_latency_cycles = 180,
        .coalescing_cycles = 64,
        .coalesced_requests = 4,
        .slice_spread_cycles = 40,
        .atomic_interval_cycles = 2,
        .atomic_sector_cycles = 1.5,
    };
}

/// No level is modelled.
inline TranslationParameters fixture_tlb() {
    const TlbParameters none{.page_bytes = 2097152,
                             .entries = 0,
                             .sets = 1,
                             .ways = 1,
                             .buffers = 1,
                             .miss_cycles = 0,
                             .miss_interval_cycles = 0};
    return {.l1 = none, .l2 = none, .l3 = none};
}

inline DramParameters fixture_dram() {
    return {
        .capacity_gb = 141,
        .page_bytes = 2097152,
        .driver_bytes = 33554432,
        .channels = 48,
        .pseudo_channels = 1,
        .bandwidth_gb_per_s = 4800,
        .ecc_bandwidth_share = 1,
        .efficiency = 0.9,
        .write_efficiency = 0.7,
        .copy_write_efficiency = 0.7,
        .latency_cycles = 246,
        .refresh_interval_cycles = 3805,
        .refresh_cycles = 530,
        .access_bytes = 64,
        .row_region_bytes = 65536,
        .interleaved_rows = 8,
        .row_interleave_bytes = 1024,
        .scheduler = DramSchedulers::named("in_order"),
        .row_bytes = 1024,
        .row_span_bytes = 0,
        .row_miss_cycles = 0,
        .banks = 64,
        .t_rcd_ns = 14,
        .t_rp_ns = 14,
        .t_cas_ns = 14,
        .t_ras_ns = 28,
        .t_rrd_ns = 0,
        .t_faw_ns = 0,
    };
}

inline CopiesParameters fixture_copies() {
    return {.link_gb_per_s = 55.5,
            .pageable_gb_per_s = 12,
            .to_device_ns = 3300,
            .to_host_ns = 2000,
            .pageable_to_device_ns = 740,
            .pageable_to_host_ns = 7400,
            .within_device_ns = 1700,
            .inline_bytes = 1024,
            .inline_to_device_ns = 2060,
            .inline_set_ns = 740,
            .event_ns = 1280};  // and what streams hold each other up for is 0
}

inline LimitsParameters fixture_limits() {
    return {
        .max_grid_x = 2147483647,
        .max_grid_y = 65535,
        .max_grid_z = 65535,
        .max_block_x = 1024,
        .max_block_y = 1024,
        .max_block_z = 64,
        .standard_shared_per_block_bytes = 49152,
        .registers_per_block = 65536,
        .constant_bytes = 65536,
        .pitch_bytes = 2147483647,
        .pitch_alignment_bytes = 512,
        .copy_engines = 3,
        .stream_priorities = 6,
        .stack_unit_bytes = 16,
        .most_stack_bytes = 523712,
        .printf_buffer_bytes = 8650752,
        .printf_buffer_unit_bytes = 256,
        .least_printf_buffer_bytes = 524288,
        .most_printf_buffer_bytes = 2147483648U,
        .malloc_heap_unit_bytes = 65536,
        .least_malloc_heap_bytes = 4194304,
        .pending_launches = 2048,
        .l2_fetch_bytes = 64,
        .most_l2_fetch_bytes = 128,
        .most_malloc_heap_bytes = 4611686018427387904.0,
        .textures =
            {
                .width_1d = 131072,
                .width_2d = 131072,
                .height_2d = 65536,
                .width_3d = 16384,
                .height_3d = 16384,
                .depth_3d = 16384,
                .layered_width_2d = 32768,
                .layered_height_2d = 32768,
                .layers_2d = 2048,
                .layered_width_1d = 32768,
                .layers_1d = 2048,
                .gather_width_2d = 32768,
                .gather_height_2d = 32768,
                .linear_width_1d = 268435456,
                .linear_width_2d = 131072,
                .linear_height_2d = 65000,
                .linear_pitch_bytes = 2097120,
                .alignment_bytes = 512,
                .pitch_alignment_bytes = 32,
                .surface_alignment_bytes = 512,
            },
    };
}

inline Platform fixture_platform() {
    return {
        .name = "fixture",
        .clock = fixture_clock(),
        .gpu = fixture_gpu(),
        .sm = fixture_sm(),
        .pipes = fixture_pipes(),
        .lsu = fixture_lsu(),
        .fetch = fixture_fetch(),
        .tlb = fixture_tlb(),
        .l2 = fixture_l2(),
        .dram = fixture_dram(),
        .copies = fixture_copies(),
        .limits = fixture_limits(),
    };
}

}  // namespace sassafras::sim::test
