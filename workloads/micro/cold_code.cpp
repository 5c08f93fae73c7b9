#include <fmt/format.h>

#include "workloads/micro/percentile.hpp"
#include "workloads/micro/probes.hpp"

namespace sassafras::workloads::micro {
namespace {

// As in cold_code.cuh.
constexpr int cold_jumps = 16;
constexpr int cold_constant_lines = 24;

}  // namespace

void measure_issue_order(Collector& rows) {
    constexpr std::uint32_t warps = 16;
    for (const int operations : {128, 192, 384, 512}) {
        const std::string name = "issue order ffma";
        const std::string parameter = fmt::format("operations={} warps={}", operations, warps);
        if (!rows.wants(name, parameter)) continue;
        std::vector<double> runs;
        for (int run = 0; run < 3; ++run) {
            const auto cycles = rows.stopwatch().warp_cycles(fmt::format("micro_issue_order_{}", operations), 1,
                                                             warps * lanes, words({3}));
            if (!cycles) return rows.fail(cycles.error());
            runs.push_back(mean(*cycles) / operations);
        }
        rows.add(name, parameter, percentile(runs, 50), "cycles/ffma of one warp");
    }
}

void measure_cold_code(Collector& rows) {
    Stopwatch& stopwatch = rows.stopwatch();
    const std::string jumps = fmt::format("jumps={}", cold_jumps);
    if (rows.wants("cold code", jumps)) {
        const auto first = stopwatch.pass_cycles("micro_cold_jumps", 0);
        if (!first) return rows.fail(first.error());
        const auto second = stopwatch.pass_cycles("micro_cold_jumps", 1);
        if (!second) return rows.fail(second.error());
        rows.add("cold code", jumps, (*first - *second) / cold_jumps, "cycles/jump");
    }
    const std::string constants = fmt::format("lines={}", cold_constant_lines);
    if (rows.wants("cold constant", constants)) {
        const auto apart = stopwatch.pass_cycles("micro_constants_apart", 0);
        if (!apart) return rows.fail(apart.error());
        const auto together = stopwatch.pass_cycles("micro_constants_together", 0);
        if (!together) return rows.fail(together.error());
        rows.add("cold constant", constants, (*apart - *together) / (cold_constant_lines - 1), "cycles/line");
    }
}

}  // namespace sassafras::workloads::micro
