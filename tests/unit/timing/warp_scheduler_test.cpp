// Each warp scheduler against sequences worked out by hand.
#include <catch2/catch.hpp>

#include <vector>

#include "chosen_warps.hpp"
#include "sim/timing/policies/warp_scheduler.hpp"

using namespace sassafras::sim;
using namespace sassafras::sim::test;

namespace {

SmParameters groups_of(std::uint32_t warps) {
    SmParameters sm{};
    sm.scheduler_group_warps = warps;
    return sm;
}

/// Picks `times` times; who is picked stays a candidate.
template <class Scheduler>
std::vector<std::uint32_t> picks(Scheduler& scheduler, ChosenWarps& warps, int times) {
    std::vector<std::uint32_t> result;
    for (int i = 0; i < times; ++i) {
        warps.last_warp = scheduler.pick(warps);
        result.push_back(warps.last_warp);
    }
    return result;
}

using Picks = std::vector<std::uint32_t>;

}  // namespace

TEST_CASE("greedy then youngest stays with a warp while it can issue, then takes the youngest") {
    GreedyThenYoungest scheduler(groups_of(8));
    ChosenWarps warps;
    warps.candidate_bits = 0b1111;
    warps.ages[0] = 7;
    warps.ages[1] = 9;
    warps.ages[2] = 3;
    warps.ages[3] = 8;
    CHECK(picks(scheduler, warps, 3) == Picks{1, 1, 1});
    warps.candidate_bits = 0b1101;
    CHECK(picks(scheduler, warps, 2) == Picks{3, 3});
    warps.candidate_bits = 0b1111;
    CHECK(picks(scheduler, warps, 1) == Picks{3});  // a younger one is back; who is on stays on
    warps.free_bits = 0b0101;
    CHECK(picks(scheduler, warps, 1) == Picks{0});
    warps.last_warp = no_warp;  // it has ended
    warps.free_bits = ~0U;
    CHECK(picks(scheduler, warps, 1) == Picks{1});
}

TEST_CASE("greedy until yield stays with a warp until its code yields, who then goes behind its block") {
    GreedyUntilYield scheduler(groups_of(8));
    ChosenWarps warps;
    warps.candidate_bits = 0b111;
    warps.ages[0] = 7;
    warps.ages[1] = 9;
    warps.ages[2] = 8;
    CHECK(picks(scheduler, warps, 2) == Picks{1, 1});
    warps.candidate_bits = 0b101;
    CHECK(picks(scheduler, warps, 1) == Picks{2});
    warps.candidate_bits = 0b111;
    CHECK(picks(scheduler, warps, 2) == Picks{2, 2});  // who is on stays on
    warps.yield_bits = 0b111;
    CHECK(picks(scheduler, warps, 7) == Picks{2, 1, 0, 2, 1, 0, 2});
    warps.yield_bits = 0;
    CHECK(picks(scheduler, warps, 2) == Picks{1, 1});  // the place that it has now, not its age, is what counts
    warps.candidate_bits = 0b101;
    CHECK(picks(scheduler, warps, 2) == Picks{0, 0});
    warps.ages[2] = 12;  // another warp has started there
    warps.candidate_bits = 0b111;
    warps.last_warp = no_warp;
    CHECK(picks(scheduler, warps, 1) == Picks{2});
}

TEST_CASE("greedy until yield: an older block's warps go first, however often they yield") {
    GreedyUntilYield scheduler(groups_of(8));
    ChosenWarps warps;
    warps.candidate_bits = 0b1111;
    warps.yield_bits = 0b1111;
    warps.blocks = {5, 5, 1, 1};
    warps.ages = {5, 6, 1, 2};
    CHECK(picks(scheduler, warps, 4) == Picks{3, 2, 3, 2});
    warps.candidate_bits = 0b0111;
    CHECK(picks(scheduler, warps, 2) == Picks{2, 2});
    warps.candidate_bits = 0b0011;
    CHECK(picks(scheduler, warps, 3) == Picks{1, 0, 1});
}

TEST_CASE("greedy then oldest stays with a warp while it can issue, then takes the oldest") {
    GreedyThenOldest scheduler(groups_of(8));
    ChosenWarps warps;
    warps.candidate_bits = 0b1111;
    warps.ages[0] = 7;
    warps.ages[1] = 9;
    warps.ages[2] = 3;
    warps.ages[3] = 8;
    CHECK(picks(scheduler, warps, 2) == Picks{2, 2});
    warps.candidate_bits = 0b1011;
    CHECK(picks(scheduler, warps, 2) == Picks{0, 0});
    warps.candidate_bits = 0b1111;
    CHECK(picks(scheduler, warps, 1) == Picks{0});
    warps.free_bits = 0b1010;
    CHECK(picks(scheduler, warps, 1) == Picks{3});
}

TEST_CASE("loose round robin goes round, and passes over who cannot issue") {
    LooseRoundRobin scheduler(groups_of(8));
    ChosenWarps warps;
    warps.candidate_bits = 1U << 1U | 1U << 4U | 1U << 31U;
    CHECK(picks(scheduler, warps, 5) == Picks{1, 4, 31, 1, 4});
    warps.candidate_bits |= 1U << 0U | 1U << 6U;
    CHECK(picks(scheduler, warps, 4) == Picks{6, 31, 0, 1});
    warps.free_bits = ~(1U << 4U);
    CHECK(picks(scheduler, warps, 2) == Picks{6, 31});
    warps.candidate_bits = 1U << 4U;
    CHECK(picks(scheduler, warps, 1) == Picks{no_warp});
    warps.free_bits = ~0U;
    warps.candidate_bits = ~0U;
    CHECK(picks(scheduler, warps, 2) == Picks{0, 1});  // who did not issue has not used a turn
}

TEST_CASE("two levels go round in a group while one of it can issue, then on to the next group") {
    TwoLevel scheduler(groups_of(4));
    ChosenWarps warps;
    warps.candidate_bits = 0b1011'0110;
    CHECK(picks(scheduler, warps, 4) == Picks{1, 2, 1, 2});
    warps.free_bits = ~0b110U;
    CHECK(picks(scheduler, warps, 4) == Picks{4, 5, 7, 4});
    warps.free_bits = ~0U;
    CHECK(picks(scheduler, warps, 2) == Picks{5, 7});  // the first group is back; this one goes on
    warps.candidate_bits = 0b0110;
    CHECK(picks(scheduler, warps, 2) == Picks{1, 2});
    warps.candidate_bits = 0;
    CHECK(picks(scheduler, warps, 1) == Picks{no_warp});
}

TEST_CASE("a group to which two levels return goes on where it stopped") {
    TwoLevel scheduler(groups_of(4));
    ChosenWarps warps;
    warps.candidate_bits = 0b1111'1111;
    CHECK(picks(scheduler, warps, 2) == Picks{0, 1});
    warps.free_bits = ~0b1111U;
    CHECK(picks(scheduler, warps, 3) == Picks{4, 5, 6});
    warps.free_bits = ~0b1111'0000U;
    CHECK(picks(scheduler, warps, 3) == Picks{2, 3, 0});
    warps.free_bits = ~0b1111U;
    CHECK(picks(scheduler, warps, 2) == Picks{7, 4});
}

TEST_CASE("the last group may be smaller than the others") {
    TwoLevel scheduler(groups_of(12));  // 0 to 11, 12 to 23, 24 to 31
    ChosenWarps warps;
    warps.candidate_bits = 1U << 31U | 1U << 24U | 1U << 3U;
    CHECK(picks(scheduler, warps, 1) == Picks{3});
    warps.candidate_bits &= ~(1U << 3U);
    CHECK(picks(scheduler, warps, 3) == Picks{24, 31, 24});
}
