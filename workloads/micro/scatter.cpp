#include <array>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "workloads/device_buffer.hpp"
#include "workloads/micro/probes.hpp"
#include "workloads/micro/units.hpp"

namespace sassafras::workloads::micro {
namespace {

constexpr std::uint32_t threads = 256;
constexpr std::uint32_t blocks_per_sm = 2;
constexpr std::int32_t few = 8;  ///< accesses of each warp
constexpr std::int32_t many = 24;
constexpr std::uint64_t word_bytes = 4;

/// Sectors that one warp access touches.
std::size_t sectors_of(std::uint32_t stride) {
    std::set<std::uint64_t> sectors;
    for (std::uint64_t lane = 0; lane < lanes; ++lane)
        sectors.insert(lane * stride * word_bytes / counted_sector_bytes);
    return sectors.size();
}

/// What further accesses take: of stores, in ns of the whole kernel, for a block ends before its stores do; of loads,
/// in cycles of the slowest block.
Result<double> sectors_per_time(Collector& rows, bool stores, std::uint64_t data, std::uint32_t stride,
                                std::uint64_t footprint) {
    const std::uint32_t blocks = blocks_per_sm * rows.device().sm_count();
    std::array<double, 2> taken{};
    const std::array<std::int32_t, 2> accesses{few, many};
    for (std::size_t i = 0; i < 2; ++i) {
        sim::Arguments more;
        more.add(data).add(accesses[i]).add(stride).add(static_cast<std::uint32_t>(footprint / word_bytes));
        const auto time = stores ? rows.stopwatch().kernel_ns("micro_scatter", blocks, threads, more)
                                 : rows.stopwatch().block_cycles("micro_gather", blocks, threads, more);
        if (!time) return time.error();
        taken[i] = *time;
    }
    const double sectors = static_cast<double>(sectors_of(stride)) * (many - few) * blocks * threads / lanes;
    return taken[1] > taken[0] ? sectors / (taken[1] - taken[0]) : 0;
}

}  // namespace

void measure_scatter(Collector& rows) {
    constexpr std::uint64_t small = std::uint64_t{4} << 20U;   // sectors come back, L2 has them
    constexpr std::uint64_t large = std::uint64_t{64} << 20U;  // most sectors are met once
    std::optional<DeviceBuffer<std::uint8_t>> data;
    for (const bool stores : {true, false})
        for (const std::uint64_t footprint : {small, large})
            for (const std::uint32_t stride : {1U, 8U, 15U, 32U}) {
                const std::string name = stores ? "scatter st" : "gather ld";
                const std::string parameter = fmt::format("footprint={} stride_words={}", footprint, stride);
                const bool measured = stores ? footprint == large || stride != 15 : footprint == small;
                if (!measured || !rows.wants(name, parameter)) continue;
                if (!data) {
                    auto made = DeviceBuffer<std::uint8_t>::zeroed(rows.device(), large);
                    if (!made) return rows.fail(made.error());
                    data = std::move(*made);
                }
                const auto rate = sectors_per_time(rows, stores, data->argument(), stride, footprint);
                if (!rate) return rows.fail(rate.error());
                rows.add(name, parameter, *rate, stores ? "sectors/ns" : "sectors/cycle");
            }
}

// Sectors that L2 lacks: in order, one of each line, and so far apart that hardly two lie in one row of DRAM. What the
// last reaches beside the second is how often channels activate rows.
void measure_activations(Collector& rows) {
    const std::string name = "activations";
    constexpr std::uint64_t footprint = std::uint64_t{64} << 20U;  // within reach of lookaside buffers
    std::optional<DeviceBuffer<std::uint8_t>> data;
    for (const std::uint32_t stride : {8U, 32U, 4104U}) {
        const std::string parameter = fmt::format("stride_words={}", stride);
        if (!rows.wants_long(name, parameter)) continue;
        if (!data) {
            auto made = DeviceBuffer<std::uint8_t>::zeroed(rows.device(), footprint);
            if (!made) return rows.fail(made.error());
            data = std::move(*made);
        }
        const auto rate = sectors_per_time(rows, false, data->argument(), stride, footprint);
        if (!rate) return rows.fail(rate.error());
        rows.add(name, parameter, *rate, "sectors/cycle");
    }
}

}  // namespace sassafras::workloads::micro
