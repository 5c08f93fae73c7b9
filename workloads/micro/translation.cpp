// Translation of addresses: how many pages are within reach, what a miss adds, and how often misses can begin.
#include <array>
#include <cstdint>
#include <optional>

#include <fmt/format.h>

#include "workloads/cubins.hpp"
#include "workloads/device_buffer.hpp"
#include "workloads/load_cubin.hpp"
#include "workloads/micro/probes.hpp"

namespace sassafras::workloads::micro {
namespace {

constexpr std::uint64_t small_page = std::uint64_t{128} << 10U;
constexpr std::uint64_t large_page = std::uint64_t{2} << 20U;

/// A ring of `pages` pointers, `stride` bytes from one to the next and a line more, so that they are spread over the
/// sets of caches; the rest of the memory is not written.
void chase_pages(Collector& rows, std::uint64_t pages, std::uint64_t stride) {
    const std::string name = "tlb latency";
    const std::string parameter = fmt::format("pages={} stride={}", pages, stride);
    if (!rows.wants_long(name, parameter)) return;
    constexpr std::uint64_t lines_of_a_page = 64;
    const auto place = [&](std::uint64_t page) { return page * stride + page % lines_of_a_page * 128; };
    const auto ring = DeviceBuffer<std::uint8_t>::make(rows.device(), pages * stride);
    if (!ring) return rows.fail(ring.error());
    for (std::uint64_t page = 0; page < pages; ++page) {
        const std::array<std::uint64_t, 1> next{ring->argument() + place((page + 1) % pages)};
        const Address to{ring->address().value + place(page)};
        if (auto copied = rows.device().copy_to_device(to, std::as_bytes(std::span(next))); !copied)
            return rows.fail(copied.error());
    }
    // The shorter run passes the whole ring once; what the longer one does beyond it is warm.
    const auto once = static_cast<std::int32_t>(pages / chain_length + 1);
    sim::Arguments first;
    first.add(ring->argument());
    rows.latency(name, "micro_chase_global_l2", parameter, 1, once, 3 * once, first);
}

/// Cycles of the slowest block for each load of each of its threads, over pages of 2 MiB.
Result<double> cycles_a_load(Stopwatch& stopwatch, std::uint64_t data, std::uint32_t pages, std::uint32_t blocks) {
    constexpr std::uint32_t threads = 1024;
    constexpr std::array<std::int32_t, 2> counts{8, 24};
    std::array<double, 2> taken{};
    for (std::size_t i = 0; i < 2; ++i) {
        sim::Arguments more;
        more.add(data).add(counts[i]).add(pages).add(static_cast<std::uint32_t>(large_page / sizeof(std::uint32_t)));
        const auto cycles = stopwatch.block_cycles("micro_translation_walk", blocks, threads, more);
        if (!cycles) return cycles.error();
        taken[i] = *cycles;
    }
    return (taken[1] - taken[0]) / (counts[1] - counts[0]) / threads;
}

void measure_intervals(Collector& rows) {
    constexpr std::uint32_t far = 1000;  ///< pages within reach of the last level of the GPUs that were measured
    const std::string name = "tlb interval";
    std::optional<Stopwatch> stopwatch;
    std::optional<DeviceBuffer<std::uint8_t>> data;
    for (const std::uint32_t pages : {1U, 60U, far})
        for (const std::uint32_t blocks : {1U, rows.device().sm_count()}) {
            const std::string parameter = fmt::format("pages={} blocks={}", pages, blocks);
            if (!rows.wants_long(name, parameter)) continue;
            if (!data) {
                const auto cubin = cubin_for(rows.device().compute_capability(), cubins::micro_translation(),
                                             "workloads/micro/micro_translation.cubin");
                if (!cubin) return rows.fail(cubin.error());
                auto watch = Stopwatch::make(rows.device(), *cubin);
                if (!watch) return rows.fail(watch.error());
                stopwatch = std::move(*watch);
                auto made = DeviceBuffer<std::uint8_t>::zeroed(rows.device(), far * large_page);
                if (!made) return rows.fail(made.error());
                data = std::move(*made);
            }
            const auto cycles = cycles_a_load(*stopwatch, data->argument(), pages, blocks);
            if (!cycles) return rows.fail(cycles.error());
            rows.add(name, parameter, *cycles, "cycles/load");
        }
}

}  // namespace

void measure_translation(Collector& rows) {
    for (const std::uint64_t pages : {16U, 17U, 32U}) chase_pages(rows, pages, small_page);
    for (const std::uint64_t pages : {16U, 17U, 65U, 66U, 68U, 72U, 80U, 1000U, 1032U, 1096U, 1200U})
        chase_pages(rows, pages, large_page);
    measure_intervals(rows);
}

}  // namespace sassafras::workloads::micro
