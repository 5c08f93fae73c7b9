#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "workloads/device_buffer.hpp"
#include "workloads/micro/percentile.hpp"
#include "workloads/micro/probes.hpp"

namespace sassafras::workloads::micro {
namespace {

struct BlockTime {
    std::int64_t begin = 0;  ///< clock
    std::int64_t end = 0;
    std::int64_t begin_nanoseconds = 0;
    std::int64_t end_nanoseconds = 0;
};

Result<std::vector<BlockTime>> run_blocks(Collector& rows, std::uint32_t blocks, std::uint32_t threads,
                                          std::int32_t cycles, std::int32_t cycles_a_block) {
    const auto times = DeviceBuffer<BlockTime>::make(rows.device(), blocks);
    if (!times) return times.error();
    sim::Arguments arguments;
    arguments.add(times->argument()).add(cycles).add(cycles_a_block).add(rows.device().sm_count());
    if (auto done = rows.stopwatch().run("micro_block_times", blocks, threads, arguments); !done) return done.error();
    return times->read();
}

/// From the first block's begin to the last one's in ns; the median of three launches. By the GPU's timer: the clocks
/// of an H200's SMs do not run together.
Result<double> first_wave(Collector& rows, std::uint32_t blocks, std::uint32_t threads) {
    std::vector<double> spans;
    for (int run = 0; run < 3; ++run) {
        const auto times = run_blocks(rows, blocks, threads, 0, 0);
        if (!times) return times.error();
        const auto [first, last] = std::minmax_element(
            times->begin(), times->end(),
            [](const BlockTime& a, const BlockTime& b) { return a.begin_nanoseconds < b.begin_nanoseconds; });
        spans.push_back(static_cast<double>(last->begin_nanoseconds - first->begin_nanoseconds));
    }
    return percentile(spans, 50);
}

/// The n-th begin after the first end, less the n-th end, in ns. Blocks that follow others do so in order, as long as
/// what lies between is much the same for all; its mean does not depend on that.
std::vector<double> gaps(const std::vector<BlockTime>& times) {
    std::vector<std::int64_t> ends;
    for (const BlockTime& block : times) ends.push_back(block.end_nanoseconds);
    std::sort(ends.begin(), ends.end());
    std::vector<std::int64_t> begins;
    for (const BlockTime& block : times)
        if (block.begin_nanoseconds > ends.front()) begins.push_back(block.begin_nanoseconds);
    std::sort(begins.begin(), begins.end());
    std::vector<double> result;
    for (std::size_t i = 0; i < begins.size(); ++i) result.push_back(static_cast<double>(begins[i] - ends[i]));
    return result;
}

}  // namespace

void measure_launch(Collector& rows) {
    rows.launch("launch null", "micro_null", 1, lanes, {});
    rows.launch("launch null", "micro_null", rows.device().sm_count(), 1024, {});
    const std::string parameter = fmt::format("grid=1 block={}", lanes);
    if (!rows.wants("launch store", parameter) && !rows.wants("launch load", parameter)) return;
    const auto data = DeviceBuffer<std::uint32_t>::make(rows.device(), 2 * lanes);
    if (!data) return rows.fail(data.error());
    sim::Arguments store;
    store.add(data->argument());
    rows.launch("launch store", "micro_one_store", 1, lanes, store);
    sim::Arguments load;
    load.add(data->argument()).add(data->argument() + sizeof(std::uint32_t) * lanes).add(~std::uint32_t{0});
    rows.launch("launch load", "micro_one_load", 1, lanes, load);
}

void measure_first_wave(Collector& rows) {
    const std::uint32_t sms = rows.device().sm_count();
    struct Wave {
        std::uint32_t blocks_per_sm;
        std::uint32_t threads;
    };
    constexpr std::array<Wave, 4> waves{{{1, 32}, {16, 32}, {32, 32}, {2, 1024}}};
    for (const auto [blocks_per_sm, threads] : waves) {
        const std::string parameter = fmt::format("blocks_per_sm={} block={}", blocks_per_sm, threads);
        if (!rows.wants("first wave by_timer", parameter)) continue;
        const auto span = first_wave(rows, blocks_per_sm * sms, threads);
        if (!span) return rows.fail(span.error());
        rows.add("first wave by_timer", parameter, *span, "ns");
    }
}

void measure_block_gaps(Collector& rows) {
    constexpr std::uint32_t threads = 1024;
    constexpr std::int32_t busy = 4000;         // cycles of a block: those that follow end after all of the first wave
    constexpr std::uint32_t blocks_per_sm = 4;  // two waves on an H200
    for (const std::int32_t apart : {0, 16}) {
        const std::string name = "block gap";
        const std::string parameter = fmt::format("apart={} block={} by_timer mean", apart, threads);
        if (!rows.wants(name, parameter)) continue;
        std::vector<double> nanoseconds;
        for (int run = 0; run < 3; ++run) {
            const auto times = run_blocks(rows, blocks_per_sm * rows.device().sm_count(), threads, busy, apart);
            if (!times) return rows.fail(times.error());
            for (const double gap : gaps(*times)) nanoseconds.push_back(gap);
        }
        rows.add(name, parameter, mean(nanoseconds), "ns");
    }
}

}  // namespace sassafras::workloads::micro
