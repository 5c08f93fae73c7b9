#include "cudart/protocol/progress.hpp"

#include <catch2/catch.hpp>

using namespace sassafras;

TEST_CASE("progress: blocks done, and cycles where there are any") {
    sim::LaunchProgress progress{.kernel = "k", .blocks_done = 12, .blocks = 1024, .cycles = {}};
    CHECK(cudart::progress_text(progress, 79) == "k: 12 of 1,024 blocks");
    progress.cycles = Cycle{1234567};
    CHECK(cudart::progress_text(progress, 79) == "k: 12 of 1,024 blocks, 1,234,567 cycles");
    progress.blocks = 1;
    progress.blocks_done = 0;
    CHECK(cudart::progress_text(progress, 79) == "k: 0 of 1 block, 1,234,567 cycles");
}

TEST_CASE("progress: names are demangled, and cut where the terminal is too narrow") {
    sim::LaunchProgress progress{.kernel = "_Z5saxpyIfEviT_S0_PS0_", .blocks_done = 1, .blocks = 2, .cycles = {}};
    const std::string whole = "void saxpy<float>(int, float, float, float*): 1 of 2 blocks";
    CHECK(cudart::progress_text(progress, whole.size()) == whole);
    CHECK(cudart::progress_text(progress, whole.size() - 1) ==
          "void saxpy<float>(int, float, float, flo...: 1 of 2 blocks");
    CHECK(cudart::progress_text(progress, 19) == "v...: 1 of 2 blocks");
    CHECK(cudart::progress_text(progress, 18) == "1 of 2 blocks");
    CHECK(cudart::progress_text(progress, 6) == "1 of 2");
    progress.kernel = "a\x1b[2J";
    CHECK(cudart::progress_text(progress, 79) == "a\\x1b[2J: 1 of 2 blocks");
}
