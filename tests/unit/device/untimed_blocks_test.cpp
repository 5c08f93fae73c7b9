// What blocks that are executed and not timed are said to access.
#include <catch2/catch.hpp>

#include <cstdint>
#include <vector>

#include "core/worker_pool.hpp"
#include "sim/device/sampling/untimed_blocks.hpp"
#include "tests/unit/timing/scenario.hpp"

using namespace sassafras;
using namespace sassafras::sim;

namespace {

std::vector<UntimedTurn> accesses_of(const test::Script& script, std::uint32_t blocks, std::uint32_t warps,
                                     std::uint64_t remembered, std::uint32_t threads) {
    const Platform platform = test::bare_platform();
    test::ScriptedSource source(script, blocks, warps);
    Launch launch;
    launch.grid = source.shape().grid;
    launch.block = source.shape().block;
    const ModelOptions options;
    WorkerPool pool(threads);
    UntimedBlocks untimed(source, launch, platform, options, pool);
    std::vector<UntimedTurn> all;
    const auto done = untimed.execute({0, blocks}, remembered, [&](std::span<UntimedTurn> turns) {
        all.insert(all.end(), turns.begin(), turns.end());
    });
    REQUIRE(done);
    CHECK(untimed.blocks() == blocks);
    std::uint64_t instructions = 0;
    for (const InstructionCounts& instruction : untimed.counts()) instructions += instruction.inst_executed;
    CHECK(instructions == std::uint64_t{script.size()} * blocks * warps);
    return all;
}

}  // namespace

TEST_CASE("lines of an access that is like the one before lie as much before or behind as it does") {
    constexpr std::uint32_t warps = 4;
    constexpr std::uint64_t top = 1 << 20;
    const auto down = [](WarpTrace& trace, std::uint32_t warp) {
        test::lanes_at(top - warp * std::uint64_t{4096}, 4)(trace, warp);
    };
    const test::Script script = test::Script().add(test::ldg, {}, 1, down).exit();
    for (const std::uint32_t threads : {1U, 2U}) {
        const auto turns = accesses_of(script, 3, warps, 3, threads);
        REQUIRE(turns.size() == 3);
        for (const UntimedTurn& turn : turns) {
            REQUIRE(turn.accesses.size() == warps);
            CHECK(turn.ends == std::vector<std::uint32_t>{1, 2, 3, 4});
            for (std::uint64_t warp = 0; warp < warps; ++warp) {
                CHECK(turn.accesses[warp].line == top / 128 - warp * 32);
                CHECK(turn.accesses[warp].sectors == 0b1111);
                CHECK(turn.accesses[warp].kind == RequestKind::load);
            }
        }
    }
}

TEST_CASE("all blocks are counted, and those at the end are remembered") {
    const test::Script script = test::Script().add(test::ldg, {}, 1, test::lanes_at(4096, 4)).exit();
    CHECK(accesses_of(script, 5000, 1, 0, 1).empty());
    CHECK(accesses_of(script, 5000, 1, 3000, 1).size() == 3000);
    CHECK(accesses_of(script, 5000, 1, 9000, 1).size() == 5000);
}
