#include "sim/platform/unused_parameters.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace sassafras::sim {

namespace {

/// What schedulers that know rows look at, and what only that looks at which opens and closes them.
constexpr std::array<std::string_view, 5> of_rows = {"/dram/row_bytes", "/dram/row_span_bytes", "/dram/banks",
                                                     "/dram/t_rrd_ns", "/dram/t_faw_ns"};
constexpr std::array<std::string_view, 4> of_open_rows = {"/dram/t_rcd_ns", "/dram/t_rp_ns", "/dram/t_cas_ns",
                                                          "/dram/t_ras_ns"};
template <std::size_t count>
bool is_of(const std::array<std::string_view, count>& pointers, std::string_view pointer) {
    return std::find(pointers.begin(), pointers.end(), pointer) != pointers.end();
}

bool is_unused_of_dram(const DramParameters& dram, std::string_view pointer) {
    if (is_of(of_open_rows, pointer)) return dram.scheduler != DramSchedulers::named("first_ready_open_rows");
    if (pointer == "/dram/row_miss_cycles") return dram.scheduler != DramSchedulers::named("activation_bound");
    // A span of addresses stands for a row's bytes, and tRRD for both where it bounds more.
    if (pointer == "/dram/row_bytes" && dram.row_span_bytes != 0) return true;
    if (pointer == "/dram/t_faw_ns" && dram.t_faw_ns < 4 * dram.t_rrd_ns) return true;
    return is_of(of_rows, pointer) && dram.scheduler == DramSchedulers::named("in_order");
}

/// What a level is beside its `entries`, which say that it is not there, and all of the levels behind it.
bool is_of_unmodelled_level(const TranslationParameters& tlb, std::string_view pointer) {
    constexpr std::array<std::string_view, 3> prefixes = {"/tlb/l1/", "/tlb/l2/", "/tlb/l3/"};
    const std::array<std::uint32_t, 3> entries = {tlb.l1.entries, tlb.l2.entries, tlb.l3.entries};
    bool is_there = true;
    for (std::size_t level = 0; level < prefixes.size(); ++level) {
        const bool was_there = is_there;
        is_there = is_there && entries[level] != 0;
        if (!pointer.starts_with(prefixes[level])) continue;
        return !was_there || (!is_there && pointer.substr(prefixes[level].size()) != "entries");
    }
    return false;
}

}  // namespace

bool is_unused(const Platform& platform, std::string_view pointer) {
    if (is_unused_of_dram(platform.dram, pointer)) return true;
    if (pointer == "/sm/scheduler_group_warps") return platform.sm.warp_scheduler != WarpSchedulers::named("two_level");
    if (pointer == "/lsu/miss_buffer_lines") return platform.lsu.data_buffer_accesses == 0;
    if (pointer == "/lsu/warp_buffer_cycles") return platform.lsu.data_buffer_accesses != 0;
    return is_of_unmodelled_level(platform.tlb, pointer);
}

}  // namespace sassafras::sim
