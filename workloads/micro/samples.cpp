#include <algorithm>
#include <array>
#include <span>

#include <fmt/format.h>

#include "core/random.hpp"
#include "workloads/device_buffer.hpp"
#include "workloads/micro/percentile.hpp"
#include "workloads/micro/probes.hpp"
#include "workloads/micro/units.hpp"

namespace sassafras::workloads::micro {
namespace {

constexpr std::uint32_t no_line = 0xffffffffU;  // as in samples.cuh
constexpr std::uint64_t kib = 1024;
constexpr std::uint64_t mib = 1024 * kib;

/// Which line of `data` each lane of each sample of each block loads: lines[(block * count + sample) * 32 + lane].
struct Pattern {
    std::uint32_t blocks = 1;
    std::uint32_t count = 0;   ///< samples of a block, 1024 at most
    std::uint32_t passes = 1;  ///< over the pattern; the last is sampled
    std::vector<std::uint32_t> lines{};
};

Result<std::vector<double>> sample(Collector& rows, std::uint64_t data, const Pattern& pattern) {
    const auto lines = DeviceBuffer<std::uint32_t>::from(rows.device(), std::span(pattern.lines));
    if (!lines) return lines.error();
    const auto samples = DeviceBuffer<std::int64_t>::make(rows.device(), std::size_t{pattern.blocks} * pattern.count);
    if (!samples) return samples.error();
    sim::Arguments arguments;
    arguments.add(samples->argument()).add(data).add(lines->argument()).add(pattern.count).add(pattern.passes);
    if (auto done = rows.stopwatch().run("micro_sample_loads", pattern.blocks, lanes, arguments); !done)
        return done.error();
    const auto read = samples->read();
    if (!read) return read.error();
    return std::vector<double>(read->begin(), read->end());
}

/// How much later the farther half of the SMs gets a line than the nearer half, on average over lines.
double half_gap(const std::vector<std::vector<double>>& by_line) {
    std::vector<double> differences;
    for (std::vector<double> sms : by_line) {
        std::sort(sms.begin(), sms.end());
        const auto half = static_cast<std::ptrdiff_t>(sms.size() / 2);
        if (half == 0) continue;
        differences.push_back(mean({sms.end() - half, sms.end()}) - mean({sms.begin(), sms.begin() + half}));
    }
    return mean(differences);
}

/// One row of several that come from the same samples.
struct Share {
    const char* name;
    double percent;  ///< negative: the mean
};

void add_shares(Collector& rows, const std::string& name, const std::string& parameter, std::span<const Share> shares,
                const std::vector<double>& samples) {
    for (const Share& share : shares)
        rows.add(name, parameter + " " + share.name,
                 share.percent < 0 ? mean(samples) : percentile(samples, share.percent), "cycles");
}

bool wants_any(const Collector& rows, const std::string& name, const std::string& parameter,
               std::span<const Share> shares) {
    return std::any_of(shares.begin(), shares.end(),
                       [&](const Share& share) { return rows.wants(name, parameter + " " + share.name); });
}

/// Lane l of a sample loads the line l * spacing bytes after the sample's own; samples lie far from one another.
/// Without spacing every lane's line is random.
Pattern cold_pattern(std::uint32_t lines, std::uint64_t spacing, std::uint64_t footprint, Random& random) {
    Pattern pattern{.count = 256};
    const std::uint64_t all = footprint / kernel_line_bytes;
    const std::uint64_t step = spacing / kernel_line_bytes;
    const std::uint64_t stripe = std::max<std::uint64_t>(step * lanes, 1);
    const std::uint64_t stripes = std::max<std::uint64_t>(all / stripe, 1);
    for (std::uint64_t at = 0; at < pattern.count; ++at) {
        // As far apart as the stripes allow; samples that share a stripe are 37 lines, more than a row of DRAM, apart.
        const std::uint64_t first = stripes >= pattern.count ? at * (stripes / pattern.count) * stripe
                                                             : at % stripes * stripe + at / stripes * 37 % step;
        for (std::uint32_t lane = 0; lane < lanes; ++lane)
            pattern.lines.push_back(lane >= lines  ? no_line
                                    : spacing == 0 ? static_cast<std::uint32_t>(random.below(all))
                                                   : static_cast<std::uint32_t>(first + lane * step));
    }
    return pattern;
}

}  // namespace

void measure_l1_capacity(Collector& rows) {
    constexpr std::int32_t lines = 2048;  // 256 KiB, all of an H200's L1 and shared memory
    std::optional<DeviceBuffer<std::uint8_t>> data;
    for (const std::uint64_t shared : {0U, 32U, 64U, 100U, 132U, 164U, 196U}) {
        const std::string name = "capacity l1";
        const std::string parameter = fmt::format("dynamic_shared={}", shared * kib);
        if (!rows.wants(name, parameter)) continue;
        if (!data) {
            auto made = DeviceBuffer<std::uint8_t>::make(rows.device(), lines * kernel_line_bytes);
            if (!made) return rows.fail(made.error());
            data = std::move(*made);
        }
        const auto samples = DeviceBuffer<std::int64_t>::make(rows.device(), 2 * lines);
        if (!samples) return rows.fail(samples.error());
        sim::Arguments arguments;
        arguments.add(samples->argument()).add(data->argument()).add(lines);
        if (auto done = rows.stopwatch().run("micro_l1_capacity", 1, 1, arguments, Bytes{shared * kib}); !done)
            return rows.fail(done.error());
        const auto latencies = samples->read();
        if (!latencies) return rows.fail(latencies.error());
        // The line loaded last is surely there; one from L2 takes several times as long.
        const std::int64_t hit = (*latencies)[lines];
        const auto hits = std::count_if(latencies->begin() + lines, latencies->end(),
                                        [&](std::int64_t latency) { return latency < 2 * hit; });
        rows.add(name, parameter, static_cast<double>(hits) * kernel_line_bytes, "bytes");
    }
}

void measure_l2_latency(Collector& rows) {
    constexpr std::uint32_t lines = 128;
    constexpr std::uint64_t footprint = 8 * mib;
    constexpr std::array<Share, 4> shares{{{"mean", -1}, {"p5", 5}, {"p50", 50}, {"p95", 95}}};
    const std::string name = "load l2";
    const std::string each = fmt::format("sms=all lines={}", lines);
    const std::string by_sm = each + " by_sm";
    const std::string halves = each + " farther half less nearer half of SMs";
    if (!wants_any(rows, name, each, shares) && !wants_any(rows, name, by_sm, shares) && !rows.wants(name, halves))
        return;

    // Every SM loads the same lines, each beginning with another one, lest they meet at one slice.
    Pattern pattern{.blocks = rows.device().sm_count(), .count = lines, .passes = 2};
    Random random(1);
    std::vector<std::uint32_t> chosen;
    for (std::uint32_t i = 0; i < lines; ++i)
        chosen.push_back(static_cast<std::uint32_t>(random.below(footprint / kernel_line_bytes)));
    for (std::uint32_t block = 0; block < pattern.blocks; ++block)
        for (std::uint32_t i = 0; i < lines; ++i)
            for (std::uint32_t lane = 0; lane < lanes; ++lane)
                pattern.lines.push_back(lane == 0 ? chosen[(i + block) % lines] : no_line);

    const auto data = DeviceBuffer<std::uint8_t>::make(rows.device(), footprint);
    if (!data) return rows.fail(data.error());
    std::array<std::vector<double>, 3> runs;
    for (std::vector<double>& run : runs) {
        auto sampled = sample(rows, data->argument(), pattern);
        if (!sampled) return rows.fail(sampled.error());
        run = std::move(*sampled);
    }
    std::vector<double> all;
    std::vector<double> means;
    std::vector<std::vector<double>> by_line(lines);
    for (std::uint32_t block = 0; block < pattern.blocks; ++block) {
        std::vector<double> mine;
        for (std::uint32_t i = 0; i < lines; ++i) {
            const std::size_t at = std::size_t{block} * lines + i;
            mine.push_back(percentile({runs[0][at], runs[1][at], runs[2][at]}, 50));
            by_line[(i + block) % lines].push_back(mine.back());
        }
        means.push_back(mean(mine));
        all.insert(all.end(), mine.begin(), mine.end());
    }
    add_shares(rows, name, each, shares, all);
    add_shares(rows, name, by_sm, shares, means);
    rows.add(name, halves, half_gap(by_line), "cycles");
}

void measure_cold_loads(Collector& rows) {
    constexpr std::uint64_t footprint = 64 * mib;
    constexpr std::uint64_t far = 128 * kib;
    constexpr std::array<Share, 5> all_shares{{{"mean", -1}, {"p5", 5}, {"p50", 50}, {"p95", 95}, {"p99", 99}}};
    struct Case {
        std::uint32_t lines;
        std::uint64_t spacing;  ///< bytes from lane to lane; 0: random
        std::size_t shares;     ///< how many of all_shares
    };
    constexpr std::array<Case, 13> cases{{{1, far, 5},
                                          {2, far, 1},
                                          {4, far, 1},
                                          {8, far, 1},
                                          {16, far, 1},
                                          {32, far, 5},
                                          {32, 128, 3},
                                          {32, 256, 1},
                                          {32, 512, 1},
                                          {32, 1 * kib, 1},
                                          {32, 2 * kib, 1},
                                          {32, 8 * kib, 1},
                                          {32, 0, 5}}};
    std::optional<DeviceBuffer<std::uint8_t>> data;
    Random random(2);
    for (const auto& [lines, spacing, share_count] : cases) {
        const std::string name = "load cold";
        const std::string parameter =
            spacing == 0 ? fmt::format("lines={} random", lines) : fmt::format("lines={} spacing={}", lines, spacing);
        const auto shares = std::span(all_shares).first(share_count);
        if (!wants_any(rows, name, parameter, shares)) continue;
        if (!data) {
            auto made = DeviceBuffer<std::uint8_t>::make(rows.device(), footprint);
            if (!made) return rows.fail(made.error());
            data = std::move(*made);
        }
        std::vector<double> all;
        for (int run = 0; run < 3; ++run) {
            const auto samples = sample(rows, data->argument(), cold_pattern(lines, spacing, footprint, random));
            if (!samples) return rows.fail(samples.error());
            all.insert(all.end(), samples->begin(), samples->end());
        }
        add_shares(rows, name, parameter, shares, all);
    }
}

}  // namespace sassafras::workloads::micro
