// Which SMs execution produces for, and that it comes in even parts.
#include <catch2/catch.hpp>

#include <algorithm>
#include <vector>

#include "core/random.hpp"
#include "sim/timing/production_plan.hpp"

using namespace sassafras;
using namespace sassafras::sim;

namespace {

constexpr std::uint64_t run_ahead = 1024;
constexpr std::uint64_t round_cycles = 200;

std::vector<std::uint32_t> chosen(const ProductionPlan& plan) {
    return {plan.order().begin() + static_cast<std::ptrdiff_t>(plan.first_produced()), plan.order().end()};
}

ProductionNeed level(std::uint64_t least, std::uint64_t warps = 1) {
    return {.least = least, .missing = warps * (run_ahead - least)};
}

}  // namespace

TEST_CASE("an SM that might run out is produced for, whatever the budget") {
    ProductionPlan plan(run_ahead, round_cycles);
    const std::vector<ProductionNeed> needs{level(1000), level(200), {}, level(0), level(201)};
    plan.next(std::vector<ProductionNeed>{level(1000), level(400), {}, level(400), level(201)});
    plan.next(needs);
    const auto produced = chosen(plan);
    REQUIRE(produced.size() >= 2);
    CHECK(produced[0] == 3);
    CHECK(produced[1] == 1);
    auto all = plan.order();
    std::sort(all.begin(), all.end());
    CHECK(all == std::vector<std::uint32_t>{0, 1, 2, 3, 4});
}

TEST_CASE("of those half empty, the emptiest make up for what was consumed") {
    ProductionPlan plan(run_ahead, round_cycles);
    std::vector<ProductionNeed> needs{level(300), level(250), level(500), level(600), level(400)};
    plan.next(needs);  // the first round has all of it to make up for
    CHECK(chosen(plan) == std::vector<std::uint32_t>{1, 0, 4, 2});
    ProductionPlan steady(run_ahead, round_cycles);
    steady.next(std::vector<ProductionNeed>(5, level(600)));
    CHECK(chosen(steady).empty());
    // 455 were consumed since: a quarter more is less than two SMs lack.
    steady.next(std::vector<ProductionNeed>{level(510), level(510), level(505), level(510), level(510)});
    CHECK(chosen(steady) == std::vector<std::uint32_t>{2, 0});
}

TEST_CASE("SMs of equal appetite are produced for in turn, in even parts, and never run out") {
    ProductionPlan plan(run_ahead, round_cycles);
    SplitMix64 random(7);
    const std::size_t sms = 132;
    const std::uint64_t warps = 8;
    std::vector<std::uint64_t> buffered(sms, 0);
    std::uint64_t most = 0;
    std::uint64_t all = 0;
    for (int round = 0; round < 2000; ++round) {
        std::vector<ProductionNeed> needs;
        needs.reserve(sms);
        for (const std::uint64_t left : buffered) needs.push_back(level(left, warps));
        plan.next(needs);
        std::uint64_t produced = 0;
        for (const std::uint32_t sm : chosen(plan)) {
            const std::uint64_t target = plan.target(sm, needs[sm]);
            produced += target - std::min(target, buffered[sm]);
            buffered[sm] = std::max(buffered[sm], target);
        }
        if (round >= 200) {
            most = std::max(most, produced);
            all += produced;
        }
        for (std::uint64_t& left : buffered) {
            const std::uint64_t consumed = 10 + random.next() % 20;
            REQUIRE(left >= consumed);
            left -= consumed;
        }
    }
    const double mean = static_cast<double>(all) / 1800;
    CHECK(static_cast<double>(most) < 2 * mean);
}
