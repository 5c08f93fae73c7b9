// WARPSYNC: who meets whom. What is expected follows from PTX: vote.sync and bar.warp.sync wait for all that the mask
// names. An H200 agrees (tests/programs/collectives.cu).
#include <catch2/catch.hpp>

#include <string>

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
