// Which launches are timed when a program is sampled, and what is said of the others.
#include <catch2/catch.hpp>

#include "core/random.hpp"
#include "sim/device/sampling/launch_estimate.hpp"
#include "sim/device/sampling/launch_history.hpp"
#include "sim/device/sampling/total_interval.hpp"

using namespace sassafras;
using namespace sassafras::sim;

namespace {

constexpr double narrow = 0.01;

LaunchKind kind(const char* kernel) { return {kernel, 1, {64, 1, 1}, {128, 1, 1}, 0}; }

std::vector<InstructionCounts> counts(std::uint64_t instructions) {
    InstructionCounts one;
    one.inst_executed = instructions;
    one.thread_inst_executed = 32 * instructions;
    return {one};
}

TimingResult timing(std::uint64_t cycles, std::uint64_t instructions) {
    TimingResult result;
    result.cycles = Cycle{cycles};
    result.nanoseconds = static_cast<double>(cycles);
    result.instructions = counts(instructions);
    result.stalls.resize(1);
    result.warp_instructions = instructions;
    return result;
}

MetricSet cycles_alone(const TimingResult& result) {
    MetricSet metrics;
    metrics.put("sm__cycles_elapsed.max"_metric, static_cast<double>(result.cycles.count));
    return metrics;
}

}  // namespace

TEST_CASE("three launches of a kind are timed, and more until their mean is known well enough") {
    LaunchHistory steady(narrow, true);
    LaunchHistory unsteady(narrow, true);
    for (std::uint64_t i = 0; i < 3; ++i) {
        CHECK(steady.wants_time(kind("a")));
        steady.add(kind("a"), timing(10'000 + 10 * i, 1000));
        CHECK(unsteady.wants_time(kind("a")));
        unsteady.add(kind("a"), timing(10'000 + 500 * (i % 2), 1000));
    }
    CHECK_FALSE(steady.wants_time(kind("a")));
    CHECK(steady.wants_time(kind("b")));
    std::size_t timed = 3;
    for (; unsteady.wants_time(kind("a")); ++timed) unsteady.add(kind("a"), timing(10'000 + 500 * (timed % 2), 1000));
    CHECK(timed > 8);
    CHECK(timed < 16);
}

TEST_CASE("with warm caches the first launch of a kind says nothing of the others") {
    LaunchHistory history(narrow, false);
    for (const std::uint64_t cycles : {90'000U, 10'000U, 10'000U}) {
        CHECK(history.wants_time(kind("a")));
        history.add(kind("a"), timing(cycles, 1000));
    }
    CHECK(history.wants_time(kind("a")));
    history.add(kind("a"), timing(10'000, 1000));
    CHECK_FALSE(history.wants_time(kind("a")));
    const TimedLaunches found = history.executed(kind("a"), counts(1000));
    CHECK(found.are_like);
    CHECK(found.results.size() == 3);
    CHECK(like_others(found.results, counts(1000)).cycles == Cycle{10'000});
}

TEST_CASE("kernels of one name and other code are of two kinds") {
    Launch launch;
    launch.kernel = "a";
    isa::Program one;
    one.instructions.resize(3);
    isa::Program other = one;
    other.instructions.resize(4);
    CHECK((LaunchKind::of(launch, one) == LaunchKind::of(launch, one)));
    CHECK((LaunchKind::of(launch, one) != LaunchKind::of(launch, other)));
    other = one;
    other.instructions[1].word.low = 7;
    CHECK((LaunchKind::of(launch, one) != LaunchKind::of(launch, other)));
}

TEST_CASE("a launch that did more than those timed has the next of its kind timed") {
    LaunchHistory history(narrow, true);
    for (int i = 0; i < 3; ++i) history.add(kind("a"), timing(10'000, 1000));
    CHECK(history.executed(kind("a"), counts(1010)).are_like);
    CHECK_FALSE(history.wants_time(kind("a")));
    CHECK_FALSE(history.executed(kind("a"), counts(2000)).are_like);
    CHECK(history.wants_time(kind("a")));
}

TEST_CASE("launches that take as long whatever they access say it of one that is like one of them") {
    const auto accessing = [](std::uint64_t cycles, std::uint64_t sectors) {
        TimingResult result = timing(cycles, 1000);
        result.instructions[0].global_sectors = sectors;
        return result;
    };
    const std::vector<InstructionCounts> like_the_last = accessing(0, 1010).instructions;
    LaunchHistory even(narrow, true);
    LaunchHistory uneven(narrow, true);
    for (const std::uint64_t sectors : {900U, 950U, 1000U}) {
        even.add(kind("a"), accessing(10'000, sectors));
        uneven.add(kind("a"), accessing(10 * sectors, sectors));
    }
    const TimedLaunches found = even.executed(kind("a"), like_the_last);
    CHECK(found.are_like);
    CHECK(found.results.size() == 3);
    CHECK_FALSE(even.wants_time(kind("a")));
    CHECK_FALSE(uneven.executed(kind("a"), like_the_last).are_like);
    CHECK(uneven.wants_time(kind("a")));
    CHECK_FALSE(even.executed(kind("a"), accessing(0, 1100).instructions).are_like);
}

TEST_CASE("however launches differ, most of many are not timed") {
    LaunchHistory history(narrow, true);
    std::size_t timed = 0;
    constexpr std::uint64_t launches = 2000;
    for (std::uint64_t i = 0; i < launches; ++i) {
        const std::uint64_t work = 1000 + 50 * i;
        if (history.wants_time(kind("a"))) {
            ++timed;
            history.add(kind("a"), timing(10 * work, work));
        } else {
            (void)history.executed(kind("a"), counts(work));
        }
    }
    CHECK(timed < 60);
}

TEST_CASE("intervals of launches and of their sum hold the truth about as often as they say") {
    constexpr std::uint64_t trials = 400;
    constexpr std::size_t launches = 40;
    constexpr std::size_t timed = 4;
    std::uint64_t held = 0;
    std::uint64_t sums_held = 0;
    Random random(20'261'128);
    const auto draw = [&] {
        std::uint64_t sum = 0;
        for (int i = 0; i < 12; ++i) sum += random.below(1001);  // nearly normal
        return 100'000 + sum;
    };
    for (std::uint64_t trial = 0; trial < trials; ++trial) {
        std::vector<TimingResult> known;
        for (std::size_t i = 0; i < timed; ++i) known.push_back(timing(draw(), 1000));
        TimedLaunches others;
        for (const TimingResult& one : known) others.results.push_back(&one);
        others.kind = others.results;
        std::vector<KernelResult> results;
        double truth = 0;
        double sum = 0;
        for (std::size_t i = 0; i < launches; ++i) {
            const auto cycles = static_cast<double>(draw());
            KernelResult& result = results.emplace_back();
            (void)put_launch_estimates(others, counts(1000), cycles_alone, result);
            REQUIRE(result.sampling->intervals.size() == 1);
            const auto [metric, low, high] = result.sampling->intervals[0];
            held += low <= cycles && cycles <= high ? 1U : 0U;
            truth += cycles;
            sum += result.metric(metric);
        }
        const auto half = half_of_total_interval(results, "sm__cycles_elapsed.max"_metric);
        REQUIRE(half);
        sums_held += std::abs(sum - truth) <= *half ? 1U : 0U;
    }
    // 95 % of independent sums are 380 +- 9 of 400; single launches of a trial share what they were judged by.
    CHECK(held > trials * launches * 93 / 100);
    CHECK(held < trials * launches * 97 / 100);
    CHECK(sums_held > 364);
    CHECK(sums_held < 396);
}

TEST_CASE("what was never sampled has no interval") {
    CHECK_FALSE(half_of_total_interval(std::vector<KernelResult>(3), "sm__cycles_elapsed.max"_metric));
}
