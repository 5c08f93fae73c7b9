#include "cudart/protocol/progress.hpp"

#include <catch2/catch.hpp>

using namespace sassafras;

namespace {
constexpr std::size_t wide = 200;
}  // namespace

TEST_CASE("progress: blocks done, cycles or instructions, and their rate once it means something") {
    sim::LaunchProgress progress{.kernel = "k", .blocks_done = 12, .blocks = 1024, .cycles = {}};
    CHECK(cudart::progress_text(progress, 1, wide) == "k: 12 of 1,024 blocks (1 %), 85 s left");
    progress.cycles = Cycle{1234567};
    CHECK(cudart::progress_text(progress, 0, wide) == "k: 12 of 1,024 blocks (1 %), 1,234,567 cycles");
    CHECK(cudart::progress_text(progress, 2, wide) ==
          "k: 12 of 1,024 blocks (1 %), 3 min left, 1,234,567 cycles, 617,283 a second");
    CHECK(cudart::progress_text(progress, 3, wide) ==
          "k: 12 of 1,024 blocks (1 %), 4 min left, 1,234,567 cycles, 411,522 a second");
    CHECK(cudart::progress_text(progress, 100, wide) ==
          "k: 12 of 1,024 blocks (1 %), 2 h left, 1,234,567 cycles, 12,345 a second");
    progress.blocks = 1;
    progress.blocks_done = 0;
    CHECK(cudart::progress_text(progress, 0, wide) == "k: 0 of 1 block, 1,234,567 cycles");
    progress.cycles.reset();
    progress.instructions = 1000;
    CHECK(cudart::progress_text(progress, 0.5, wide) == "k: 0 of 1 block, 1,000 instructions, 2,000 a second");
}

TEST_CASE("progress: never wider than the terminal, and a name loses its middle first") {
    const std::string name =
        "a_kernel_whose_name_is_of_templates_and_longer_than_any_terminal_is_wide_of_which_there_are";
    const sim::LaunchProgress progress{.kernel = name, .blocks_done = 0, .blocks = 1024, .cycles = Cycle{1234567}};
    for (std::size_t columns = 0; columns < wide; ++columns) {
        const std::string text = cudart::progress_text(progress, 2, columns);
        CAPTURE(columns, text);
        CHECK(text.size() <= columns);
        if (columns >= 75) CHECK(text.ends_with(": 0 of 1,024 blocks, 1,234,567 cycles, 617,283 a second"));
        if (columns >= 20) CHECK(text.starts_with("a_ker"));
        if (columns >= 31)
            CHECK((text.ends_with(" blocks") || text.ends_with(" cycles") || text.ends_with(" a second")));
    }
    const sim::LaunchProgress hostile{
        .kernel = "a\x1b[31m", .blocks_done = 0, .blocks = 1, .cycles = {}, .instructions = {}};
    CHECK(cudart::progress_text(hostile, 0, wide) == "a\\x1b[31m: 0 of 1 block");
}

TEST_CASE("progress: names are demangled") {
    const sim::LaunchProgress progress{
        .kernel = "_Z5saxpyIfEviT_S0_PS0_", .blocks_done = 1, .blocks = 2, .cycles = {}, .instructions = {}};
    CHECK(cudart::progress_text(progress, 0, wide) ==
          "void saxpy<float>(int, float, float, float*): 1 of 2 blocks (50 %)");
}
