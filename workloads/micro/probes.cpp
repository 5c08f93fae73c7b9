#include "workloads/micro/probes.hpp"

#include <fmt/format.h>

#include "workloads/device_buffer.hpp"
#include "workloads/micro/units.hpp"

namespace sassafras::workloads::micro {
void measure_shared_throughput(Collector& rows) {
    for (const int width : {4, 8, 16})
        for (const std::uint32_t warps : {1U, 4U, 32U})
            for (const std::uint32_t stride : {0U, 1U, 2U, 4U, 8U, 32U}) {
                const std::string parameter = fmt::format("width={} warps={} stride={}", width, warps, stride);
                rows.cycles_each("throughput lds", fmt::format("micro_load_shared_{}", width), parameter, warps,
                                 accesses_each_trip, "cycles/warp load", words({stride}));
                rows.cycles_each("throughput sts", fmt::format("micro_store_shared_{}", width), parameter, warps,
                                 stores_each_trip, "cycles/warp store", words({stride}));
            }
}

void measure_l1_throughput(Collector& rows) {
    constexpr std::uint64_t footprint = accesses_each_trip * lanes * kernel_line_bytes;
    std::optional<DeviceBuffer<std::uint8_t>> zeros;  // made when the first row is wanted
    for (const std::uint32_t warps : {1U, 32U})
        for (const std::uint32_t lines : {1U, 2U, 4U, 8U, 16U, 32U}) {
            const std::string name = "throughput ldg l1";
            const std::string parameter = fmt::format("width=4 warps={} lines={}", warps, lines);
            if (!rows.wants(name, parameter)) continue;
            if (!zeros) {
                auto made = DeviceBuffer<std::uint8_t>::zeroed(rows.device(), footprint);
                if (!made) return rows.fail(made.error());
                zeros = std::move(*made);
            }
            sim::Arguments more;
            more.add(zeros->argument()).add(lines);
            rows.cycles_each(name, "micro_load_lines", parameter, warps, accesses_each_trip, "cycles/warp load", more);
        }
}

void measure_register_ports(Collector& rows) {
    constexpr double subcores = 4;  // their warps issue side by side
    for (const std::uint32_t warps : {4U, 32U})
        rows.cycles_each("register ports ffma", "micro_register_ports", fmt::format("warps={}", warps), warps,
                         chain_length / subcores, "cycles/ffma of a sub-core", words({3}));
}

void measure_fetch(Collector& rows) {
    for (const int operations : {4, 16})
        rows.cycles_each("loop ffma", fmt::format("micro_tight_loop_{}", operations),
                         fmt::format("operations={}", operations), 1, 1, "cycles/trip", words({3}));
    for (const int operations : {512, 2048, 4096}) {
        const std::string kernel = fmt::format("micro_straight_line_{}", operations);
        const std::string parameter = fmt::format("operations={}", operations);
        rows.pass("straight line first pass", kernel, parameter, 0);
        rows.pass("straight line second pass", kernel, parameter, 1);
    }
}

void measure_block_turnover(Collector& rows) {
    // From as many blocks as run at once on an H200 (132 SMs, 32 small ones or 2 large ones each) to ten times as many.
    rows.null_blocks(4224, 42240, 32);
    rows.null_blocks(264, 13200, 1024);
}

}  // namespace sassafras::workloads::micro
