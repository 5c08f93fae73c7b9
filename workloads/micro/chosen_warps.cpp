#include <array>
#include <bit>

#include <fmt/format.h>

#include "workloads/micro/probes.hpp"
#include "workloads/micro/units.hpp"

namespace sassafras::workloads::micro {
namespace {

constexpr std::uint32_t block_warps = 8;

struct Chosen {
    const char* name;
    std::uint32_t active;  ///< bit w: warp w of the block takes part; warps w and w + 4 share a sub-core
};
constexpr std::array<Chosen, 5> choices{
    {{"one", 0x01}, {"two_subcores", 0x03}, {"one_subcore", 0x11}, {"four", 0x0f}, {"eight", 0xff}}};

void measure(Collector& rows, bool stores, int width, std::uint32_t stride, const Chosen& chosen) {
    const std::string name = stores ? "warps sts" : "warps lds";
    const std::string parameter = fmt::format("width={} stride={} warps={}", width, stride, chosen.name);
    if (!rows.wants(name, parameter)) return;
    const std::string kernel = fmt::format("micro_{}_chosen_{}", stores ? "store" : "load", width);
    const auto cycles =
        rows.stopwatch().trip_cycles(kernel, block_warps * lanes, 4, 20, words({stride, chosen.active}));
    if (!cycles) return rows.fail(cycles.error());
    const int operations = (stores ? stores_each_trip : accesses_each_trip) * std::popcount(chosen.active);
    rows.add(name, parameter, *cycles / operations, stores ? "cycles/warp store" : "cycles/warp load");
}

}  // namespace

void measure_chosen_warps(Collector& rows) {
    for (const int width : {4, 8, 16})
        for (const std::uint32_t stride : {1U, 8U})
            for (const Chosen& chosen : choices) {
                measure(rows, false, width, stride, chosen);
                measure(rows, true, width, stride, chosen);
            }
    rows.latency("latency sts_lds", "micro_store_then_load", "same word", lanes, 8, 24, words({3}));
}

}  // namespace sassafras::workloads::micro
