// Instruction and constant caches of an SM.
#include <catch2/catch.hpp>

#include "sim/timing/sm/fetch.hpp"
#include "tests/fixture_platform.hpp"

using namespace sassafras::sim;

namespace {
FetchParameters parameters() {
    FetchParameters result = test::fixture_fetch();
    result.l0_lines = 4;
    result.l1_lines = 64;
    result.prefetch_lines = 0;
    result.l0_miss_latency_cycles = 20;
    result.l1_miss_latency_cycles = 140;
    result.fill_interval_cycles = 17;
    result.constant_lines = 2;
    result.constant_miss_latency_cycles = 100;
    return result;
}
/// 132 SMs, up to 17 of a GPC, which takes a request every two cycles.
Platform with_gpcs() {
    Platform platform = test::fixture_platform();
    platform.gpu.sm_count = 132;
    platform.gpu.gpc_sms = 17;
    platform.fetch = parameters();
    platform.fetch.gpc_request_interval_cycles = 2;
    return platform;
}

}  // namespace

TEST_CASE("a first fetch comes from beyond the SM, a second of the line is there") {
    FetchUnit fetch(parameters(), 2, {.code_lines = 100});
    CHECK(fetch.instruction(0, 5, 1000) == 1000 + 140 + 20);
    // On its way: a second warp waits for the same line no longer than the first.
    CHECK(fetch.instruction(0, 5, 1010) == 1160);
    CHECK(fetch.instruction(0, 5, 2000) == 2000);
}

TEST_CASE("another sub-core finds the line in the SM's cache") {
    FetchUnit fetch(parameters(), 2, {.code_lines = 100});
    fetch.instruction(0, 5, 1000);
    CHECK(fetch.instruction(1, 5, 5000) == 5000 + 20);
}

TEST_CASE("a line that another has pushed out of a sub-core comes back from the SM's cache") {
    FetchUnit fetch(parameters(), 1, {.code_lines = 100});
    fetch.instruction(0, 5, 1000);
    fetch.instruction(0, 9, 2000);  // four lines: 9 takes the place of 5
    CHECK(fetch.instruction(0, 5, 5000) == 5000 + 20);
}

TEST_CASE("lines ahead are fetched with the one that is asked for, but none beyond the code") {
    FetchParameters ahead = parameters();
    ahead.prefetch_lines = 2;
    FetchUnit fetch(ahead, 1, {.code_lines = 7});
    fetch.instruction(0, 5, 1000);
    CHECK(fetch.instruction(0, 6, 5000) == 5000);
    FetchUnit none(parameters(), 1, {.code_lines = 7});
    none.instruction(0, 5, 1000);
    CHECK(none.instruction(0, 6, 5000) > 5000);
}

TEST_CASE("a warp that runs straight on is limited by the rate of fills, not by their latency") {
    FetchParameters ahead = parameters();
    ahead.prefetch_lines = 2;
    ahead.l0_lines = 64;
    FetchUnit fetch(ahead, 1, {.code_lines = 60});
    std::uint64_t now = 1000;
    for (std::uint32_t line = 0; line < 50; ++line) now = fetch.instruction(0, line, now);
    CHECK(now >= 1000 + 49 * 17);
    CHECK(now <= 1000 + 140 + 20 + 50 * 100);
}

TEST_CASE("constants: a miss, then hits until another line takes the place") {
    FetchUnit fetch(parameters(), 1, {.code_lines = 100});
    CHECK(fetch.constant(0, 7, 1000) == 1100);
    CHECK(fetch.constant(0, 7, 1050) == 1100);
    CHECK(fetch.constant(0, 7, 3000) == 3000);
    fetch.constant(0, 9, 4000);
    CHECK(fetch.constant(0, 7, 5000) == 5100);
}

TEST_CASE("each sub-core has its own constants, loads of them have others") {
    FetchParameters with = parameters();
    with.loaded_constant_miss_latency_cycles = 66;
    FetchUnit fetch(with, 2, {.code_lines = 100});
    CHECK(fetch.constant(0, 7, 1000) == 1100);
    CHECK(fetch.constant(1, 7, 2000) == 2100);
    CHECK(fetch.loaded_constant(7, 3000) == 3066);
    CHECK(fetch.constant(1, 7, 4000) == 4000);
    CHECK(fetch.loaded_constant(7, 4000) == 4000);
}

TEST_CASE("requests of all SMs of a GPC come in turns, those of a few at once") {
    Platform platform = with_gpcs();
    CHECK(fetch_launch(platform, 1, 10).request_cycles == 2);
    CHECK(fetch_launch(platform, 16, 10).request_cycles == 4);
    CHECK(fetch_launch(platform, 132, 10).request_cycles == 33);
    // Four sub-cores ask in one cycle.
    FetchUnit fetch(platform.fetch, 4, fetch_launch(platform, 132, 10));
    std::uint64_t last = 0;
    for (std::uint32_t subcore = 0; subcore < 4; ++subcore) last = fetch.constant(subcore, 7, 10000);
    CHECK(last == 10000 + 3 * 33 + 100);
}

// validate/records/h200/probes/first_constants.csv.
TEST_CASE("while a launch's code comes in, constants wait for it, the more the longer the kernel") {
    Platform platform = with_gpcs();
    platform.fetch.tpc_request_cycles = 11;
    platform.fetch.start_code_lines = 48;
    CHECK(fetch_launch(platform, 132, 0).start_request_cycles == 33 + 11);
    CHECK(fetch_launch(platform, 132, 24).start_request_cycles == 44 * 3 / 2);
    for (const std::uint32_t lines : {48U, 1000U}) {
        const FetchLaunch all = fetch_launch(platform, 132, lines);
        CHECK(all.start_request_cycles == 2 * 44);
        CHECK(all.first_line_cycles == 4 * 44);
        CHECK(all.request_cycles == 33);
    }
    // One block shares with nobody.
    CHECK(fetch_launch(platform, 1, 48).start_request_cycles == 2 * 2);
    platform.fetch.fill_turn_cycles = 2;
    CHECK(fetch_launch(platform, 1, 48).fill_turn_cycles == 0);
    CHECK(fetch_launch(platform, 35, 48).fill_turn_cycles == 1);
    CHECK(fetch_launch(platform, 132, 48).fill_turn_cycles == 2);
}

TEST_CASE("constants wait so until a while after the SM's first line, loads of them hold up nobody then") {
    FetchParameters with = parameters();
    with.start_cycles = 200;
    const FetchLaunch launch{.request_cycles = 33, .start_request_cycles = 88, .code_lines = 100};
    FetchUnit fetch(with, 4, launch);
    const std::uint64_t first = fetch.instruction(0, 0, 1000) - 20;  // in the SM
    CHECK(fetch.loaded_constant(7, first) == first + 44 + 100);
    CHECK(fetch.constant(0, 7, first) == first + 44 + 100);
    CHECK(fetch.constant(1, 7, first) == first + 44 + 88 + 100);
    CHECK(fetch.constant(2, 7, first + 199) == first + 199 + 44 + 100);
    CHECK(fetch.constant(3, 7, first + 400) == first + 400 + 100);
    CHECK(fetch.constant(0, 8, first + 400) == first + 400 + 33 + 100);
}

// validate/records/h200/probes/jump_targets.csv.
TEST_CASE("a jump takes longer while another warp's is on its way") {
    FetchParameters with = parameters();
    with.l0_latency_cycles = 2;
    with.line_interval_cycles = 2;
    with.warp_switch_cycles = 3;
    FetchUnit fetch(with, 2, {.code_lines = 100});
    CHECK(fetch.give_jump(0, 5, 100, 107) == 109);
    CHECK(fetch.give_jump(0, 6, 101, 107) == 111 + 3);  // behind the other at the port, too
    CHECK(fetch.give_jump(1, 7, 101, 107) == 109);      // another sub-core
    CHECK(fetch.give_jump(0, 6, 114, 121) == 123);      // its own was the last
    CHECK(fetch.give_jump(0, 5, 123, 130) == 132);      // nobody's is on its way
}

TEST_CASE("code is not in the GPC before a while after the launch began") {
    FetchParameters with = parameters();
    with.launch_latency_cycles = 120;
    FetchUnit fetch(with, 1, {.begin = 1400, .request_cycles = 33, .first_line_cycles = 33, .code_lines = 100});
    CHECK(fetch.instruction(0, 0, 1401) == 1400 + 120 + 33 + 140 + 20);
    CHECK(fetch.instruction(0, 50, 9000) == 9000 + 140 + 20);
}

TEST_CASE("lines ahead come one after the other, one that is asked for at once") {
    FetchParameters ahead = parameters();
    ahead.prefetch_lines = 3;
    ahead.prefetch_interval_cycles = 8;
    ahead.l0_lines = 32;
    FetchUnit fetch(ahead, 1, {.code_lines = 60});
    for (std::uint32_t line = 0; line < 40; ++line)
        fetch.instruction(0, line, 1000 * (line + 1));  // into the SM's cache
    CHECK(fetch.instruction(0, 0, 100000) == 100020);
    CHECK(fetch.instruction(0, 1, 100020) == 100028);  // asked for at 100008
    CHECK(fetch.instruction(0, 3, 100029) == 100044);  // its turn was at 100024
    CHECK(fetch.instruction(0, 7, 200000) == 200020);
    CHECK(fetch.instruction(0, 10, 200001) == 200021);  // before its turn
}

// validate/records/h200/probes/fetch_words.csv.
TEST_CASE("a jump asks for its line when it knows where it goes, and lines ahead come without that") {
    FetchParameters ahead = parameters();
    ahead.prefetch_lines = 2;
    ahead.prefetch_interval_cycles = 8;
    ahead.l0_lines = 32;
    FetchUnit fetch(ahead, 1, {.code_lines = 60, .redirect_cycles = 8});
    for (std::uint32_t line = 0; line < 60; ++line) fetch.instruction(0, line, 1000 * (line + 1));
    CHECK(fetch.instruction(0, 0, 100000) == 100020);
    CHECK(fetch.instruction(0, 1, 100020, false) == 100028);  // asked for at 100016, there 12 cycles later
    // From then on each is asked for 16 cycles before a warp that issues every cycle comes to it.
    CHECK(fetch.instruction(0, 2, 100036, false) == 100036);
    CHECK(fetch.instruction(0, 3, 100044, false) == 100044);
    // Who runs on to a line that nobody asked for waits no longer than for one ahead.
    CHECK(fetch.instruction(0, 20, 200000, false) == 200012);
}
