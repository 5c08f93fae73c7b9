// Which blocks a sampled launch times: whole waves from all over the grid, and an end like the launch's own.
#include <catch2/catch.hpp>

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/device/sampling/window_choice.hpp"

using namespace sassafras::sim;

namespace {

constexpr std::uint64_t seed = 1;

struct Chosen {
    std::uint64_t windows = 0;
    std::uint64_t measured = 0;  ///< blocks of the last window
    std::uint64_t timed = 0;     ///< blocks
    std::vector<std::uint64_t> firsts;
};

/// Goes through a launch whose windows take so many cycles an instruction, in turn.
Chosen chosen(std::uint64_t blocks, std::uint64_t wave, std::optional<double> narrow,
              const std::vector<std::uint64_t>& cycles = {100}, std::uint64_t with_seed = seed, bool is_first = true) {
    auto choice = WindowChoice::of(blocks, wave, narrow, with_seed, is_first);
    REQUIRE(choice);
    Chosen all;
    all.timed = choice->first_pause();
    CHECK(all.timed == 2 * wave);
    std::vector<TimingMark> marks;
    std::uint64_t at = choice->first_pause();
    for (;;) {
        const AfterPause after = choice->next(marks);
        REQUIRE(after.next_block >= at);
        REQUIRE(after.next_block < blocks);
        if (after.next_pause == AfterPause::never) {
            // The last wave, and what remains after whole ones: so it ends as the whole does.
            CHECK(after.marks.empty());
            CHECK(blocks - after.next_block == wave + blocks % wave);
            all.timed += blocks - after.next_block;
            return all;
        }
        REQUIRE(after.marks.size() == 2);
        all.measured = after.marks[1] - after.marks[0];
        // A wave is under way, and at least one goes before the measured ones and one behind them.
        CHECK(after.marks[0] + 1 >= 2 * wave);
        CHECK((after.marks[0] + 1) % wave == 0);
        CHECK(after.next_pause - after.next_block == after.marks[1] + 1);
        all.timed += after.next_pause - after.next_block;
        all.firsts.push_back(after.next_block);
        at = after.next_pause;
        TimingMark from;
        TimingMark to;
        to.cycles.count = cycles[all.windows++ % cycles.size()];
        to.stalls[static_cast<std::size_t>(Stall::selected)] = 100;
        marks.push_back(from);
        marks.push_back(to);
    }
}

}  // namespace

TEST_CASE("windows come from all over the grid, one behind the other") {
    for (const std::uint64_t wave : {1U, 7U, 96U, 1056U}) {
        for (const std::uint64_t blocks :
             {31 * wave, 31 * wave + wave / 2, 133 * wave + 1, 1000 * wave - 1, 5000 * wave}) {
            for (const std::uint64_t with_seed : {1U, 2U, 3U}) {
                const Chosen all = chosen(blocks, wave, std::nullopt, {100}, with_seed);
                CHECK(all.windows >= 3);
                CHECK(all.timed <= blocks / 2 + wave);
                const std::uint64_t part = blocks / all.windows;
                for (std::size_t i = 0; i < all.firsts.size(); ++i) CHECK(all.firsts[i] / part + 1 >= i);
            }
        }
    }
}

TEST_CASE("a launch of few waves is not sampled") {
    CHECK_FALSE(WindowChoice::of(0, 96, std::nullopt, seed));
    CHECK_FALSE(WindowChoice::of(96 * 29, 96, std::nullopt, seed));
    CHECK(WindowChoice::of(96 * 30, 96, std::nullopt, seed));
    CHECK_FALSE(WindowChoice::of(1000, 0, std::nullopt, seed));
}

TEST_CASE("of many waves a smaller share is timed, in more and longer windows") {
    const auto share = [](std::uint64_t waves) {
        return static_cast<double>(chosen(96 * waves, 96, std::nullopt).timed) / static_cast<double>(96 * waves);
    };
    CHECK(share(300) < 0.1);
    CHECK(share(10'000) < 0.02);
    CHECK(chosen(96 * 30, 96, std::nullopt).measured == 96);
    CHECK(chosen(96 * 40, 96, std::nullopt).measured == 2 * 96);
    CHECK(chosen(96 * 3000, 96, std::nullopt).measured == 15 * 96);
}

TEST_CASE("three windows that agree are enough, of a short launch four") {
    const std::vector<std::uint64_t> even{1000, 1001};
    const std::vector<std::uint64_t> uneven{1000, 1030, 1015};
    const auto windows = [](std::uint64_t waves, const std::vector<std::uint64_t>& cycles, bool is_first = true) {
        return chosen(96 * waves, 96, std::nullopt, cycles, seed, is_first).windows;
    };
    CHECK(windows(30, even) == 4);
    CHECK(windows(30, even, false) == 4);
    CHECK(windows(100, even) == 3);
    CHECK(windows(3000, even) == 3);
    CHECK(windows(100, uneven) == 6);
    CHECK(windows(100, uneven, false) == 3);
    CHECK(windows(3000, uneven) == 8);
}

TEST_CASE("where windows differ, more are timed until their mean is known, up to half of the launch") {
    const std::uint64_t blocks = 96 * 2000;
    const std::vector<std::uint64_t> even{100};
    const std::vector<std::uint64_t> uneven{98, 102, 100};
    const std::vector<std::uint64_t> wild{50, 150, 100};
    CHECK(chosen(blocks, 96, 0.01, even).windows == 3);
    const std::uint64_t some = chosen(blocks, 96, 0.01, uneven).windows;
    CHECK(some > 10);
    CHECK(some < 40);
    CHECK(chosen(blocks, 96, 0.1, uneven).windows < 8);
    CHECK(chosen(blocks, 96, 0.01, wild).timed > blocks / 3);
    CHECK(chosen(blocks, 96, 0.01, wild).timed <= blocks / 2 + 96);
}
