// What every warp scheduler of the table keeps to.
#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <string_view>
#include <vector>

#include "core/random.hpp"
#include "sim/timing/policies/make_policy.hpp"
#include "sim/timing/policies/warp_scheduler.hpp"
#include "tests/unit/timing/chosen_warps.hpp"

using namespace sassafras;
using namespace sassafras::sim;
using namespace sassafras::sim::test;

namespace {

/// Calls `check(scheduler, another)` for every scheduler of the table, with groups of four warps where it has groups.
template <class Check>
void for_each_warp_scheduler(Check&& check) {
    for_each_policy<WarpSchedulers>([&]<class Scheduler>(WarpSchedulers::Choice, std::string_view name) {
        CAPTURE(name);
        SmParameters sm{};
        sm.scheduler_group_warps = 4;
        Scheduler one(sm);
        Scheduler other(sm);
        check(one, other);
    });
}

ChosenWarps drawn(Random& random) {
    ChosenWarps warps;
    warps.candidate_bits = random.next_u32() & random.next_u32();
    warps.free_bits = random.next_u32();
    warps.last_warp = random.below(3) == 0 ? no_warp : static_cast<std::uint32_t>(random.below(no_warp));
    for (std::uint64_t& age : warps.ages) age = random.below(1000);
    return warps;
}

}  // namespace

TEST_CASE("a scheduler picks a warp that can issue if there is one; else it has asked of every candidate") {
    for_each_warp_scheduler([](auto& scheduler, auto&) {
        Random random(1);
        for (int step = 0; step < 5000; ++step) {
            ChosenWarps warps = drawn(random);
            const std::uint32_t chosen = scheduler.pick(warps);
            if ((warps.candidate_bits & warps.free_bits) != 0) {
                REQUIRE(contains(warps.candidate_bits, chosen));
                REQUIRE(contains(warps.free_bits, chosen));
            } else {
                REQUIRE(chosen == no_warp);
                REQUIRE(warps.asked_bits == warps.candidate_bits);
            }
        }
    });
}

TEST_CASE("a scheduler asks of candidates only, and picks the same from the same") {
    for_each_warp_scheduler([](auto& scheduler, auto& another) {
        Random random(2);
        for (int step = 0; step < 5000; ++step) {
            ChosenWarps warps = drawn(random);
            ChosenWarps again = warps;
            REQUIRE(scheduler.pick(warps) == another.pick(again));
            REQUIRE((warps.asked_bits & ~warps.candidate_bits) == 0);
        }
    });
}

TEST_CASE("a warp that can always issue does so before any other has issued twice, or the scheduler says why not") {
    std::size_t fair = 0;
    for_each_warp_scheduler([&]<class Scheduler>(Scheduler& scheduler, Scheduler&) {
        Random random(3);
        constexpr std::uint32_t patient = 5;
        std::array<int, no_warp> issued{};
        int most = 0;  // of another warp, while the patient one waited
        ChosenWarps warps;
        for (int step = 0; step < 20000; ++step) {
            warps.candidate_bits = random.next_u32() | 1U << patient;
            warps.free_bits = random.next_u32() | 1U << patient;
            const std::uint32_t chosen = scheduler.pick(warps);
            REQUIRE(chosen != no_warp);
            warps.last_warp = chosen;
            if (chosen == patient)
                issued.fill(0);
            else
                most = std::max(most, ++issued.at(chosen));
        }
        if constexpr (requires { Scheduler::may_starve; }) {
            CHECK_FALSE(std::string_view(Scheduler::may_starve).empty());
            CHECK(most > 1);  // else it need not say so
        } else {
            CHECK(most == 1);
            ++fair;
        }
    });
    CHECK(fair >= 1);
}
