#include "cudart/protocol/progress.hpp"

#include <catch2/catch.hpp>

using namespace sassafras;

TEST_CASE("progress: blocks done, and cycles where there are any") {
    sim::LaunchProgress progress{.kernel = "k", .blocks_done = 12, .blocks = 1024, .cycles = {}};
    CHECK(cudart::progress_text(progress) == "k: 12 of 1,024 blocks");
    progress.cycles = Cycle{1234567};
    CHECK(cudart::progress_text(progress) == "k: 12 of 1,024 blocks, 1,234,567 cycles");
    progress.blocks = 1;
    progress.blocks_done = 0;
    CHECK(cudart::progress_text(progress) == "k: 0 of 1 block, 1,234,567 cycles");
}
