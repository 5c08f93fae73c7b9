// WARPSYNC: who meets whom. What is expected follows from PTX: vote.sync and bar.warp.sync wait for all that the mask
// names. An H200 agrees (tests/programs/collectives.cu).
#include <catch2/catch.hpp>

#include <string>

#include "sim/execute/interpreter.hpp"
#include "tests/unit/execute/harness.hpp"

using namespace sassafras;

namespace {

const std::string folder = std::string(SASSAFRAS_SOURCE_DIR) + "/tests/fixtures/execute/";

}  // namespace

TEST_CASE("lanes that vote at two places of the code give one vote") {
    for (const char* cubin : {"warp_meetings.cubin", "warp_meetings_75.cubin"}) {
        CAPTURE(cubin);
        test::Module module(folder + cubin);
        const Address out = module.upload(std::vector<std::uint32_t>(32));
        REQUIRE(module.run("vote_from_two_places", {1, 1, 1}, {32, 1, 1}, test::Parameters{}.add(out.value)).ok());
        for (const std::uint32_t ballot : module.download<std::uint32_t>(out, 32)) CHECK(ballot == 0xccccaaaa);
    }
}

TEST_CASE("lanes that wait for few are not released by, and do not release, those that wait for all") {
    for (const char* cubin : {"warp_meetings.cubin", "warp_meetings_75.cubin"})
        for (const std::uint32_t half : {2U, 4U, 16U, 20U, 31U}) {
            CAPTURE(cubin, half);
            test::Module module(folder + cubin);
            const Address out = module.upload(std::vector<std::uint32_t>(32));
            REQUIRE(
                module.run("part_and_whole", {1, 1, 1}, {32, 1, 1}, test::Parameters{}.add(out.value).add(half)).ok());
            const auto results = module.download<std::uint32_t>(out, 32);
            for (std::uint32_t lane = 0; lane < 32; ++lane) {
                CAPTURE(lane);
                const std::uint32_t other = (lane + half) % 32 * 10;
                CHECK(results[lane] == other + (lane < half ? (lane + 1) % half * 10 * 1000 : 0));
            }
        }
}

TEST_CASE("lanes that have met go on where others of their group wait for what they do next") {
    // As where code of sm_75 comes to one function from two calls: lanes 0 and 1 name each other, 2 and 3 all four.
    sim::Launch launch;
    sim::Warp warp;
    warp.launch = &launch;
    warp.alive = warp.members = 0b1111;
    warp.group_count = 1;
    warp.groups[0] = {.pc = 5, .mask = 0b1111, .state = sim::Group::State::at_warp_sync};
    warp.named = {0b0011, 0b0011, 0b1111, 0b1111};
    sim::release_converged(warp);
    REQUIRE(warp.group_count == 2);
    CHECK(warp.groups[0].mask == 0b0011);
    CHECK(warp.groups[0].state == sim::Group::State::ready);
    CHECK(warp.groups[0].pc == 6);
    CHECK(warp.groups[1].mask == 0b1100);
    CHECK(warp.groups[1].state == sim::Group::State::at_warp_sync);
    CHECK(warp.met == 0);
    // They come there again, and name all: now it is over for everyone.
    warp.groups[0] = {.pc = 5, .mask = 0b0011, .state = sim::Group::State::at_warp_sync};
    warp.named = {0b1111, 0b1111, 0b1111, 0b1111};
    sim::release_converged(warp);
    REQUIRE(warp.group_count == 1);
    CHECK(warp.groups[0].mask == 0b1111);
    CHECK(warp.groups[0].state == sim::Group::State::ready);
}
