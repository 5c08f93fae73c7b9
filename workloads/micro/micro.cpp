#include "workloads/micro/micro.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include <fmt/format.h>

#include "workloads/device_buffer.hpp"
#include "workloads/micro/collector.hpp"
#include "workloads/micro/probes.hpp"

namespace sassafras::workloads::micro {
namespace {

void measure_arithmetic(Collector& rows) {
    constexpr std::array<const char*, 20> operations{
        "ffma", "fadd",  "hfma2", "hset2", "dfma",     "dadd",     "iadd3", "lop3", "imad", "imad_hi",
        "shf",  "imnmx", "popc",  "flo",   "mufu_ex2", "mufu_rsq", "i2fp",  "f2i",  "shfl", "vote"};
    const sim::Arguments seed = words({3});
    for (const std::string operation : operations) {
        rows.latency("latency " + operation, "micro_chain_" + operation, "warps=1", lanes, 8, 24, seed);
        rows.rate("rate " + operation, "micro_chain_" + operation, "warps=32", 1, "warp instructions/cycle", seed);
    }
    for (const std::uint32_t warps : {1U, 2U, 4U, 8U, 16U, 32U})
        rows.latency("latency bar_sync", "micro_chain_bar_sync", fmt::format("warps={}", warps), warps * lanes, 4, 12,
                     seed);
    rows.latency("latency warpsync", "micro_chain_warpsync", "warps=1", lanes, 8, 24, seed);
}

void measure_shared(Collector& rows) {
    for (const std::uint32_t stride : {1U, 2U, 4U, 8U, 16U, 32U}) {
        const std::string parameter = fmt::format("stride_words={}", stride);
        rows.latency("latency lds", "micro_chase_shared", parameter, lanes, 8, 24, words({stride}));
        rows.latency("latency atoms", "micro_chain_atoms", parameter, lanes, 4, 12, words({stride, 0}));
        rows.rate("rate sts", "micro_write_shared", parameter, 128, "bytes/cycle", words({stride}));
    }
    rows.latency("latency ldc", "micro_chase_constant", "indexed", lanes, 8, 24, words({0}));
}

/// A ring of `footprint / stride` pointers, each to the next.
void chase_ring(Collector& rows, const std::string& name, const std::string& kernel, std::uint64_t footprint,
                std::uint64_t stride, std::int32_t few, std::int32_t many) {
    const std::string parameter = fmt::format("footprint={} stride={}", footprint, stride);
    if (!rows.wants(name, parameter)) return;
    const auto ring = DeviceBuffer<std::uint64_t>::make(rows.device(), footprint / sizeof(std::uint64_t));
    if (!ring) return rows.fail(ring.error());
    std::vector<std::uint64_t> next(footprint / sizeof(std::uint64_t), 0);
    for (std::uint64_t at = 0; at < footprint; at += stride)
        next[at / sizeof(std::uint64_t)] = ring->argument() + (at + stride) % footprint;
    if (auto copied = rows.device().copy_to_device(ring->address(), std::as_bytes(std::span(next))); !copied)
        return rows.fail(copied.error());
    sim::Arguments first;
    first.add(ring->argument());
    rows.latency(name, kernel, parameter, 1, few, many, first);
}

void measure_global_latency(Collector& rows) {
    constexpr std::uint64_t kib = 1024;
    constexpr std::uint64_t mib = 1024 * kib;
    // The shorter run passes the whole ring once; what the longer one does beyond it is warm.
    chase_ring(rows, "latency ldg l1", "micro_chase_global", 16 * kib, 128, 2, 10);
    chase_ring(rows, "latency ldg l1", "micro_chase_global", 128 * kib, 128, 16, 48);
    chase_ring(rows, "latency ldg l2", "micro_chase_global_l2", 128 * kib, 128, 16, 32);
    chase_ring(rows, "latency ldg l2", "micro_chase_global_l2", 2 * mib, 128, 256, 320);
    // Longer than both runs: every load is the first of its line. Needs a device whose caches are cold at launch.
    chase_ring(rows, "latency ldg cold", "micro_chase_global_l2", 4 * mib, 2048, 8, 32);
    chase_ring(rows, "latency ldg cold", "micro_chase_global_l2", 64 * mib, 32 * kib, 8, 32);

    if (!rows.wants("latency atomg", "lanes=1")) return;
    const auto self = DeviceBuffer<std::uint64_t>::make(rows.device(), 1);
    if (!self) return rows.fail(self.error());
    const std::uint64_t address = self->argument();
    if (auto copied = rows.device().copy_to_device(self->address(), std::as_bytes(std::span(&address, 1))); !copied)
        return rows.fail(copied.error());
    sim::Arguments first;
    first.add(address).add(std::uint64_t{0});
    rows.latency("latency atomg", "micro_chain_atomg", "lanes=1", 1, 2, 6, first);
}

void measure_bandwidth(Collector& rows) {
    constexpr std::uint32_t word = 16;
    constexpr std::uint64_t large = std::uint64_t{64} << 20U;
    constexpr std::uint64_t small = std::uint64_t{4} << 20U;
    constexpr std::int32_t passes = 8;
    const std::string of_large = fmt::format("bytes={}", large);
    const std::string of_small = fmt::format("bytes={} passes={}", small, passes);
    if (!rows.wants("bandwidth read dram", of_large) && !rows.wants("bandwidth read l2", of_small) &&
        !rows.wants("bandwidth copy dram", of_large))
        return;
    const auto from = DeviceBuffer<std::uint8_t>::make(rows.device(), large);
    if (!from) return rows.fail(from.error());
    const auto to = DeviceBuffer<std::uint8_t>::make(rows.device(), large);
    if (!to) return rows.fail(to.error());

    sim::Arguments read;
    read.add(from->argument()).add(static_cast<std::uint32_t>(large / word));
    rows.bandwidth("bandwidth read dram", "micro_read_global", of_large, static_cast<double>(large), read);

    sim::Arguments again;
    again.add(from->argument()).add(static_cast<std::uint32_t>(small / word)).add(passes);
    rows.bandwidth("bandwidth read l2", "micro_read_l2", of_small, static_cast<double>(small) * passes, again);

    sim::Arguments copy;
    copy.add(to->argument()).add(from->argument()).add(static_cast<std::uint32_t>(large / word));
    rows.bandwidth("bandwidth copy dram", "micro_copy_global", of_large, 2 * static_cast<double>(large), copy);
}

Result<std::vector<Row>> run_filtered(sim::Device& device, RowFilter filter) {
    auto stopwatch = Stopwatch::make(device);
    if (!stopwatch) return stopwatch.error();
    Collector rows(*stopwatch, std::move(filter));
    measure_launch(rows);
    measure_block_turnover(rows);
    measure_first_wave(rows);
    measure_block_gaps(rows);
    measure_arithmetic(rows);
    measure_wide_multiply(rows);
    measure_register_ports(rows);
    measure_fetch(rows);
    measure_issue_order(rows);
    measure_yield(rows);
    measure_cold_code(rows);
    measure_shared(rows);
    measure_shared_throughput(rows);
    measure_chosen_warps(rows);
    measure_global_latency(rows);
    measure_l1_throughput(rows);
    measure_l1_capacity(rows);
    measure_l2_latency(rows);
    measure_cold_loads(rows);
    measure_translation(rows);
    measure_loads_in_flight(rows);
    measure_fences(rows);
    measure_scatter(rows);
    measure_activations(rows);
    measure_bandwidth(rows);
    measure_streams(rows);
    measure_numbers(rows);
    return std::move(rows).finish();
}

}  // namespace

Result<std::vector<Row>> run(sim::Device& device, const std::string& filter) {
    const auto contains = [&](const std::string& row) { return row.find(filter) != std::string::npos; };
    return run_filtered(device, {contains, !filter.empty()});
}

Result<std::vector<double>> run_rows(sim::Device& device, std::span<const std::string> rows) {
    const auto is_listed = [&](const std::string& row) {
        return std::find(rows.begin(), rows.end(), row) != rows.end();
    };
    const auto measured = run_filtered(device, {is_listed, true});
    if (!measured) return measured.error();
    std::vector<double> values;
    for (const std::string& row : rows) {
        const auto found = std::find_if(measured->begin(), measured->end(),
                                        [&](const Row& other) { return other.name + " " + other.parameter == row; });
        if (found == measured->end())
            return Error{ErrorKind::bad_input, "there is no such microbenchmark", row,
                         "sassafras microbench prints name and parameter of each row"};
        values.push_back(found->value);
    }
    return values;
}

}  // namespace sassafras::workloads::micro
