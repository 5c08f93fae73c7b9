// L2 and DRAM: latencies of single requests, bandwidth of many, and the lookahead on which parallel simulation rests.
#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <set>

#include "core/random.hpp"
#include "tests/unit/timing/memory_requests.hpp"

using namespace sassafras;
using namespace sassafras::sim;
using namespace sassafras::sim::test;

TEST_CASE("a hit takes the L2 hit latency less L1's part; a miss adds DRAM's") {
    const Platform platform = even_platform();
    const std::uint64_t hit = platform.l2.hit_latency_cycles - platform.lsu.l1_hit_latency_cycles;
    Memory memory(platform);
    CHECK(memory.system.lookahead() == hit);
    const std::uint64_t miss = memory.load(1000, 5, 0b0001);
    CHECK(miss >= hit + platform.dram.latency_cycles);
    CHECK(miss <= hit + platform.dram.latency_cycles + 10);  // and the transfer of 64 bytes on one channel
    CHECK(memory.load(10000, 5, 0b0001) == hit);
    CHECK(memory.load(20000, 5, 0b0010) == hit);  // came with it: DRAM gives 64 bytes
    CHECK(memory.load(30000, 5, 0b0100) == miss);
    CHECK(memory.system.counters()["dram__bytes_read.sum"_metric] == 128);
    CHECK(memory.system.counters()["lts__t_sectors_op_read.sum"_metric] == 4);
    CHECK(memory.system.counters()["lts__t_sectors_op_read_lookup_hit.sum"_metric] == 2);
}

TEST_CASE("a request for sectors on their way waits for them, without another read") {
    const Platform platform = even_platform();
    Memory memory(platform);
    const std::uint64_t miss = memory.load(1000, 5);
    const std::uint64_t later = memory.load(1100, 5, 0b1111, 1);
    CHECK(later <= miss - 100 + 1);
    CHECK(later >= miss - 100 - 1);
    CHECK(memory.system.counters()["dram__bytes_read.sum"_metric] == 128);
}

TEST_CASE("a partition passes on what is the other's, and keeps a copy of it until someone writes") {
    Platform platform = even_platform();
    platform.l2.partitions = 2;
    platform.l2.far_latency_cycles = 100;
    const std::uint64_t hit = platform.l2.hit_latency_cycles - platform.lsu.l1_hit_latency_cycles;
    const std::uint64_t granule_lines = platform.l2.partition_granule_bytes / platform.lsu.l1_line_bytes;
    Memory memory(platform);
    std::vector<bool> far_of_0;
    for (std::uint64_t line = 0; line < 64 * granule_lines; ++line) {
        const std::uint64_t time = 1000 + line * 100'000;
        const std::uint64_t cold = memory.load(time, line, 0b1111, 0);
        const bool far = cold > hit + platform.dram.latency_cycles + 50;
        if (line % granule_lines == 0) far_of_0.push_back(far);
        CHECK(far == far_of_0.back());  // a granule is one partition's: far from 0, it is the other SM's own
        CHECK(memory.load(time + 10'000, line, 0b1111, 0) == hit);
        CHECK(memory.load(time + 20'000, line, 0b1111, across) == hit + (far ? 0 : 100));
        CHECK(memory.load(time + 30'000, line, 0b1111, across) == hit);
        // Whoever writes has the line; the other partition's copy is old, unless the line is its own.
        memory.store(time + 40'000, line, 0b1111, 0);
        CHECK(memory.load(time + 50'000, line, 0b1111, 0) == hit);
        CHECK(memory.load(time + 60'000, line, 0b1111, across) == hit + (far ? 0 : 100));
    }
    CHECK(std::count(far_of_0.begin(), far_of_0.end(), true) == 32);
    CHECK(memory.system.counters()["dram__bytes_read.sum"_metric] == 64 * platform.l2.partition_granule_bytes);
}

TEST_CASE("atomics are done in the partition whose memory it is, and make copies old") {
    Platform platform = even_platform();
    platform.l2.partitions = 2;
    platform.l2.far_latency_cycles = 100;
    const std::uint64_t hit = platform.l2.hit_latency_cycles - platform.lsu.l1_hit_latency_cycles;
    const auto busy = static_cast<std::uint64_t>(platform.l2.atomic_interval_cycles);
    Memory memory(platform);
    for (const std::uint64_t line : {std::uint64_t{0}, std::uint64_t{platform.l2.partition_granule_bytes} / 128}) {
        const std::uint64_t time = 1000 + line * 100'000;
        memory.load(time, line, 0b1111, 0);
        memory.load(time + 10'000, line, 0b1111, across);
        const std::uint64_t from_0 = memory.load(time + 20'000, line, 0b0001, 0, RequestKind::atomic);
        const std::uint64_t from_1 = memory.load(time + 30'000, line, 0b0001, across, RequestKind::atomic);
        CHECK(from_0 + from_1 == 2 * (hit + busy) + 100);
        const bool far_of_0 = from_0 > from_1;
        CHECK(memory.load(time + 40'000, line, 0b0001, far_of_0 ? std::uint16_t{0} : across) == hit + 100);
        CHECK(memory.load(time + 50'000, line, 0b0001, far_of_0 ? across : std::uint16_t{0}) == hit);
    }
}

TEST_CASE("a slice does the sectors of updates one after the other, whole ones at their own rate") {
    Platform platform = even_platform();
    platform.l2.slices = 1;
    platform.l2.atomic_interval_cycles = 3;
    platform.l2.atomic_sector_cycles = 2;
    const auto took = [&](const LineUpdates& updates, std::uint64_t line) {
        Memory memory(platform);
        memory.load(0, 5, 0b1111, 0);
        memory.load(0, 6, 0b1111, 0);
        std::vector<MemoryRequest> requests;
        for (std::uint32_t i = 0; i < 2; ++i)
            requests.push_back({.time = 10'000,
                                .line = i == 0 ? 5 : line,
                                .sectors = 0b1111,
                                .token = i,
                                .kind = RequestKind::atomic,
                                .updates = updates});
        memory.responses[0].clear();
        memory.system.process(requests, memory.responses);
        return memory.responses[0].back().time - memory.responses[0].front().time;
    };
    // As reductions.csv: what a slice needs for sectors of one word, one line or many is the same.
    for (const std::uint64_t line : {std::uint64_t{5}, std::uint64_t{6}}) {
        CHECK(took({.requests = 1, .whole_sectors = 4}, line) == 8);
        CHECK(took({.requests = 32, .partial_sectors = 32}, line) == 96);
        CHECK(took({.requests = 3, .whole_sectors = 5, .partial_sectors = 2}, line) == 16);
    }
}

TEST_CASE("who waits for DRAM's data does not hold up updates of other lines") {
    Platform platform = even_platform();
    platform.l2.slices = 1;
    Memory memory(platform);
    memory.load(0, 6, 0b1111, 0);
    const std::uint64_t alone = memory.load(10'000, 6, 0b0001, 0, RequestKind::atomic);
    memory.responses[0].clear();
    const LineUpdates one{.partial_sectors = 1};
    memory.system.process({{.time = 20'000, .line = 77, .sectors = 1, .kind = RequestKind::atomic, .updates = one},
                           {.time = 20'001, .line = 6, .sectors = 1, .kind = RequestKind::atomic, .updates = one}},
                          memory.responses);
    CHECK(memory.responses[0].back().time <= 20'001 + alone + 2);
    CHECK(memory.responses[0].front().time > memory.responses[0].back().time);
}

TEST_CASE("stored sectors are hits, and go to DRAM when their line is evicted") {
    Platform platform = even_platform();
    platform.l2.slices = 1;
    platform.l2.ways = 4;
    platform.l2.bytes = 4 * 128;
    Memory memory(platform);
    memory.store(100, 1, 0b0011);
    CHECK(memory.load(5000, 1, 0b0011) == platform.l2.hit_latency_cycles - platform.lsu.l1_hit_latency_cycles);
    CHECK(memory.system.counters()["lts__t_sectors_op_write.sum"_metric] == 2);
    CHECK(memory.system.counters()["dram__bytes_write.sum"_metric] == 0);
    CHECK(memory.system.drained() >= 100);
    for (std::uint64_t line = 10; line < 14; ++line) memory.load(10000 * line, line);
    CHECK(memory.system.counters()["dram__bytes_write.sum"_metric] == 64);
    CHECK(memory.load(900000, 1, 0b0001) > platform.dram.latency_cycles);
}

TEST_CASE("a store's place is free a round trip later, or when its slice has come to it") {
    Platform platform = even_platform();
    platform.l2.slices = 1;
    const std::uint64_t trip = platform.l2.hit_latency_cycles - platform.lsu.l1_hit_latency_cycles;
    const auto second_waits = [&](std::uint32_t sectors, bool partial) {
        Memory memory(platform);
        CHECK(memory.store(100, 1, sectors, 0, partial) == 100 + trip);
        return memory.store(100, 2, sectors, 1) - 100 - trip;
    };
    const L2Parameters& l2 = platform.l2;
    const auto slice_cycles = [&](std::uint32_t bytes) { return bytes / l2.slice_bytes_per_cycle; };
    CHECK(second_waits(0b0001, false) == slice_cycles(l2.slice_write_request_bytes + l2.slice_write_sector_bytes));
    CHECK(second_waits(0b1111, false) == slice_cycles(l2.slice_write_request_bytes + 4 * l2.slice_write_sector_bytes));
    platform.l2.slice_write_partial_bytes = 110;
    CHECK(second_waits(0b1111, true) ==
          slice_cycles(l2.slice_write_request_bytes + 4 * l2.slice_write_sector_bytes + 110));
}

TEST_CASE("a store takes the slice that it comes to, not its line's") {
    Platform platform = even_platform();
    platform.l2.partitions = platform.l2.slices = 2;
    const std::uint64_t done = 100 + platform.l2.hit_latency_cycles - platform.lsu.l1_hit_latency_cycles;
    Memory memory(platform);
    CHECK(memory.store(100, 0, 0b1111, 0) == done);
    CHECK(memory.store(100, 0, 0b1111, across) == done);
    CHECK(memory.store(100, 0, 0b1111, 2) > done);
}

TEST_CASE("neighbouring lines lie in all slices alike") {
    Platform platform = even_platform();
    platform.l2.slices = 10;
    Memory memory(platform);
    std::vector<MemoryRequest> requests;
    for (std::uint64_t line = 0; line < 1000; ++line)
        requests.push_back({.line = line, .sectors = 0b1111, .sm = static_cast<std::uint16_t>(line % 132)});
    memory.system.process(requests, memory.responses);
    for (auto& list : memory.responses) list.clear();
    for (MemoryRequest& request : requests) request.time = 1'000'000;
    memory.system.process(requests, memory.responses);
    std::uint64_t last = 0;
    for (const auto& list : memory.responses)
        for (const MemoryResponse& response : list) last = std::max(last, response.time);
    const std::uint64_t trip = platform.l2.hit_latency_cycles - platform.lsu.l1_hit_latency_cycles;
    CHECK(last == 1'000'000 + trip + 99 * 128 / platform.l2.slice_bytes_per_cycle);
}

TEST_CASE("a refreshed bank keeps its share of the reads waiting, evenly up to the refresh's end") {
    Platform platform = even_platform();
    platform.dram.refresh_interval_cycles = 4000;
    platform.dram.refresh_cycles = 1000;
    Memory memory(platform);
    const std::uint64_t soonest =
        platform.l2.hit_latency_cycles - platform.lsu.l1_hit_latency_cycles + platform.dram.latency_cycles;
    const std::uint64_t row_lines = platform.dram.row_region_bytes / platform.lsu.l1_line_bytes;
    constexpr std::size_t reads = 4000;
    std::array<std::size_t, 4> late{};  // by quarters of a refresh
    for (std::uint64_t i = 0; i < reads; ++i) {
        const std::uint64_t took = memory.load(10'000'000 + i * 10'007, i * row_lines) - soonest;
        REQUIRE(took <= 1000 + 10);
        if (took > 10) ++late[std::min<std::size_t>(3, (took - 1) / 250)];
    }
    // A quarter of all, a sixteenth in each: 250 of 4,000, give or take four deviations of a binomial.
    for (const std::size_t count : late) CHECK(count == Approx(reads / 16).margin(62));
    platform.dram.refresh_interval_cycles = 0;
    Memory without(platform);
    for (std::uint64_t i = 0; i < 100; ++i) CHECK(without.load(10'000'000 + i * 10'007, i * row_lines) <= soonest + 10);
}

TEST_CASE("what shares a row is refreshed at the same time; the rows that take turns over a region are not") {
    Platform platform = even_platform();
    platform.dram.refresh_interval_cycles = 1'000'000;
    platform.dram.refresh_cycles = 1'000'000;  // at all times: what a read waits is its bank's phase
    platform.dram.interleaved_rows = 4;
    Memory memory(platform);
    const std::uint64_t granules = platform.dram.row_region_bytes / platform.dram.row_interleave_bytes;
    const std::uint64_t lines = platform.dram.row_interleave_bytes / platform.lsu.l1_line_bytes;
    std::set<std::uint64_t> latencies;
    for (std::uint64_t granule = 0; granule < granules; ++granule) {
        latencies.insert(memory.load(10'000'000 * (granule + 1), granule * lines));
        // The first four granules lie in four rows, so that neighbours do not share a slow one.
        if (granule == 3) CHECK(latencies.size() == 4);
    }
    CHECK(latencies.size() == 4);
}

TEST_CASE("bytes that are written back take the channel for longer, as the efficiency of writes says") {
    Platform platform = even_platform();
    platform.l2.slices = 1;
    platform.l2.ways = 1;
    platform.l2.bytes = 128;
    platform.dram.channels = 1;
    platform.dram.efficiency = 0.8;
    const auto second_read = [&](double write_efficiency) {
        platform.dram.write_efficiency = write_efficiency;
        Memory memory(platform);
        memory.store(100, 1, 0b1111);
        return memory.load(5000, 2);  // line 1 leaves first
    };
    const double bytes_per_cycle = platform.dram.bandwidth_gb_per_s * 1e3 / platform.clock.sm_mhz;
    const auto extra = static_cast<double>(second_read(0.2) - second_read(0.8));
    CHECK(extra == Approx(128 / bytes_per_cycle * (1 / 0.2 - 1 / 0.8)).margin(1));
}

TEST_CASE("a cold launch starts with an empty L2") {
    const Platform platform = even_platform();
    Memory memory(platform);
    const std::uint64_t first = memory.load(1000, 5);
    memory.system.begin_launch(true);
    CHECK(memory.load(1000, 5) == first);
    CHECK(memory.system.counters()["lts__t_sectors_op_read.sum"_metric] == 4);
    CHECK(memory.system.counters()["lts__t_sectors_op_read_lookup_hit.sum"_metric] == 0);
}

TEST_CASE("a warm launch finds what the launch before left, at once") {
    const Platform platform = even_platform();
    Memory memory(platform);
    memory.load(1000, 5);
    memory.system.begin_launch(false);
    CHECK(memory.load(1000, 5) < platform.l2.hit_latency_cycles);
}

TEST_CASE("many sectors come no faster than DRAM's bandwidth, and not much slower") {
    Platform platform = even_platform();
    for (const double bandwidth : {1200.0, 2400.0, 4800.0}) {
        platform.dram.bandwidth_gb_per_s = bandwidth;
        Memory memory(platform);
        constexpr std::uint64_t lines = 40000;
        std::vector<MemoryRequest> requests;
        for (std::uint64_t line = 0; line < lines; ++line)
            requests.push_back({.time = 0,
                                .line = line,
                                .sectors = 0b1111,
                                .sm = static_cast<std::uint16_t>(line % platform.gpu.sm_count)});
        memory.system.process(requests, memory.responses);
        std::uint64_t last = 0;
        for (const auto& list : memory.responses)
            for (const MemoryResponse& response : list) last = std::max(last, response.time);
        const double bytes_per_cycle = bandwidth * 1e3 * platform.dram.efficiency / platform.clock.sm_mhz;
        const double least = static_cast<double>(lines) * 128 / bytes_per_cycle;
        CAPTURE(bandwidth, last, least);
        CHECK(static_cast<double>(last) >= least);
        CHECK(static_cast<double>(last) <= 1.1 * least + platform.l2.hit_latency_cycles + platform.dram.latency_cycles);
        CHECK(memory.system.counters()["dram__bytes_read.sum"_metric] == lines * 128);
    }
}

TEST_CASE("no answer comes before the lookahead, whatever is asked", "[property]") {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        CAPTURE(seed);
        Random random(seed);
        const Platform platform = test::fixture_platform();  // with distances
        Memory memory(platform);
        std::uint64_t time = 0;
        std::size_t expected = 0;
        std::size_t received = 0;
        for (int batch = 0; batch < 20; ++batch) {
            std::vector<MemoryRequest> requests;
            std::vector<std::uint64_t> sent;
            for (std::uint32_t i = 0; i < 200; ++i) {
                time += random.below(5);
                const auto kind = static_cast<RequestKind>(random.below(4));
                requests.push_back({.time = time,
                                    .line = random.below(3000),
                                    .sectors = static_cast<std::uint32_t>(1 + random.below(15)),
                                    .token = i,
                                    .sm = static_cast<std::uint16_t>(random.below(platform.gpu.sm_count)),
                                    .kind = kind,
                                    .updates = {.partial_sectors = static_cast<std::uint8_t>(1 + random.below(32))}});
                sent.push_back(time);
                expected += kind == RequestKind::load || kind == RequestKind::atomic ? 1U : 0U;
            }
            for (auto& list : memory.responses) list.clear();
            memory.system.process(requests, memory.responses);
            for (const auto& list : memory.responses)
                for (const MemoryResponse& response : list) {
                    REQUIRE(response.time >= sent[response.token] + memory.system.lookahead());
                    ++received;
                }
        }
        CHECK(received == expected);
    }
}
