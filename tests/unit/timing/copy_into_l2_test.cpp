// What L2 has of what the host copies between two launches.
#include <catch2/catch.hpp>

#include "tests/unit/timing/memory_requests.hpp"

using namespace sassafras;
using namespace sassafras::sim;

namespace {

constexpr std::uint64_t bytes_of_line = 128;
constexpr std::uint64_t passage = 100;

Platform with_two_partitions() {
    Platform platform = sim::test::even_platform();
    platform.l2.partitions = 2;
    platform.l2.far_latency_cycles = passage;
    return platform;
}

/// Latency of a hit in the SM's own partition: the second load of a line.
std::uint64_t own_hit(const Platform& platform) {
    sim::test::Memory memory(platform);
    memory.load(1000, 5);
    return memory.load(10'000, 5);
}

void begin_warm_launch(sim::test::Memory& memory) { memory.system.begin_launch(false); }

}  // namespace

TEST_CASE("what was copied is in L2 where its memory is, and in no other partition") {
    const Platform platform = with_two_partitions();
    const std::uint64_t hit = own_hit(platform);
    int of_own = 0;
    constexpr std::uint64_t lines = 128;
    for (const bool loaded_before : {false, true}) {
        sim::test::Memory memory(platform);
        if (loaded_before)
            for (std::uint64_t line = 0; line < lines; ++line) {
                memory.load(1000 * (line + 1), line);
                memory.load(1000 * (line + 1) + 500, line, 0b1111, sim::test::across);
            }
        memory.system.copy_in(0, lines * bytes_of_line);
        begin_warm_launch(memory);
        for (std::uint64_t line = 0; line < lines; ++line) {
            const std::uint64_t time = 10'000 * (line + 1);
            const std::uint64_t first = memory.load(time, line);
            const bool is_own = first == hit;
            of_own += is_own ? 1 : 0;
            CHECK(first == (is_own ? hit : hit + passage));
            CHECK(memory.load(time + 2000, line, 0b1111, sim::test::across) == (is_own ? hit + passage : hit));
            CHECK(memory.load(time + 4000, line) == hit);
        }
        CHECK(memory.system.counters()["dram__bytes_read.sum"_metric] == 0);
    }
    CHECK(of_own > 0);
    CHECK(of_own < 2 * static_cast<int>(lines));
}

TEST_CASE("only the sectors that a copy writes are there") {
    sim::test::Memory memory(with_two_partitions());
    memory.system.copy_in(5 * bytes_of_line + 40, 30);  // of sectors 1 and 2
    begin_warm_launch(memory);
    memory.load(1000, 5, 0b0110);
    CHECK(memory.system.counters()["dram__bytes_read.sum"_metric] == 0);
    memory.load(10'000, 5, 0b1000);
    CHECK(memory.system.counters()["dram__bytes_read.sum"_metric] != 0);
}

TEST_CASE("a copy takes nothing that it does not write from a partition") {
    const Platform platform = with_two_partitions();
    sim::test::Memory memory(platform);
    memory.load(1000, 5, 0b1111);
    memory.load(5000, 5, 0b1111, sim::test::across);
    memory.system.copy_in(5 * bytes_of_line, 32);
    begin_warm_launch(memory);
    const std::uint64_t hit = own_hit(platform);
    CHECK(memory.load(1000, 5, 0b1110) == hit);
    CHECK(memory.load(10'000, 5, 0b1110, sim::test::across) == hit);
}

TEST_CASE("a copy of more than L2 holds leaves its end, and nothing of what was there") {
    const Platform platform = with_two_partitions();
    const std::uint64_t begin = 1000 * bytes_of_line;
    const std::uint64_t lines = 3 * platform.l2.bytes / bytes_of_line;
    sim::test::Memory memory(platform);
    memory.load(1000, 5);
    memory.system.copy_in(begin, lines * bytes_of_line);
    begin_warm_launch(memory);
    const auto read_from_dram = [&](std::uint64_t line) {
        const std::uint64_t before = memory.system.counters()["dram__bytes_read.sum"_metric];
        memory.load(1000 * (line + 1), line);
        return memory.system.counters()["dram__bytes_read.sum"_metric] - before;
    };
    CHECK(read_from_dram(5) != 0);
    CHECK(read_from_dram(1000) != 0);
    CHECK(read_from_dram(1000 + lines - 1) == 0);
}

TEST_CASE("a copy of nothing changes nothing") {
    sim::test::Memory memory(with_two_partitions());
    memory.load(1000, 5);
    memory.system.copy_in(5 * bytes_of_line, 0);
    begin_warm_launch(memory);
    memory.load(1000, 5);
    CHECK(memory.system.counters()["dram__bytes_read.sum"_metric] == 0);
}
