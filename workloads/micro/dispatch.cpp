#include <algorithm>
#include <array>
#include <optional>

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

struct Span {
    double cycles = 0;
    double nanoseconds = 0;
};

/// From the first block's begin to the last one's; the medians of three launches. SMs' clocks run together on an H200.
Result<Span> first_wave(Collector& rows, std::uint32_t blocks, std::uint32_t threads) {
    std::vector<double> cycles;
    std::vector<double> nanoseconds;
    for (int run = 0; run < 3; ++run) {
        const auto times = run_blocks(rows, blocks, threads, 0, 0);
        if (!times) return times.error();
        const auto span = [&](auto member) {
            const auto [least, greatest] =
                std::minmax_element(times->begin(), times->end(),
                                    [&](const BlockTime& a, const BlockTime& b) { return a.*member < b.*member; });
            return static_cast<double>((*greatest).*member - (*least).*member);
        };
        cycles.push_back(span(&BlockTime::begin));
        nanoseconds.push_back(span(&BlockTime::begin_nanoseconds));
    }
    return Span{percentile(cycles, 50), percentile(nanoseconds, 50)};
}

/// The n-th begin after the first end, less the n-th end. Blocks that follow others do so in order, as long as what
/// lies between is much the same for all; its mean does not depend on that.
std::vector<double> gaps(const std::vector<BlockTime>& times, std::int64_t BlockTime::*begin,
                         std::int64_t BlockTime::*end) {
    std::vector<std::int64_t> ends;
    for (const BlockTime& block : times) ends.push_back(block.*end);
    std::sort(ends.begin(), ends.end());
    std::vector<std::int64_t> begins;
    for (const BlockTime& block : times)
        if (block.*begin > ends.front()) begins.push_back(block.*begin);
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
    // Blocks that begin before the first instructions have been fetched wait for them together; the later ones show the
    // rate.
    const std::string rate = "blocks_per_sm=16-32 block=32";
    std::array<std::optional<Span>, waves.size()> spans;
    for (std::size_t i = 0; i < waves.size(); ++i) {
        const auto [blocks_per_sm, threads] = waves[i];
        const std::string parameter = fmt::format("blocks_per_sm={} block={}", blocks_per_sm, threads);
        const bool for_rate = (i == 1 || i == 2) && rows.wants("first wave rate", rate);
        if (!for_rate && !rows.wants("first wave", parameter) && !rows.wants("first wave by_timer", parameter))
            continue;
        const auto span = first_wave(rows, blocks_per_sm * sms, threads);
        if (!span) return rows.fail(span.error());
        spans[i] = *span;
        rows.add("first wave", parameter, span->cycles, "cycles");
        rows.add("first wave by_timer", parameter, span->nanoseconds, "ns");
    }
    if (!spans[1] || !spans[2]) return;
    const double further = (waves[2].blocks_per_sm - waves[1].blocks_per_sm) * sms;
    const double cycles = spans[2]->cycles - spans[1]->cycles;
    rows.add("first wave rate", rate, cycles > 0 ? further / cycles : 0, "blocks/cycle");
}

void measure_block_gaps(Collector& rows) {
    constexpr std::uint32_t threads = 1024;
    constexpr std::int32_t busy = 4000;         // cycles of a block: those that follow end after all of the first wave
    constexpr std::uint32_t blocks_per_sm = 4;  // two waves on an H200
    for (const std::int32_t apart : {0, 16}) {
        const std::string name = "block gap";
        const std::string parameter = fmt::format("apart={} block={} ", apart, threads);
        const std::array<int, 3> shares{5, 50, 95};
        bool wanted = rows.wants(name, parameter + "mean") || rows.wants(name, parameter + "by_timer mean");
        for (const int share : shares) wanted = wanted || rows.wants(name, parameter + fmt::format("p{}", share));
        if (!wanted) continue;
        std::vector<double> cycles;
        std::vector<double> nanoseconds;
        for (int run = 0; run < 3; ++run) {
            const auto times = run_blocks(rows, blocks_per_sm * rows.device().sm_count(), threads, busy, apart);
            if (!times) return rows.fail(times.error());
            for (const double gap : gaps(*times, &BlockTime::begin, &BlockTime::end)) cycles.push_back(gap);
            for (const double gap : gaps(*times, &BlockTime::begin_nanoseconds, &BlockTime::end_nanoseconds))
                nanoseconds.push_back(gap);
        }
        rows.add(name, parameter + "mean", mean(cycles), "cycles");
        for (const int share : shares)
            rows.add(name, parameter + fmt::format("p{}", share), percentile(cycles, share), "cycles");
        rows.add(name, parameter + "by_timer mean", mean(nanoseconds), "ns");
    }
}

}  // namespace sassafras::workloads::micro
