// How many loads one SM has under way: what bounds loads that miss L2, each of a line of its own.
#include <array>
#include <cstdint>

#include <fmt/format.h>

#include "workloads/device_buffer.hpp"
#include "workloads/micro/probes.hpp"
#include "workloads/micro/units.hpp"

namespace sassafras::workloads::micro {

void measure_loads_in_flight(Collector& rows) {
    constexpr std::uint64_t bytes = std::uint64_t{16} << 20U;  // more than is loaded: all is cold
    constexpr std::uint32_t stride_words = 32;                 // a line
    constexpr std::array<std::int32_t, 2> counts{16, 48};      // loads of a warp, eight at a time
    const std::string name = "loads in flight";
    for (const std::uint32_t threads : {32U, 256U}) {
        const std::string parameter = fmt::format("blocks=1 threads={}", threads);
        if (!rows.wants_long(name, parameter)) continue;
        const auto data = DeviceBuffer<std::uint8_t>::zeroed(rows.device(), bytes);
        if (!data) return rows.fail(data.error());
        std::array<double, 2> taken{};
        for (std::size_t i = 0; i < 2; ++i) {
            sim::Arguments more;
            more.add(data->argument()).add(counts[i]).add(stride_words).add(static_cast<std::uint32_t>(bytes / 4));
            const auto cycles = rows.stopwatch().block_cycles("micro_gather", 1, threads, more);
            if (!cycles) return rows.fail(cycles.error());
            taken[i] = *cycles;
        }
        rows.add(name, parameter, (counts[1] - counts[0]) * static_cast<double>(threads) / (taken[1] - taken[0]),
                 "lines/cycle");
    }
}

}  // namespace sassafras::workloads::micro
