// When memory answers in a launch: the stretch that has most of the answers.
#include <algorithm>
#include <random>
#include <vector>

#include "sim/timing/answer_times.hpp"
#include "tests/unit/timing/scenario.hpp"

using namespace sassafras;
using namespace sassafras::sim;
using namespace sassafras::sim::test;

namespace {

AnswerTimes times_of(const std::vector<std::uint64_t>& cycles) {
    AnswerTimes times;
    for (const std::uint64_t cycle : cycles) times.note(cycle);
    return times;
}

}  // namespace

TEST_CASE("the shortest stretch with most of the answers leaves out those that are far from the others") {
    AnswerTimes times = times_of({0, 1900, 1990});
    for (std::uint64_t cycle = 320; cycle < 640; ++cycle) times.note(cycle);
    const AnswerTimes::Stretch most = times.shortest_with(0.8);
    CHECK(most.begin >= 320);
    CHECK(most.end <= 640);
    CHECK(most.end - most.begin < 320);
    CHECK(most.share >= 0.8);
    CHECK(times.shortest_with(1).share == 1);
    CHECK(times.shortest_with(1).end == 2016);
    CHECK(AnswerTimes().shortest_with(0.8).share == 0);
    CHECK(times_of({100}).shortest_with(0.8) == AnswerTimes::Stretch{96, 128, 1});
}

TEST_CASE("answers count the same in any order, however long the launch") {
    std::mt19937_64 random(11);
    for (int trial = 0; trial < 50; ++trial) {
        std::vector<std::uint64_t> cycles;
        for (int i = 0; i < 200; ++i) cycles.push_back(random() >> (24U + random() % 38U));
        const AnswerTimes times = times_of(cycles);
        std::shuffle(cycles.begin(), cycles.end(), random);
        AnswerTimes parts = times_of({cycles.begin(), cycles.begin() + 70});
        parts.add(times_of({cycles.begin() + 70, cycles.end()}));
        for (const double share : {0.1, 0.5, 0.8, 1.0}) CHECK(parts.shortest_with(share) == times.shortest_with(share));
    }
}

TEST_CASE("a launch has the answers to its loads, not before their latency has passed") {
    const Script loads = Script().add(ldg, {.stall = 1, .write_barrier = 0}, 1, lanes_at(1 << 20, 4)).exit(1);
    const TimingResult result = simulate(bare_platform(), loads, 4, 2);
    const AnswerTimes::Stretch all = result.answers.shortest_with(1);
    CHECK(all.share == 1);
    CHECK(all.end > bare_platform().l2.hit_latency_cycles);
    CHECK(all.begin <= result.cycles.count);
    const TimingResult none = simulate(bare_platform(), Script().add(fp32_add, {.stall = 4}, 9).exit(), 4, 2);
    CHECK(none.answers.shortest_with(1).share == 0);
}
