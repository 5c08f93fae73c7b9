// What L2 does with lines that were written: DRAM takes sectors, and a slice keeps so many.
#include <catch2/catch.hpp>

#include "tests/unit/timing/memory_requests.hpp"

using namespace sassafras;
using namespace sassafras::sim;
using namespace sassafras::sim::test;

namespace {

Platform one_slice() {
    Platform platform = even_platform();
    platform.l2.slices = 1;
    platform.dram.channels = 1;
    return platform;
}

std::uint64_t read_from_dram(Memory& memory) { return memory.system.counters()["dram__bytes_read.sum"_metric]; }
std::uint64_t written_to_dram(Memory& memory) { return memory.system.counters()["dram__bytes_write.sum"_metric]; }

}  // namespace

TEST_CASE("who reads a sector that was written in part waits for the rest of it from DRAM") {
    Platform platform = one_slice();
    platform.l2.slice_partial_lines = 8;
    const std::uint64_t hit = platform.l2.hit_latency_cycles - platform.lsu.l1_hit_latency_cycles;
    for (const bool partial : {true, false}) {
        CAPTURE(partial);
        Memory memory(platform);
        memory.store(1000, 5, 0b0011, 0, partial, partial ? 8 : 64);
        CHECK((memory.load(10'000, 5, 0b0001) > hit + 100) == partial);
        CHECK(read_from_dram(memory) == (partial ? 64U : 0U));  // both sectors: DRAM gives 64 bytes
        CHECK(memory.load(20'000, 5, 0b0011) == hit);
        CHECK(written_to_dram(memory) == 0);
    }
    SECTION("an atomic too") {
        Memory memory(platform);
        memory.store(1000, 5, 0b0001, 0, true);
        CHECK(memory.load(10'000, 5, 0b0001, 0, RequestKind::atomic) > hit + 100);
        CHECK(read_from_dram(memory) == 64);
    }
    SECTION("not when it was written in full since, at once or bit by bit") {
        Memory memory(platform);
        memory.store(1000, 5, 0b0001, 0, true);
        memory.store(2000, 5, 0b0001);
        CHECK(memory.load(10'000, 5, 0b0001) == hit);
        for (std::uint64_t part = 0; part < 8; ++part) memory.store(20'000 + part, 6, 0b0001, 0, true);
        CHECK(memory.load(30'000, 6, 0b0001) == hit);
        CHECK(read_from_dram(memory) == 0);
    }
    SECTION("not when L2 had it whole before") {
        Memory memory(platform);
        memory.load(1000, 5, 0b0011);
        memory.store(10'000, 5, 0b0001, 0, true);
        CHECK(memory.load(20'000, 5, 0b0001) == hit);
        memory.store(30'000, 6, 0b0001);
        memory.store(40'000, 6, 0b0011, 0, true, 8);  // the second sector was not there
        CHECK(memory.load(50'000, 6, 0b0001) == hit);
        CHECK(read_from_dram(memory) == 64);
        CHECK(memory.load(60'000, 6, 0b0010) > hit + 100);
    }
    SECTION("not where DRAM takes bytes") {
        platform.l2.slice_partial_lines = 0;
        Memory memory(platform);
        memory.store(1000, 5, 0b0001, 0, true);
        CHECK(memory.load(10'000, 5, 0b0001) == hit);
    }
}

TEST_CASE("of lines that lack bytes beyond the limit the oldest has them read") {
    Platform platform = one_slice();
    platform.l2.slice_partial_lines = 2;
    Memory memory(platform);
    for (std::uint64_t line = 1; line <= 2; ++line) memory.store(1000 * line, line, 0b0101, 0, true);
    CHECK(read_from_dram(memory) == 0);
    memory.store(3000, 3, 0b0001, 0, true);
    CHECK(read_from_dram(memory) == 64);  // two sectors of line 1
    const std::uint64_t hit = platform.l2.hit_latency_cycles - platform.lsu.l1_hit_latency_cycles;
    CHECK(memory.load(10'000, 1, 0b0001) == hit);
    CHECK(memory.load(20'000, 2, 0b0001) > hit);
    CHECK(written_to_dram(memory) == 0);
}

TEST_CASE("lines that were many times dirty and clean do not pile up") {
    Platform platform = one_slice();
    platform.l2.slice_dirty_lines = 2;
    Memory memory(platform);
    for (std::uint64_t i = 0; i < 10'000; ++i) memory.store(1000 + 10 * i, 10 + i % 3, 0b0001);
    CHECK(written_to_dram(memory) > 100'000);
}

TEST_CASE("a line in part that has to go is read, and then written") {
    Platform platform = one_slice();
    platform.l2.slice_partial_lines = 100;
    platform.l2.slice_dirty_lines = 1;
    Memory memory(platform);
    memory.store(1000, 1, 0b0001, 0, true);
    memory.store(2000, 2, 0b1111);
    CHECK(read_from_dram(memory) == 32);
    CHECK(written_to_dram(memory) == 32);
}

TEST_CASE("a slice gives and takes at the same time; stores hold up what comes after them") {
    const Platform platform = one_slice();
    const std::uint64_t trip = platform.l2.hit_latency_cycles - platform.lsu.l1_hit_latency_cycles;
    Memory memory(platform);
    for (std::uint64_t line = 1; line <= 20; ++line) memory.load(1000 * line, line);
    // Loads do not hold up a store.
    for (std::uint64_t line = 1; line <= 20; ++line) memory.load(50'000, line);
    CHECK(memory.store(50'000, 1, 0b1111) == 50'000 + trip);
    // Stores hold up a load.
    for (std::uint64_t line = 1; line <= 20; ++line) memory.store(60'000, line, 0b1111);
    CHECK(memory.load(60'000, 1) > trip + 50);
    CHECK(memory.load(70'000, 1) == trip);
    // What DRAM brings holds up no load of what is there (hot_lines.cu), but a store.
    for (std::uint64_t line = 101; line <= 120; ++line) memory.load(80'000, line);
    const std::uint64_t behind_loads = memory.load(80'000, 1);
    const std::uint64_t stored = memory.store(80'000, 1, 0b1111) - 80'000;
    CHECK(stored > trip + 50);
    for (std::uint64_t line = 1; line <= 20; ++line) memory.load(100'000, line);
    CHECK(behind_loads == memory.load(100'000, 1));  // as behind as many loads of what is there
}

TEST_CASE("single sectors take a slice for a request each") {
    Platform platform = one_slice();
    platform.l2.slice_bytes_per_cycle = 64;
    for (const double least : {0.0, 3.0}) {
        platform.l2.slice_request_cycles = least;
        Memory memory(platform);
        for (std::uint64_t line = 1; line <= 20; ++line) memory.load(1000 * line, line);
        std::uint64_t last = 0;
        for (std::uint64_t line = 1; line <= 20; ++line) last = memory.load(50'000, line, 0b0001);
        const std::uint64_t trip = platform.l2.hit_latency_cycles - platform.lsu.l1_hit_latency_cycles;
        CHECK(last == trip + (least == 0 ? 19 / 2 : 19 * 3));
    }
}

TEST_CASE("a row that is not open costs a channel more, and halves of a channel have queues of their own") {
    Platform platform = one_slice();
    platform.dram.scheduler = DramSchedulers::named("activation_bound");
    platform.dram.row_span_bytes = 1024;
    platform.dram.t_rrd_ns = 0.001;
    platform.dram.row_miss_cycles = 50;
    platform.dram.efficiency = 1;
    platform.dram.bandwidth_gb_per_s = platform.clock.sm_mhz * 8 / 1e3;  // a line in 16 cycles
    const auto last_of = [&](std::uint64_t lines, std::uint64_t lines_apart) {
        Memory memory(platform);
        std::uint64_t last = 0;
        for (std::uint64_t i = 0; i < lines; ++i) last = std::max(last, memory.load(1000, i * lines_apart));
        return last;
    };
    const std::uint64_t along = last_of(8, 1);
    const std::uint64_t across = last_of(8, 8);
    CHECK(across - along >= 6 * 50);
    CHECK(across - along <= 7 * 50);
    const std::uint64_t many = last_of(128, 8);
    platform.dram.pseudo_channels = 2;
    CHECK(last_of(8, 1) > along);  // one row, in one of the halves
    // Each half moves half of the bytes a cycle, and opens its rows while the other does.
    CHECK(last_of(128, 8) < many - 20 * 50);
}
