// What the SMs of a GPC read together is bound by its port, a share of it at each slice.
#include <catch2/catch.hpp>

#include <vector>

#include "sim/timing/memory/memory_system.hpp"
#include "tests/fixture_platform.hpp"

using namespace sassafras::sim;

namespace {

constexpr std::uint64_t now = 100'000;

/// One slice, so that it has all of the port: a line of 128 bytes takes it 16 cycles.
Platform narrow_port() {
    Platform platform = test::fixture_platform();
    platform.gpu.sm_count = 132;
    platform.gpu.gpc_sms = 16;
    platform.l2.partitions = 1;
    platform.l2.slices = 1;
    platform.l2.slice_spread_cycles = 0;
    platform.l2.far_latency_cycles = 0;
    platform.l2.slice_bytes_per_cycle = 128;
    platform.l2.slice_request_cycles = 0;
    platform.l2.coalescing_cycles = 0;
    platform.l2.gpc_bytes_per_cycle = 8;
    platform.dram.refresh_interval_cycles = 0;
    return platform;
}

/// Cycles that each of loads of warm lines takes that SMs send at once, `loads` of each.
std::vector<std::uint64_t> take(const Platform& platform, const std::vector<std::uint16_t>& sms, std::uint64_t loads,
                                bool same_line = false) {
    MemorySystem memory(platform);
    memory.begin_launch(true);
    std::vector<std::vector<MemoryResponse>> responses(platform.gpu.sm_count);
    const auto ask = [&](std::uint64_t time) {
        for (auto& list : responses) list.clear();
        std::vector<MemoryRequest> requests;
        std::uint64_t line = 0;
        for (std::uint64_t i = 0; i < loads; ++i)
            for (const std::uint16_t sm : sms)
                requests.push_back({.time = time,
                                    .line = same_line ? 0 : line++,
                                    .sectors = 0b1111,
                                    .token = static_cast<std::uint32_t>(i),
                                    .sm = sm});
        memory.process(requests, responses);
    };
    ask(1000);
    ask(now);
    std::vector<std::uint64_t> took;
    for (const std::uint16_t sm : sms)
        for (const MemoryResponse& response : responses[sm]) took.push_back(response.time - now);
    return took;
}

}  // namespace

TEST_CASE("a GPC's port bounds what its SMs read together") {
    const Platform platform = narrow_port();
    const std::uint64_t hit = platform.l2.hit_latency_cycles - platform.lsu.l1_hit_latency_cycles;
    const auto one = take(platform, {3}, 100);
    REQUIRE(one.size() == 100);
    CHECK(one.front() == hit);
    // 99 lines have passed before the last, of which some may wait without being late.
    CHECK(one.back() == hit + 99 * 16 - GpcPorts::share_slack_cycles);
    // Two SMs of a GPC have as much together, two of different GPCs each as much.
    CHECK(take(platform, {3, 4}, 50).back() == one.back());
    CHECK(take(platform, {3, 60}, 100).back() == one.back());
}

TEST_CASE("a short queue at one share of a GPC's port makes nobody late") {
    const Platform platform = narrow_port();
    const std::uint64_t hit = platform.l2.hit_latency_cycles - platform.lsu.l1_hit_latency_cycles;
    CHECK(take(platform, {3}, GpcPorts::share_slack_cycles / 16).back() <= hit + GpcPorts::share_slack_cycles / 16);
}

TEST_CASE("reads that become one pass the port once") {
    Platform platform = narrow_port();
    const std::uint64_t apart = take(platform, {1, 2, 3, 4}, 25).back();
    platform.l2.coalescing_cycles = 64;
    platform.l2.coalesced_requests = 4;
    CHECK(take(platform, {1, 2, 3, 4}, 25, true).back() + 60 * 16 < apart);
}

TEST_CASE("no port, no bound") {
    Platform platform = narrow_port();
    platform.l2.gpc_bytes_per_cycle = 0;
    const std::uint64_t hit = platform.l2.hit_latency_cycles - platform.lsu.l1_hit_latency_cycles;
    CHECK(take(platform, {3}, 100).back() == hit + 99);
}
