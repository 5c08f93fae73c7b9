// Reads that go to L2 as one, and which SMs they may be of.
#include <catch2/catch.hpp>

#include <vector>

#include "sim/timing/memory/memory_system.hpp"
#include "tests/fixture_platform.hpp"

using namespace sassafras;
using namespace sassafras::sim;

namespace {

Platform coalescing_platform() {
    Platform platform = test::fixture_platform();
    platform.gpu.sm_count = 132;
    platform.gpu.gpc_sms = 16;
    platform.l2.slice_spread_cycles = 0;
    platform.l2.coalescing_cycles = 64;
    platform.l2.coalesced_requests = 4;
    platform.dram.refresh_interval_cycles = 0;
    return platform;
}

struct Wanted {
    std::uint16_t sm;
    std::uint64_t time;
    std::uint32_t sectors = 0b1111;
    std::uint64_t line = 7;
    RequestKind kind = RequestKind::load;
};

struct Answers {
    std::vector<std::uint64_t> took;  ///< cycles, in the order of the requests
    std::uint64_t sectors_read = 0;
};

/// What loads of a warm line take, and how many sectors L2 is asked for.
Answers ask(const Platform& platform, const std::vector<Wanted>& wanted) {
    MemorySystem memory(platform);
    memory.begin_launch(true);
    std::vector<std::vector<MemoryResponse>> responses(platform.gpu.sm_count);
    const auto process = [&](const std::vector<MemoryRequest>& requests) {
        for (auto& list : responses) list.clear();
        memory.process(requests, responses);
    };
    for (const std::uint16_t sm : {std::uint16_t{0}, std::uint16_t{20}})
        process({{.time = 1000, .line = 7, .sectors = 0b1111, .sm = sm}});
    const std::uint64_t before = memory.counters()["lts__t_sectors_op_read.sum"_metric];
    std::vector<MemoryRequest> requests;
    for (const Wanted& one : wanted)
        requests.push_back({.time = one.time,
                            .line = one.line,
                            .sectors = one.sectors,
                            .token = static_cast<std::uint32_t>(requests.size()),
                            .sm = one.sm,
                            .kind = one.kind,
                            .updates = {.partial_sectors = 1}});
    process(requests);
    Answers answers{.took = std::vector<std::uint64_t>(wanted.size()),
                    .sectors_read = memory.counters()["lts__t_sectors_op_read.sum"_metric] - before};
    for (const auto& list : responses)
        for (const MemoryResponse& response : list)
            answers.took[response.token] = response.time - requests[response.token].time;
    return answers;
}

}  // namespace

TEST_CASE("reads of the same sectors by SMs of a GPC become one, four at most, for 64 cycles") {
    const Platform platform = coalescing_platform();
    const std::uint64_t hit = platform.l2.hit_latency_cycles - platform.lsu.l1_hit_latency_cycles;
    constexpr std::uint64_t now = 50'000;
    CHECK(ask(platform, {{0, now}}).sectors_read == 4);
    CHECK(ask(platform, {{0, now}, {1, now}}).sectors_read == 4);
    CHECK(ask(platform, {{0, now}, {1, now + 63}}).sectors_read == 4);
    CHECK(ask(platform, {{0, now}, {1, now + 64}}).sectors_read == 8);
    CHECK(ask(platform, {{0, now}, {1, now}, {2, now}, {3, now}}).sectors_read == 4);
    CHECK(ask(platform, {{0, now}, {1, now}, {2, now}, {3, now}, {4, now}}).sectors_read == 8);
    // Not those of another GPC, nor other sectors of the line, nor other lines.
    CHECK(ask(platform, {{0, now}, {20, now}}).sectors_read == 8);
    CHECK(ask(platform, {{0, now, 0b0001}, {1, now, 0b0010}}).sectors_read == 2);
    CHECK(ask(platform, {{0, now, 0b1111}, {1, now, 0b0001}}).sectors_read == 5);
    CHECK(ask(platform, {{0, now}, {1, now, 0b1111, 8}}).sectors_read == 8);
    // An SM's own reads do not join, but what they miss others may.
    CHECK(ask(platform, {{0, now}, {0, now + 10}}).sectors_read == 8);
    CHECK(ask(platform, {{0, now}, {1, now + 10}, {0, now + 20}, {1, now + 30}}).sectors_read == 8);
    // Who joins is answered when it would be alone.
    const Answers joined = ask(platform, {{0, now}, {1, now + 40}});
    CHECK(joined.took == std::vector<std::uint64_t>{hit, hit});
    // Atomics do not join, nor does anything join them.
    CHECK(ask(platform, {{0, now, 1, 7, RequestKind::atomic}, {1, now, 1}}).sectors_read == 1);
}

TEST_CASE("a read that waits for its slice can be joined for as much longer") {
    Platform platform = coalescing_platform();
    platform.l2.slices = platform.l2.partitions;
    constexpr std::uint64_t now = 50'000;
    // 40 lines are before it at the slice, each for a little more than two cycles.
    std::vector<Wanted> wanted;
    for (std::uint64_t line = 100; line < 140; ++line) wanted.push_back({2, now, 0b1111, line});
    const auto read_behind = [&](std::uint64_t later) {
        auto all = wanted;
        all.push_back({0, now});
        const std::uint64_t alone = ask(platform, all).sectors_read;
        all.push_back({1, now + later});
        return ask(platform, all).sectors_read - alone;
    };
    CHECK(read_behind(64 + 80) == 0);
    CHECK(read_behind(64 + 120) == 4);
}

TEST_CASE("who joins a read that waits for DRAM waits with it") {
    const Platform platform = coalescing_platform();
    const Answers answers = ask(platform, {{0, 50'000, 0b1111, 9}, {1, 50'030, 0b1111, 9}});
    CHECK(answers.took[0] > platform.dram.latency_cycles);
    CHECK(answers.took[1] == answers.took[0] - 30);
}

TEST_CASE("no window: every SM asks for itself") {
    Platform platform = coalescing_platform();
    platform.l2.coalescing_cycles = 0;
    CHECK(ask(platform, {{0, 50'000}, {1, 50'000}}).sectors_read == 8);
}
