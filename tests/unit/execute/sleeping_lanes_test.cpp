// NANOSLEEP in part of a warp, and how long. tests/programs/pauses.cu has these kernels on an H200.
#include <catch2/catch.hpp>

#include <string>
#include <vector>

#include "tests/unit/execute/harness.hpp"

using namespace sassafras;

namespace {

const std::string folder = std::string(SASSAFRAS_SOURCE_DIR) + "/tests/fixtures/execute/";
constexpr std::uint64_t enough_instructions = 100'000;

}  // namespace

TEST_CASE("lanes that sleep let the one go on that has the lock") {
    for (const char* cubin : {"sleeping_lanes.cubin", "sleeping_lanes_75.cubin"}) {
        CAPTURE(cubin);
        test::Module module(folder + cubin);
        const Address out = module.upload(std::vector<int>(1));
        const auto done = module.run("lock_of_lanes", {1, 1, 1}, {32, 1, 1}, test::Parameters{}.add(out.value), {},
                                     enough_instructions);
        if (!done) FAIL(done.error().message());
        CHECK(module.download<int>(out, 1)[0] == 32);
    }
}

TEST_CASE("a lane that sleeps sees what another of its warp does meanwhile") {
    for (const char* cubin : {"sleeping_lanes.cubin", "sleeping_lanes_75.cubin"})
        for (const int who : {0, 1}) {
            CAPTURE(cubin, who);
            test::Module module(folder + cubin);
            const Address out = module.upload(std::vector<int>(1));
            const auto done = module.run("lane_waits_for_lane", {1, 1, 1}, {32, 1, 1},
                                         test::Parameters{}.add(out.value).add(who), {}, enough_instructions);
            if (!done) FAIL(done.error().message());
            CHECK(module.download<int>(out, 1)[0] == 7);
        }
}

TEST_CASE("a sleep's length is an immediate, a constant or the least of the lanes'") {
    for (const char* cubin : {"sleeping_lanes.cubin", "sleeping_lanes_75.cubin"}) {
        CAPTURE(cubin);
        test::Module module(folder + cubin);
        std::vector<int> lengths(32);
        for (int lane = 0; lane < 32; ++lane) lengths[static_cast<std::size_t>(lane)] = 5000 - lane * 13 % 32 * 10;
        const Address values = module.upload(lengths);
        const auto done = module.run("sleep_for", {1, 1, 1}, {32, 1, 1}, test::Parameters{}.add(values.value).add(777));
        if (!done) FAIL(done.error().message());
        CHECK((*done).sleeps == std::vector<std::uint64_t>{300, 777, 4690});
    }
}
