#include "sim/platform/unused_parameters.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace sassafras::sim {

namespace {

constexpr std::array<std::string_view, 8> of_rows = {"/dram/row_bytes", "/dram/banks",    "/dram/t_rcd_ns",
                                                     "/dram/t_rp_ns",   "/dram/t_cas_ns", "/dram/t_ras_ns",
                                                     "/dram/t_rrd_ns",  "/dram/t_faw_ns"};
bool is_of_rows(std::string_view pointer) {
    return std::find(of_rows.begin(), of_rows.end(), pointer) != of_rows.end();
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
    if (is_of_rows(pointer)) return platform.dram.scheduler == DramSchedulers::named("in_order");
    if (pointer == "/sm/scheduler_group_warps") return platform.sm.warp_scheduler != WarpSchedulers::named("two_level");
    if (pointer == "/lsu/warp_buffer_cycles") return platform.lsu.data_buffer_accesses != 0;
    return is_of_unmodelled_level(platform.tlb, pointer);
}

}  // namespace sassafras::sim
