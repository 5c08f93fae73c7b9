#include <fmt/format.h>

#include "workloads/device_buffer.hpp"
#include "workloads/micro/probes.hpp"

namespace sassafras::workloads::micro {

void measure_fences(Collector& rows) {
    constexpr std::size_t data_words = 8192;  // as much as the kernels write to
    for (const std::string scope : {"cta", "gpu", "sys"})
        for (const std::uint32_t stores : {0U, 1U, 8U}) {
            const std::string name = "latency membar";
            const std::string parameter = fmt::format("scope={} stores={}", scope, stores);
            if (!rows.wants(name, parameter)) continue;
            const auto data = DeviceBuffer<std::uint32_t>::make(rows.device(), data_words);
            if (!data) return rows.fail(data.error());
            sim::Arguments more;
            more.add(data->argument()).add(stores);
            const auto cycles = rows.stopwatch().trip_cycles("micro_fence_" + scope, lanes, 8, 40, more);
            if (!cycles) return rows.fail(cycles.error());
            rows.add(name, parameter, *cycles, "cycles");
        }
}

}  // namespace sassafras::workloads::micro
