#include <algorithm>
#include <array>
#include <span>

#include <fmt/format.h>

#include "workloads/device_buffer.hpp"
#include "workloads/micro/percentile.hpp"
#include "workloads/micro/probes.hpp"

namespace sassafras::workloads::micro {
namespace {

constexpr std::uint32_t stream_threads = 512;
constexpr std::uint64_t vector_bytes = 16;
constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20U;

struct BlockSegment {
    std::int64_t begin = 0;  ///< clock
    std::int64_t end = 0;
    std::int64_t begin_nanoseconds = 0;
    std::int64_t end_nanoseconds = 0;
};

/// What all blocks did in one segment.
struct Segment {
    double quickest = 0;  ///< cycles
    double slowest = 0;
    double nanoseconds = 0;  ///< from the first block's begin to the last one's end
};

struct Stream {
    std::uint64_t bytes;  ///< of a segment
    std::uint32_t blocks_per_sm;
    bool again;  ///< all segments are the same memory
    std::uint32_t segments;
    std::uint32_t writes;  ///< bit s: segment s is written
};

Segment summary(std::span<const BlockSegment> blocks) {
    std::vector<double> cycles;
    std::int64_t first_nanoseconds = blocks.front().begin_nanoseconds;
    std::int64_t last_nanoseconds = blocks.front().end_nanoseconds;
    for (const BlockSegment& block : blocks) {
        cycles.push_back(static_cast<double>(block.end - block.begin));
        first_nanoseconds = std::min(first_nanoseconds, block.begin_nanoseconds);
        last_nanoseconds = std::max(last_nanoseconds, block.end_nanoseconds);
    }
    const auto [quickest, slowest] = std::minmax_element(cycles.begin(), cycles.end());
    return {*quickest, *slowest, static_cast<double>(last_nanoseconds - first_nanoseconds)};
}

Result<std::vector<Segment>> once(Collector& rows, const Stream& stream, std::uint64_t data) {
    const std::uint32_t blocks = stream.blocks_per_sm * rows.device().sm_count();
    const auto times = DeviceBuffer<BlockSegment>::make(rows.device(), std::size_t{blocks} * stream.segments);
    if (!times) return times.error();
    const std::array<std::uint32_t, 1> zero{};
    const auto arrived = DeviceBuffer<std::uint32_t>::from(rows.device(), std::span(zero));
    if (!arrived) return arrived.error();
    const auto count = static_cast<std::uint32_t>(stream.bytes / vector_bytes);
    sim::Arguments arguments;
    arguments.add(times->argument()).add(data).add(count).add(stream.again ? 0U : count).add(stream.segments);
    arguments.add(stream.writes).add(std::uint32_t{0}).add(arrived->argument());
    if (auto done = rows.stopwatch().run("micro_stream", blocks, stream_threads, arguments); !done) return done.error();
    const auto read = times->read();
    if (!read) return read.error();
    std::vector<Segment> segments;
    for (std::uint32_t s = 0; s < stream.segments; ++s)
        segments.push_back(summary(std::span(*read).subspan(std::size_t{blocks} * s, blocks)));
    return segments;
}

/// Small ones are the medians of three launches; large ones, which a slow block does not change much, are measured
/// once.
Result<std::vector<Segment>> measure(Collector& rows, const Stream& stream) {
    constexpr std::uint64_t repeated_below = 16 * mebibyte;
    const std::uint64_t footprint = stream.bytes * (stream.again ? 1 : std::uint64_t{stream.segments});
    const auto data = DeviceBuffer<std::uint8_t>::make(rows.device(), footprint);
    if (!data) return data.error();
    std::vector<std::vector<Segment>> runs;
    for (int run = 0; run < (stream.bytes < repeated_below ? 3 : 1); ++run) {
        auto segments = once(rows, stream, data->argument());
        if (!segments) return segments.error();
        runs.push_back(std::move(*segments));
    }
    std::vector<Segment> medians(runs.front().size());
    for (std::size_t s = 0; s < medians.size(); ++s)
        for (const auto member : {&Segment::quickest, &Segment::slowest, &Segment::nanoseconds}) {
            std::vector<double> values;
            for (const auto& segments : runs) values.push_back(segments[s].*member);
            medians[s].*member = percentile(values, 50);
        }
    return medians;
}

/// The rows of one stream; what each is called tells in which state the segment before left the caches.
void add_stream(Collector& rows, const Stream& stream, bool takes_long) {
    const std::string name = "stream";
    const std::string parameter = fmt::format("bytes={} blocks_per_sm={}", stream.bytes, stream.blocks_per_sm);
    const std::string kind = stream.again ? "again" : "on";
    struct Row {
        std::string parameter;
        std::size_t segment;
        double Segment::*member;  ///< null: bytes a cycle of the slowest block
        const char* unit;
    };
    std::vector<Row> wanted;
    const auto want = [&](const std::string& what, std::uint32_t segment, double Segment::*member, const char* unit) {
        const std::string full = parameter + " " + kind + " " + what;
        if (takes_long ? rows.wants_long(name, full) : rows.wants(name, full))
            wanted.push_back({full, segment, member, unit});
    };
    for (std::uint32_t s = 0; s < stream.segments; ++s) {
        const bool written = (stream.writes >> s & 1U) != 0;
        want(fmt::format("segment={} {}", s, written ? "write" : "read"), s, nullptr, "bytes/cycle");
    }
    if (stream.blocks_per_sm == 4) {
        const std::uint32_t last = stream.segments - 1;
        want("segment=0 quickest block", 0, &Segment::quickest, "cycles");
        want("segment=0 slowest block", 0, &Segment::slowest, "cycles");
        want("segment=0 by_timer", 0, &Segment::nanoseconds, "ns");
        if (last != 0) {
            want(fmt::format("segment={} quickest block", last), last, &Segment::quickest, "cycles");
            want(fmt::format("segment={} slowest block", last), last, &Segment::slowest, "cycles");
            want(fmt::format("segment={} by_timer", last), last, &Segment::nanoseconds, "ns");
        }
    }
    if (wanted.empty()) return;
    const auto segments = measure(rows, stream);
    if (!segments) return rows.fail(segments.error());
    for (const Row& row : wanted) {
        const Segment& segment = (*segments)[row.segment];
        const double rate = segment.slowest > 0 ? static_cast<double>(stream.bytes) / segment.slowest : 0;
        rows.add(name, row.parameter, row.member == nullptr ? rate : segment.*row.member, row.unit);
    }
}

}  // namespace

void measure_streams(Collector& rows) {
    // From L2, after a first segment that fills it.
    for (const std::uint64_t size : {1U, 4U, 16U}) add_stream(rows, {size * mebibyte, 4, true, 3, 0}, false);
    for (const std::uint32_t blocks : {1U, 2U}) add_stream(rows, {4 * mebibyte, blocks, true, 3, 0}, false);
    // From DRAM: segments of new memory. The fourth of the largest is written, so that the fifth finds L2 full of lines
    // that have to be written back; before the first a real device may have been left so too.
    for (const std::uint64_t size : {4U, 16U}) add_stream(rows, {size * mebibyte, 4, false, 3, 0}, false);
    for (const std::uint32_t blocks : {1U, 2U}) add_stream(rows, {64 * mebibyte, blocks, false, 2, 0}, false);
    add_stream(rows, {64 * mebibyte, 4, false, 6, 0b001000}, false);
    add_stream(rows, {256 * mebibyte, 4, false, 2, 0}, true);
    add_stream(rows, {1024 * mebibyte, 4, false, 1, 0}, true);
}

}  // namespace sassafras::workloads::micro
