// Lookaside buffers against arithmetic: which pages are within reach, what misses add, and how they queue.
#include <catch2/catch.hpp>

#include "sim/timing/memory/memory_system.hpp"
#include "sim/timing/memory/translation.hpp"
#include "tests/fixture_platform.hpp"

using namespace sassafras;
using namespace sassafras::sim;

namespace {

constexpr std::uint64_t kib = 1024;
constexpr std::uint64_t small_page = 128 * kib;
constexpr std::uint64_t large_page = 2048 * kib;

/// Two entries an SM; 17 and two sets of eight for two SMs each; four for all.
Platform three_levels() {
    Platform platform = test::fixture_platform();
    platform.gpu.sm_count = 4;
    platform.l2.partitions = 1;
    platform.l2.slice_spread_cycles = 0;
    platform.dram.refresh_interval_cycles = 0;
    platform.tlb.l1 = {.page_bytes = 128 * kib,
                       .entries = 2,
                       .sets = 1,
                       .ways = 2,
                       .buffers = 0,
                       .miss_cycles = 10,
                       .miss_interval_cycles = 2.5};
    platform.tlb.l2 = {.page_bytes = 2048 * kib,
                       .entries = 33,
                       .sets = 3,
                       .ways = 8,
                       .buffers = 2,
                       .miss_cycles = 100,
                       .miss_interval_cycles = 0};
    platform.tlb.l3 = {.page_bytes = 2048 * kib,
                       .entries = 64,
                       .sets = 1,
                       .ways = 64,
                       .buffers = 1,
                       .miss_cycles = 1000,
                       .miss_interval_cycles = 50};
    return platform;
}

class Clocked {
  public:
    explicit Clocked(const Platform& platform = three_levels()) : translation(platform) {}
    /// Cycles that an address takes, long after all before.
    std::uint64_t alone(std::uint64_t address, std::uint32_t sm = 0) {
        now += 1000000;
        return translation.translated(sm, address, now) - now;
    }
    Translation translation;
    std::uint64_t now = 0;
};

}  // namespace

TEST_CASE("a page costs what the levels add that do not have it") {
    Clocked tlb;
    CHECK(tlb.alone(0) == 1110);
    CHECK(tlb.alone(small_page - 1) == 0);
    CHECK(tlb.alone(small_page) == 10);      // another small page of the same large one
    CHECK(tlb.alone(0) == 0);                // used of late
    CHECK(tlb.alone(2 * small_page) == 10);  // takes the place of the second
    CHECK(tlb.alone(0) == 0);
    CHECK(tlb.alone(small_page) == 10);
    CHECK(tlb.alone(0, 2) == 10);   // an SM of the same cluster
    CHECK(tlb.alone(0, 1) == 110);  // of the other: only the last level has it
    CHECK(tlb.alone(0, 1) == 0);
}

TEST_CASE("a larger first set holds as many neighbouring pages as there are entries") {
    // Places 0 to 3 in turn, of which 0 and 3 are the first set's: of 32 pages it has 16, the others 8 each.
    Clocked tlb;
    for (std::uint64_t page = 0; page < 32; ++page) tlb.alone(page * large_page);
    for (std::uint64_t page = 0; page < 32; ++page) CHECK(tlb.alone(page * large_page) == 10);
    // Page 32 is the first set's 17th; page 33 the second's ninth, so that its pages miss from now on, 1, 5, ... 33.
    for (std::uint64_t page = 0; page < 34; ++page) tlb.alone(page * large_page);
    for (std::uint64_t page = 0; page < 34; ++page) CHECK(tlb.alone(page * large_page) == (page % 4 == 1 ? 110 : 10));
}

TEST_CASE("misses of a buffer begin an interval apart, hits do not wait") {
    Clocked tlb;
    for (const std::uint64_t page : {0U, 1U, 2U, 3U}) tlb.alone(page * small_page);
    tlb.now += 1000000;
    const auto after = [&](std::uint64_t address, std::uint32_t sm = 0) {
        return tlb.translation.translated(sm, address, tlb.now) - tlb.now;
    };
    CHECK(after(3 * small_page) == 0);
    CHECK(after(0) == 10);
    CHECK(after(small_page) == 12);      // began 2.5 cycles later
    CHECK(after(2 * small_page) == 15);  // 5 cycles later
    CHECK(after(2 * small_page) == 15);  // waits for the same translation
    CHECK(after(0, 2) == 10);            // another SM's buffer
}

TEST_CASE("walks of all SMs are as far apart as the last level's interval") {
    Clocked tlb;
    tlb.now = 1000;
    for (std::uint32_t sm = 0; sm < 4; ++sm)
        CHECK(tlb.translation.translated(sm, sm * large_page, tlb.now) == tlb.now + 1110 + 50 * sm);
}

TEST_CASE("a launch finds the pages of the one before, unless it is cold") {
    Clocked tlb;
    tlb.alone(0);
    tlb.translation.begin_launch(false);
    CHECK(tlb.translation.translated(0, 0, 5) == 5);
    tlb.translation.begin_launch(true);
    CHECK(tlb.translation.translated(0, 0, 5) == 1115);
}

TEST_CASE("no level, no time") {
    Platform platform = three_levels();
    platform.tlb.l1.entries = 0;
    CHECK_FALSE(Translation(platform).modelled());
    CHECK(Translation(three_levels()).modelled());
}

TEST_CASE("a request that waits for its page does not hold up one that comes later") {
    const Platform platform = three_levels();
    MemorySystem memory(platform);
    memory.begin_launch(true);
    std::vector<std::vector<MemoryResponse>> responses(platform.gpu.sm_count);
    const auto load = [](std::uint64_t time, std::uint64_t address, std::uint32_t token) {
        return MemoryRequest{.time = time, .line = address / 128, .sectors = 1, .token = token};
    };
    memory.process({load(0, 0, 1)}, responses);  // the page and the line are there from now on
    REQUIRE(responses[0].size() == 1);
    const std::uint64_t trip = memory.lookahead();
    for (auto& list : responses) list.clear();

    // The first needs a walk, the second finds all.
    memory.process({load(10000, 5 * large_page, 2), load(10001, 0, 3)}, responses, 10200);
    REQUIRE(responses[0].size() == 1);
    CHECK(responses[0][0].token == 3);
    CHECK(responses[0][0].time == 10001 + trip);
    CHECK(memory.next_unanswered() == 10000 + 1110);
    responses[0].clear();
    memory.process({}, responses, 11000);
    CHECK(responses[0].empty());
    memory.process({}, responses, 11200);
    REQUIRE(responses[0].size() == 1);
    CHECK(responses[0][0].token == 2);
    CHECK(responses[0][0].time >= 10000 + 1110 + trip);
    CHECK(memory.next_unanswered() == MemorySystem::never);
}
