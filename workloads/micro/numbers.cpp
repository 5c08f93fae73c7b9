#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "workloads/device_buffer.hpp"
#include "workloads/micro/probes.hpp"

namespace sassafras::workloads::micro {
namespace {

constexpr std::uint32_t most_threads = 1024;
constexpr std::uint64_t own_vector_bytes = 16;

double greatest(const std::vector<double>& values) { return *std::max_element(values.begin(), values.end()); }

void measure_tensor_cores(Collector& rows) {
    const sim::Arguments seed = words({0});
    const auto measure = [&](const std::string& operation) {
        rows.latency("latency " + operation, "micro_chain_" + operation, "warps=1", lanes, 8, 24, seed);
        rows.rate("rate " + operation, "micro_chain_" + operation, "warps=32", 1, "warp instructions/cycle", seed);
    };
    measure("hmma_1688");
    constexpr std::uint32_t larger_shapes_from = 8;
    if (rows.device().compute_capability().major < larger_shapes_from) return;
    measure("hmma_16816");
    measure("dmma_884");
}

void measure_clock(Collector& rows) {
    constexpr std::uint32_t ticks = 8192;  // of 32 ns on an H200: a quarter of a millisecond
    if (!rows.wants("clock sm", "by_timer") && !rows.wants("timer", "step")) return;
    const auto read = rows.stopwatch().warp_cycles("micro_clock", 1, 3 * lanes, words({ticks}));
    if (!read) return rows.fail(read.error());
    constexpr double nanoseconds_per_microsecond = 1000;
    rows.add("clock sm", "by_timer", (*read)[0] / (*read)[1] * nanoseconds_per_microsecond, "MHz");
    rows.add("timer", "step", (*read)[2], "ns");
}

void measure_warp_start(Collector& rows) {
    if (!rows.wants("warp start", "warps=32")) return;
    double least = 0;
    // Twice, as the first launch may find none of its code; the quicker one counts.
    for (int launch = 0; launch < 2; ++launch) {
        const auto begins = rows.stopwatch().warp_cycles("micro_warp_start", 1, most_threads, {});
        if (!begins) return rows.fail(begins.error());
        least = launch == 0 ? greatest(*begins) : std::min(least, greatest(*begins));
    }
    rows.add("warp start", "warps=32", least / (most_threads / lanes - 1), "cycles/warp");
}

/// Bytes a cycle of all SMs together in the long run: a block of each reads 64 KiB of its own.
void measure_own_reads(Collector& rows) {
    constexpr std::uint64_t own = std::uint64_t{64} << 10U;
    const std::string parameter = fmt::format("bytes={} sms=all", own);
    if (!rows.wants("read l2 own", parameter)) return;
    const std::uint32_t blocks = rows.device().sm_count();
    const auto data = DeviceBuffer<std::uint8_t>::make(rows.device(), blocks * own);
    if (!data) return rows.fail(data.error());
    std::array<double, 2> means{};
    constexpr std::array<std::int32_t, 2> trips{8, 24};
    for (std::size_t i = 0; i < trips.size(); ++i) {
        sim::Arguments arguments;
        arguments.add(data->argument()).add(static_cast<std::uint32_t>(own / own_vector_bytes)).add(trips.at(i));
        const auto warps = rows.stopwatch().warp_cycles("micro_read_own", blocks, most_threads, arguments);
        if (!warps) return rows.fail(warps.error());
        means.at(i) = std::accumulate(warps->begin(), warps->end(), 0.0) / static_cast<double>(warps->size());
    }
    const double bytes = (trips[1] - trips[0]) * 4.0 * most_threads * own_vector_bytes * blocks;
    rows.add("read l2 own", parameter, bytes / (means[1] - means[0]), "bytes/cycle");
}

/// Bytes a cycle between a short stream and a long one, so that neither the start nor what L2 held before counts.
void measure_long_stream(Collector& rows, const std::string& name, const std::string& kernel, bool writes,
                         std::uint64_t few_mib, std::uint64_t many_mib) {
    const std::string parameter = fmt::format("mib={}-{}", few_mib, many_mib);
    if (!rows.wants_long(name, parameter)) return;
    constexpr std::uint32_t bits_of_mib = 20;
    std::array<double, 2> cycles{};
    const std::array<std::uint64_t, 2> sizes{few_mib << bits_of_mib, many_mib << bits_of_mib};
    const auto from = DeviceBuffer<std::uint8_t>::make(rows.device(), sizes[1]);
    if (!from) return rows.fail(from.error());
    const auto to = DeviceBuffer<std::uint8_t>::make(rows.device(), writes ? sizes[1] : 0);
    if (!to) return rows.fail(to.error());
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        sim::Arguments arguments;
        if (writes) arguments.add(to->argument());
        arguments.add(from->argument()).add(static_cast<std::uint32_t>(sizes.at(i) / own_vector_bytes));
        const auto warps = rows.stopwatch().warp_cycles(kernel, 2 * rows.device().sm_count(), most_threads, arguments);
        if (!warps) return rows.fail(warps.error());
        cycles.at(i) = greatest(*warps);
    }
    const double bytes = static_cast<double>(sizes[1] - sizes[0]) * (writes ? 2 : 1);
    rows.add(name, parameter, bytes / (cycles[1] - cycles[0]), "bytes/cycle");
}

}  // namespace

void measure_numbers(Collector& rows) {
    rows.latency("latency f2f", "micro_chain_f2f", "warps=1", lanes, 4, 12, words({3}));
    rows.rate("rate f2f", "micro_chain_f2f", "warps=32", 2, "warp instructions/cycle", words({3}));
    measure_tensor_cores(rows);
    measure_clock(rows);
    measure_warp_start(rows);
    measure_own_reads(rows);
    // What a simulator can do in seconds, and what a GPU needs for a steady state.
    for (const auto& [few, many] : {std::pair<std::uint64_t, std::uint64_t>{64, 192}, {256, 1024}}) {
        measure_long_stream(rows, "stream long read", "micro_read_global", false, few, many);
        measure_long_stream(rows, "stream long copy", "micro_copy_global", true, few, many);
    }
}

}  // namespace sassafras::workloads::micro
