#include "sim/platform/platform_constraints.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <utility>

#include "core/types.hpp"
#include "isa/sass/architecture.hpp"

namespace sassafras::sim {

namespace {

struct Parameter {
    std::string pointer;
    std::uint64_t value;
};

/// 0 where the divisor is: parameters that could not be read are.
constexpr std::uint64_t quotient(std::uint64_t value, std::uint64_t divisor) {
    return divisor == 0 ? 0 : value / divisor;
}

/// A barrier keeps the warps that wait at it as bits of one word.
constexpr std::uint32_t largest_block_warps = 64;

/// A thousand times what GPUs have; each takes some hundred bytes of the simulator's memory.
constexpr std::uint64_t most_dram_banks = std::uint64_t{1} << 20U;

class Checks {
  public:
    void divides(const Parameter& divisor, const Parameter& whole) {
        if (divisor.value == 0 || whole.value % divisor.value != 0)
            fail({whole.pointer, divisor.pointer},
                 fmt::format("{} is no multiple of {} ({})", whole.value, divisor.pointer, divisor.value));
    }
    void at_most(const Parameter& least, const Parameter& most) {
        if (least.value > most.value)
            fail({least.pointer, most.pointer},
                 fmt::format("{} is more than {} ({})", least.value, most.pointer, most.value));
    }
    void power_of_two(const Parameter& parameter) {
        if (!std::has_single_bit(parameter.value))
            fail({parameter.pointer}, fmt::format("{} is no power of two", parameter.value));
    }
    void that(bool holds, std::vector<std::string> pointers, std::string what) {
        if (!holds) fail(std::move(pointers), std::move(what));
    }
    [[nodiscard]] std::vector<BrokenConstraint> take() { return std::move(broken_); }

  private:
    void fail(std::vector<std::string> pointers, std::string what) {
        broken_.push_back({std::move(pointers), std::move(what)});
    }
    std::vector<BrokenConstraint> broken_;
};

void check_sm(const SmParameters& sm, Checks& check) {
    check.at_most({"/sm/subcores", sm.subcores}, {"/sm/max_warps", sm.max_warps});
    check.power_of_two({"/sm/shared_banks", sm.shared_banks});
    check.that(sm.shared_banks <= 64, {"/sm/shared_banks"}, "more than 64 banks are not modelled");
    check.divides({"/sm/register_allocation_unit", sm.register_allocation_unit}, {"/sm/registers", sm.registers});
    check.that(quotient(sm.registers, sm.subcores) >= sm.register_allocation_unit,
               {"/sm/registers", "/sm/register_allocation_unit", "/sm/subcores"},
               fmt::format("{} registers are less than an allocation unit for each of {} sub-cores", sm.registers,
                           sm.subcores));
    check.at_most({"/sm/shared_bytes", sm.shared_bytes}, {"/sm/unified_l1_bytes", sm.unified_l1_bytes});
    const std::uint64_t largest_block =
        std::uint64_t{sm.max_shared_per_block_bytes} + sm.reserved_shared_per_block_bytes;
    check.that(largest_block <= sm.shared_bytes,
               {"/sm/max_shared_per_block_bytes", "/sm/reserved_shared_per_block_bytes", "/sm/shared_bytes"},
               fmt::format("with the reserved part it is {} bytes, more than /sm/shared_bytes ({})", largest_block,
                           sm.shared_bytes));
    check.that(sm.max_threads_per_block % warp_size == 0, {"/sm/max_threads_per_block"},
               fmt::format("{} is no multiple of the warp size, {}", sm.max_threads_per_block, warp_size));
    check.that(sm.max_threads_per_block / warp_size <= sm.max_warps, {"/sm/max_threads_per_block", "/sm/max_warps"},
               fmt::format("a block of {} threads does not fit into {} warps", sm.max_threads_per_block, sm.max_warps));
    check.that(std::adjacent_find(sm.shared_carve_outs_bytes.begin(), sm.shared_carve_outs_bytes.end(),
                                  std::greater_equal<>()) == sm.shared_carve_outs_bytes.end(),
               {"/sm/shared_carve_outs_bytes"}, "its numbers do not increase");
    check.that(sm.max_threads_per_block / warp_size <= largest_block_warps, {"/sm/max_threads_per_block"},
               fmt::format("blocks of more than {} threads ({} warps) are not modelled",
                           largest_block_warps * warp_size, largest_block_warps));
    check.power_of_two({"/sm/shared_bank_bytes", sm.shared_bank_bytes});
}

void check_caches(const Platform& platform, Checks& check) {
    const LsuParameters& lsu = platform.lsu;
    const FetchParameters& fetch = platform.fetch;
    const L2Parameters& l2 = platform.l2;
    check.power_of_two({"/lsu/l1_line_bytes", lsu.l1_line_bytes});
    check.power_of_two({"/lsu/sector_bytes", lsu.sector_bytes});
    check.power_of_two({"/lsu/l1_fill_bytes", lsu.l1_fill_bytes});
    check.power_of_two({"/fetch/line_bytes", fetch.line_bytes});
    check.power_of_two({"/fetch/constant_line_bytes", fetch.constant_line_bytes});
    check.divides({"/lsu/sector_bytes", lsu.sector_bytes}, {"/lsu/l1_line_bytes", lsu.l1_line_bytes});
    check.that(quotient(lsu.l1_line_bytes, lsu.sector_bytes) < 32, {"/lsu/l1_line_bytes", "/lsu/sector_bytes"},
               "32 sectors a line or more are not modelled");
    check.that(lsu.tag_hash.size() <= 64, {"/lsu/tag_hash"}, "a line's number has no more than 64 bits");
    const std::uint64_t gpcs = std::max<std::uint64_t>(1, quotient(platform.gpu.sm_count, platform.gpu.gpc_sms));
    check.that(platform.l2.coalescing_cycles == 0 || quotient(platform.gpu.sm_count + gpcs - 1, gpcs) <= 32,
               {"/gpu/gpc_sms", "/gpu/sm_count", "/l2/coalescing_cycles"},
               "reads that more than 32 SMs of a GPC may join are not modelled");
    check.at_most({"/fetch/l0_lines", fetch.l0_lines}, {"/fetch/l1_lines", fetch.l1_lines});
    check.at_most({"/fetch/l0_latency_cycles", fetch.l0_latency_cycles},
                  {"/sm/branch_latency_cycles", platform.sm.branch_latency_cycles});

    const std::uint64_t l1_set_bytes = std::uint64_t{lsu.l1_line_bytes} * lsu.l1_ways;
    check.that(l1_set_bytes <= platform.sm.unified_l1_bytes,
               {"/lsu/l1_ways", "/lsu/l1_line_bytes", "/sm/unified_l1_bytes"},
               fmt::format("one set of the L1 is {} bytes, more than /sm/unified_l1_bytes ({})", l1_set_bytes,
                           platform.sm.unified_l1_bytes));
    const std::uint64_t l2_sets_bytes = std::uint64_t{lsu.l1_line_bytes} * l2.ways * l2.slices;
    check.that(l2_sets_bytes <= l2.bytes, {"/l2/bytes", "/l2/ways", "/l2/slices", "/lsu/l1_line_bytes"},
               fmt::format("{} is less than one set for every slice ({})", l2.bytes, l2_sets_bytes));
}

void check_address_map(const Platform& platform, Checks& check) {
    const L2Parameters& l2 = platform.l2;
    if (l2.address_map != AddressMaps::named("xor_modulo")) return;
    const auto line_bit = static_cast<std::size_t>(std::bit_width(platform.lsu.l1_line_bytes)) - 1;
    const auto granule_bit = static_cast<std::size_t>(std::bit_width(l2.partition_granule_bytes)) - 1;
    check.power_of_two({"/l2/partition_granule_bytes", l2.partition_granule_bytes});
    check.that(l2.slice_hash.size() <= most_hashed_bits, {"/l2/slice_hash"}, "more than 32 bits are not looked at");
    check.that(l2.partition_hash.size() <= most_hashed_bits, {"/l2/partition_hash"},
               "more than 32 bits are not looked at");
    for (std::size_t bit = 0; bit < l2.partition_hash.size(); ++bit)
        check.that(l2.partition_hash[bit] == 0 || bit + line_bit >= granule_bit,
                   {"/l2/partition_hash", "/l2/partition_granule_bytes"},
                   fmt::format("number {} flips the partition within a granule", bit));
    check.that(l2.partitions != 2 ||
                   std::ranges::count(l2.partition_hash, 0U) != static_cast<std::ptrdiff_t>(l2.partition_hash.size()),
               {"/l2/partition_hash", "/l2/partitions"}, "no bit flips the partition: one of two would be empty");
}

void check_memory_side(const Platform& platform, Checks& check) {
    check_address_map(platform, check);
    const Parameter partitions{"/l2/partitions", platform.l2.partitions};
    check.divides(partitions, {"/l2/slices", platform.l2.slices});
    check.divides(partitions, {"/dram/channels", platform.dram.channels});
    const DramParameters& dram = platform.dram;
    // A slice has one channel: of more channels than slices some would have no address.
    check.at_most({"/dram/channels", dram.channels}, {"/l2/slices", platform.l2.slices});
    check.that(dram.refresh_interval_cycles == 0 || dram.refresh_cycles < dram.refresh_interval_cycles,
               {"/dram/refresh_cycles", "/dram/refresh_interval_cycles"},
               fmt::format("a refresh of {} cycles every {}: a bank would never answer", dram.refresh_cycles,
                           dram.refresh_interval_cycles));
    // An idle channel's row is activated, then read: no access is faster, and the latency is to have room for both.
    const std::uint64_t least_latency =
        dram_cycles(platform.clock, dram.t_rcd_ns) + dram_cycles(platform.clock, dram.t_cas_ns);
    check.that(dram.scheduler != DramSchedulers::named("first_ready_open_rows") || least_latency <= dram.latency_cycles,
               {"/dram/latency_cycles", "/dram/t_rcd_ns", "/dram/t_cas_ns", "/dram/scheduler", "/clock/sm_mhz"},
               fmt::format("{} is less than t_rcd_ns and t_cas_ns together, {} cycles, which an access to an open-row "
                           "DRAM takes",
                           dram.latency_cycles, least_latency));
    check.that(dram.scheduler != DramSchedulers::named("activation_bound") || dram.t_rrd_ns > 0 || dram.t_faw_ns > 0,
               {"/dram/scheduler", "/dram/t_rrd_ns", "/dram/t_faw_ns"},
               "activation_bound without a time between activations bounds nothing");
    check.that(std::uint64_t{dram.channels} * dram.banks <= most_dram_banks, {"/dram/channels", "/dram/banks"},
               fmt::format("more than {} banks of DRAM are not modelled", most_dram_banks));
    const std::uint64_t rows_bytes = std::uint64_t{dram.row_interleave_bytes} * dram.interleaved_rows;
    check.that(quotient(dram.row_region_bytes, rows_bytes) * rows_bytes == dram.row_region_bytes,
               {"/dram/row_region_bytes", "/dram/interleaved_rows", "/dram/row_interleave_bytes"},
               fmt::format("a region of {} bytes is not filled by {} rows in turns of {} bytes", dram.row_region_bytes,
                           dram.interleaved_rows, dram.row_interleave_bytes));
    check.at_most(partitions, {"/gpu/sm_count", platform.gpu.sm_count});
    // Memory begins at a multiple of any page that is a power of two, and what the driver has lies below.
    check.that(std::has_single_bit(dram.page_bytes), {"/dram/page_bytes"},
               fmt::format("pages of {} bytes: no power of two", dram.page_bytes));
    check.that(quotient(dram.driver_bytes, dram.page_bytes) * dram.page_bytes == dram.driver_bytes,
               {"/dram/driver_bytes", "/dram/page_bytes"},
               fmt::format("{} bytes are no whole pages of {} bytes", dram.driver_bytes, dram.page_bytes));
}

/// More buffers than SMs are no fault: a platform with fewer SMs than its base has some that nobody asks.
void check_tlb_level(const std::string& level, const TlbParameters& tlb, Checks& check) {
    if (tlb.entries == 0) return;
    const std::string group = "/tlb/" + level;
    const std::uint64_t others = (std::uint64_t{tlb.sets} - 1) * tlb.ways;
    check.that(tlb.entries > others, {group + "/entries", group + "/sets", group + "/ways"},
               fmt::format("{} entries leave none for the first of {} sets, as the others have {} each", tlb.entries,
                           tlb.sets, tlb.ways));
    check.power_of_two({group + "/page_bytes", tlb.page_bytes});
}

}  // namespace

std::vector<BrokenConstraint> broken_constraints(const Platform& platform) {
    Checks check;
    check_sm(platform.sm, check);
    check_caches(platform, check);
    check_memory_side(platform, check);
    const GpuParameters& gpu = platform.gpu;
    const TranslationParameters& tlb = platform.tlb;
    check_tlb_level("l1", tlb.l1, check);
    check_tlb_level("l2", tlb.l2, check);
    check_tlb_level("l3", tlb.l3, check);
    check.that(isa::has_code_for({gpu.compute_capability_major, gpu.compute_capability_minor}),
               {"/gpu/compute_capability_major", "/gpu/compute_capability_minor"},
               fmt::format("no code for compute capability {}.{} is modelled", gpu.compute_capability_major,
                           gpu.compute_capability_minor));
    return check.take();
}

}  // namespace sassafras::sim
