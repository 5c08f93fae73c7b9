// The numbers of what SMs share: L2 and its partitions, DRAM.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/platform/policies.hpp"

namespace sassafras::sim {

/// Of a line's number, that the address map xor_modulo looks at.
inline constexpr std::size_t most_hashed_bits = 32;

struct L2Parameters {
    std::uint32_t partitions{};
    std::uint32_t slices{};
    std::uint32_t bytes{};
    std::uint32_t ways{};
    double clock_share{};
    std::uint32_t slice_bytes_per_cycle{};
    std::uint32_t slice_write_sector_bytes{};
    std::uint32_t slice_write_partial_bytes{};
    std::uint32_t slice_write_request_bytes{};
    double slice_request_cycles{};
    std::uint32_t slice_dirty_lines{};
    std::uint32_t slice_write_queue_lines{};
    std::uint32_t slice_partial_lines{};
    std::uint32_t hit_latency_cycles{};
    Replacements::Choice replacement{};
    AddressMaps::Choice address_map{};
    std::uint32_t partition_granule_bytes{};
    std::vector<std::uint32_t> partition_hash;
    std::vector<std::uint32_t> slice_hash;
    std::uint32_t slice_quotient_bit{};
    std::uint32_t far_latency_cycles{};
    std::uint32_t gpc_bytes_per_cycle{};
    std::uint32_t coalescing_cycles{};
    std::uint32_t coalesced_requests{};
    std::uint32_t slice_spread_cycles{};
    double atomic_interval_cycles{};
    double atomic_sector_cycles{};
    template <class Self, class Visitor>
    static void visit(Self& self, Visitor& v) {
        v.integer("partitions", self.partitions, 1, 16, "parts of the cache, each near to its share of the SMs");
        v.integer("slices", self.slices, 1, 4096, "slices of all partitions together");
        v.integer("bytes", self.bytes, 1024, 1U << 31U, "capacity");
        v.integer("ways", self.ways, 1, 1024, "associativity");
        Replacements::visit(v, "replacement", self.replacement, "which line of a full set goes");
        AddressMaps::visit(v, "address_map", self.address_map,
                           "where addresses lie: partitions, slices, channels, banks and rows");
        v.number("clock_share", self.clock_share, 0.01, 100,
                 "of the SMs' clock, L2's; only what is counted in shares of its peak is in its cycles");
        v.integer("slice_bytes_per_cycle", self.slice_bytes_per_cycle, 1, 4096, "data in or out of one slice");
        v.integer("slice_write_sector_bytes", self.slice_write_sector_bytes, 1, 4096,
                  "a sector that is written takes a slice for as long as this many bytes read");
        v.integer("slice_write_partial_bytes", self.slice_write_partial_bytes, 0, 4096,
                  "as many more for a write request that leaves bytes of its sectors as they are: its byte mask");
        v.integer("slice_write_request_bytes", self.slice_write_request_bytes, 0, 4096,
                  "a write request takes a slice for as long as this many bytes more");
        v.number("slice_request_cycles", self.slice_request_cycles, 0, 1000, "of a slice, for a read at least");
        v.integer("slice_dirty_lines", self.slice_dirty_lines, 0, 1U << 24U,
                  "written lines that a slice keeps from DRAM; 0: as many as it has room for");
        v.integer("slice_write_queue_lines", self.slice_write_queue_lines, 0, 1U << 16U,
                  "lines that wait in a slice for DRAM to take them, beyond which it takes no stores; 0: no limit, and "
                  "a launch lasts until DRAM has taken them");
        v.integer("slice_partial_lines", self.slice_partial_lines, 0, 1U << 24U,
                  "of them, lines with sectors that are written in part; 0: no limit, and DRAM takes bytes");
        v.integer("hit_latency_cycles", self.hit_latency_cycles, 1, 100000,
                  "LDG issue to result, L2 hit in the nearest slice");
        v.integer("partition_granule_bytes", self.partition_granule_bytes, 16, 1U << 30U,
                  "consecutive addresses of one partition's memory");
        v.integers("partition_hash", self.partition_hash, 0, 1,
                   "xor_modulo, two partitions: of each address bit, from a line's number upwards, whether it flips "
                   "the partition");
        v.integers("slice_hash", self.slice_hash, 0, 65535,
                   "xor_modulo: of each address bit, from a line's number upwards, the bits that it flips of the "
                   "number that, modulo the slices of a partition, is the slice");
        v.integer("slice_quotient_bit", self.slice_quotient_bit, 0, 63,
                  "xor_modulo: address bits from this one on are also added to that number, above slice_hash's bits");
        v.integer("gpc_bytes_per_cycle", self.gpc_bytes_per_cycle, 0, 1U << 20U,
                  "read by the SMs of a GPC together, of L2 and what is behind it; 0: no bound of its own");
        v.integer("coalescing_cycles", self.coalescing_cycles, 0, 10000,
                  "for so long after a read leaves an SM, others of its GPC for the same sectors join it; 0: none do");
        v.integer("coalesced_requests", self.coalesced_requests, 1, 4096, "SMs that one read to L2 serves at most");
        v.integer("far_latency_cycles", self.far_latency_cycles, 0, 100000,
                  "more, when the line is the far partition's and the near one has no copy of it yet");
        v.integer("slice_spread_cycles", self.slice_spread_cycles, 0, 10000,
                  "more, for the slice farthest from an SM; evenly spread between");
        v.number("atomic_interval_cycles", self.atomic_interval_cycles, 0.01, 10000,
                 "of a slice, for a sector of which an atomic updates some bytes");
        v.number("atomic_sector_cycles", self.atomic_sector_cycles, 0.01, 10000,
                 "likewise all bytes, with one operand; twice that with two, as CAS has");
    }
};

struct DramParameters {
    double capacity_gb{};
    std::uint32_t page_bytes{};
    std::uint32_t driver_bytes{};
    std::uint32_t channels{};
    std::uint32_t pseudo_channels{};
    double bandwidth_gb_per_s{};
    double ecc_bandwidth_share{};
    double efficiency{};
    double write_efficiency{};
    double copy_write_efficiency{};
    std::uint32_t latency_cycles{};
    std::uint32_t refresh_interval_cycles{};
    std::uint32_t refresh_cycles{};
    std::uint32_t access_bytes{};
    std::uint32_t row_region_bytes{};
    std::uint32_t interleaved_rows{};
    std::uint32_t row_interleave_bytes{};
    DramSchedulers::Choice scheduler{};
    std::uint32_t row_bytes{};
    std::uint32_t row_span_bytes{};
    double row_miss_cycles{};
    std::uint32_t banks{};
    double t_rcd_ns{};
    double t_rp_ns{};
    double t_cas_ns{};
    double t_ras_ns{};
    double t_rrd_ns{};
    double t_faw_ns{};

    /// What reads and writes share at most.
    [[nodiscard]] double usable_gb_per_s() const { return bandwidth_gb_per_s * ecc_bandwidth_share; }

    template <class Self, class Visitor>
    static void visit(Self& self, Visitor& v) {
        v.number("capacity_gb", self.capacity_gb, 0.001, 16384, "memory that programs can allocate, 1e9 bytes");
        v.integer("page_bytes", self.page_bytes, 512, 1U << 30U,
                  "kernels reach the whole of a page in which an allocation lies");
        v.integer("driver_bytes", self.driver_bytes, 0, 1U << 30U,
                  "mapped for the driver's own data before the first allocation; whole pages");
        v.integer("channels", self.channels, 1, 4096, "independent channels");
        v.integer("pseudo_channels", self.pseudo_channels, 1, 16,
                  "parts of a channel with a queue each; open rows: not looked at");
        v.number("bandwidth_gb_per_s", self.bandwidth_gb_per_s, 0.001, 1e9, "peak of all channels, 1e9 bytes a second");
        v.number("ecc_bandwidth_share", self.ecc_bandwidth_share, 0.01, 1,
                 "what error correction leaves of it; 1 where its bits have wires of their own, or there is none");
        v.number("efficiency", self.efficiency, 0.01, 1,
                 "share of the peak that streams of reads reach (row changes, refresh)");
        v.number("write_efficiency", self.write_efficiency, 0.01, 1,
                 "the same for bytes that are written (turn-around of the channel)");
        v.number("copy_write_efficiency", self.copy_write_efficiency, 0.01, 1,
                 "the same for what a copy within the memory writes among its reads, all together");
        v.integer("latency_cycles", self.latency_cycles, 1, 100000,
                  "L2 miss to data in L2, idle channel, no refresh; open rows: t_rcd and t_cas are parts of it");
        v.integer("refresh_interval_cycles", self.refresh_interval_cycles, 0, 1U << 30U,
                  "between two refreshes of a bank; 0: none");
        v.integer("refresh_cycles", self.refresh_cycles, 0, 1U << 30U,
                  "for which a bank that is refreshed answers nothing");
        v.integer("access_bytes", self.access_bytes, 16, 1024, "least that a read brings into L2, and that DRAM moves");
        v.integer("row_region_bytes", self.row_region_bytes, 16, 1U << 30U, "addresses over which rows take turns");
        v.integer("interleaved_rows", self.interleaved_rows, 1, 65536, "rows that a region is spread over");
        v.integer("row_interleave_bytes", self.row_interleave_bytes, 16, 1U << 30U,
                  "consecutive addresses in one row; what shares a row is refreshed at the same time");
        DramSchedulers::visit(v, "scheduler", self.scheduler,
                              "what a channel serves when; rows count if it opens them");
        v.integer("row_bytes", self.row_bytes, 16, 1U << 30U, "open rows, activations: a row of one channel");
        v.integer("row_span_bytes", self.row_span_bytes, 0, 1U << 30U,
                  "open rows, activations: addresses side by side that share a row where they share a channel; 0: a "
                  "row of each channel");
        v.number("row_miss_cycles", self.row_miss_cycles, 0, 10000,
                 "activations: for so long a channel moves no bytes when it opens a row");
        v.integer("banks", self.banks, 1, 65536, "open rows, activations: banks of a channel, each with one open row");
        v.number("t_rcd_ns", self.t_rcd_ns, 0, 10000, "open rows: activation of a row to its first column command");
        v.number("t_rp_ns", self.t_rp_ns, 0, 10000, "open rows: precharge of a bank to its next activation");
        v.number("t_cas_ns", self.t_cas_ns, 0, 10000, "open rows: column command to the first data");
        v.number("t_ras_ns", self.t_ras_ns, 0, 10000, "open rows: activation of a row to its precharge, at least");
        v.number("t_rrd_ns", self.t_rrd_ns, 0, 10000,
                 "open rows, activations: between activations of a channel; 0: no limit");
        v.number("t_faw_ns", self.t_faw_ns, 0, 10000,
                 "open rows, activations: time in which a channel activates four rows at most");
    }
};

}  // namespace sassafras::sim
