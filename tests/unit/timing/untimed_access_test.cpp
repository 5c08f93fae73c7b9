// What accesses that take no time leave in the caches: what the same accesses leave that do.
#include <catch2/catch.hpp>

#include <array>
#include <cstdint>
#include <vector>

#include "core/random.hpp"
#include "core/worker_pool.hpp"
#include "sim/timing/memory/memory_system.hpp"
#include "tests/unit/timing/scenario.hpp"
#include "tests/unit/timing/small_l2.hpp"

using namespace sassafras;
using namespace sassafras::sim;

namespace {

constexpr std::uint64_t line_bytes = test::small_l2_line_bytes;
constexpr std::array<std::uint16_t, 4> sms{0, 1, 20, 21};  // two of each partition
constexpr std::uint64_t apart = 2000;                      // cycles: nothing is under way when the next request comes

Platform small_l2(std::uint32_t partitions, std::uint32_t dirty_lines, std::uint32_t partial_lines) {
    Platform platform = test::small_l2(partitions);
    platform.l2.slice_dirty_lines = dirty_lines;
    platform.l2.slice_partial_lines = partial_lines;
    return platform;
}

std::vector<UntimedTurn> random_turns(std::uint64_t seed) {
    Random random(seed);
    std::vector<UntimedTurn> turns;
    for (int i = 0; i < 4000; ++i) {
        constexpr std::array kinds{RequestKind::load, RequestKind::load, RequestKind::store, RequestKind::reduction,
                                   RequestKind::atomic};
        UntimedAccess access{.line = random.below(120), .sectors = static_cast<std::uint32_t>(1 + random.below(15))};
        access.kind = kinds[random.below(kinds.size())];
        access.partial = access.kind == RequestKind::store && random.below(2) == 0;
        access.written = access.partial ? 8 : 32;
        turns.push_back({.sm = sms[random.below(sms.size())], .accesses = {access}, .ends = {1}});
    }
    return turns;
}

/// What a sweep of loads over all lines finds and evicts: it shows which sectors are there, and which are dirty.
std::vector<std::uint64_t> swept(MemorySystem& memory, std::uint64_t time) {
    std::vector<std::vector<MemoryResponse>> responses(132);
    std::vector<std::uint64_t> found;
    for (const std::uint16_t sm : {sms[0], sms[2]}) {
        for (std::uint64_t line = 0; line < 120; ++line) {
            const MetricCounts before = memory.counters();
            memory.process({{.time = time += apart, .line = line, .sectors = 0b1111, .sm = sm}}, responses);
            const MetricCounts after = memory.counters();
            for (const MetricId metric : {"dram__bytes_read.sum"_metric, "dram__bytes_write.sum"_metric,
                                          "lts__t_sectors_op_read_lookup_hit.sum"_metric})
                found.push_back(after[metric] - before[metric]);
        }
    }
    return found;
}

}  // namespace

TEST_CASE("accesses without time leave L2 as the same accesses do that have one") {
    for (const std::uint32_t partitions : {1U, 2U}) {
        for (const std::uint32_t dirty_lines : {0U, 6U}) {
            const Platform platform = small_l2(partitions, dirty_lines, dirty_lines / 2);
            for (const std::uint64_t seed : {1U, 2U, 3U}) {
                const std::vector<UntimedTurn> turns = random_turns(seed);
                MemorySystem timed(platform);
                timed.begin_launch(true);
                std::vector<std::vector<MemoryResponse>> responses(platform.gpu.sm_count);
                std::uint64_t time = 0;
                for (const UntimedTurn& turn : turns)
                    timed.process({turn.accesses[0].request(turn.sm, time += apart)}, responses);
                const std::vector<std::uint64_t> expected = swept(timed, time);
                for (const std::uint32_t threads : {1U, 3U}) {
                    MemorySystem untimed(platform);
                    untimed.begin_launch(true, false, threads);
                    untimed.begin_round(time);
                    WorkerPool pool(threads);
                    untimed.leave_untimed(turns, 1, pool);
                    CHECK(untimed.counters()["dram__bytes_read.sum"_metric] == 0);
                    CHECK(untimed.counters()["lts__t_sectors_srcunit_tex.sum"_metric] == 0);
                    untimed.begin_launch(false);
                    CHECK(swept(untimed, time) == expected);
                }
            }
        }
    }
}

TEST_CASE("turns that are together go on access by access") {
    const Platform platform = small_l2(1, 0, 0);
    // Two blocks that read the same lines at the same time, more than L2 has: the second finds each.
    std::vector<UntimedTurn> turns(2);
    for (std::uint64_t line = 0; line < 1000; ++line)
        for (UntimedTurn& turn : turns) turn.accesses.push_back({.line = line, .sectors = 0b1111});
    turns.push_back({.sm = 0, .accesses = {{.line = 999, .sectors = 0}}, .ends = {1}});  // that L1 had
    WorkerPool pool(1);
    MemorySystem memory(platform);
    memory.begin_launch(true);
    memory.leave_untimed(turns, 2, pool);
    std::vector<std::vector<MemoryResponse>> responses(platform.gpu.sm_count);
    memory.process({{.time = 1000, .line = 999, .sectors = 0b1111}}, responses);
    CHECK(memory.counters()["dram__bytes_read.sum"_metric] == 0);
    memory.process({{.time = 9000, .line = 0, .sectors = 0b1111}}, responses);
    CHECK(memory.counters()["dram__bytes_read.sum"_metric] == line_bytes);
}

TEST_CASE("a launch pauses before a block, and L1 and L2 have then what is left there") {
    const Platform platform = test::bare_platform();
    const test::Script script =
        test::Script().add(test::ldg, {.stall = 1, .write_barrier = 0}, 1, test::lanes_at(4096, 4)).exit(1);
    constexpr std::uint64_t line = 4096 / line_bytes;
    const auto sectors_from_l2 = [&](std::uint32_t sectors, bool bypasses_l1) {
        test::ScriptedSource source(script, 3, 1);
        TimingGpu gpu(platform);
        WorkerPool pool(2);
        TimingOptions options;
        options.pool = &pool;
        std::vector<std::uint64_t> paused;
        options.pauses.first = 1;
        options.pauses.at = [&](const TimingPause& pause) -> Result<AfterPause> {
            paused.push_back(pause.block);
            CHECK(pause.marks.empty());
            CHECK(pause.events()["smsp__inst_executed.sum"_metric] == 0);
            if (pause.block == 2 && sectors != 0) {
                std::vector<UntimedTurn> turns{
                    {.sm = 0, .accesses = {{.line = line, .sectors = sectors}}, .ends = {1}}};
                turns[0].accesses[0].bypasses_l1 = bypasses_l1;
                pause.leave(turns);
            }
            return AfterPause{.next_block = pause.block, .next_pause = pause.block + 1};
        };
        const auto result = gpu.simulate(source, options);
        REQUIRE(result);
        CHECK(paused == std::vector<std::uint64_t>{1, 2});
        CHECK(result->warp_instructions == 6);
        return std::pair{result->events["lts__t_sectors_op_read.sum"_metric],
                         result->events["dram__bytes_read.sum"_metric]};
    };
    CHECK(sectors_from_l2(0, false) == std::pair<std::uint64_t, std::uint64_t>{4, 128});
    CHECK(sectors_from_l2(0b1111, false) == std::pair<std::uint64_t, std::uint64_t>{0, 0});
    CHECK(sectors_from_l2(0b1111, true) == std::pair<std::uint64_t, std::uint64_t>{4, 0});
}

TEST_CASE("blocks are left out at a pause, and marks are of those that are not") {
    const Platform platform = test::bare_platform();
    const std::uint32_t at_a_time = platform.sm.max_blocks;
    test::ScriptedSource source(test::Script().exit(), 10 * at_a_time, 1);
    TimingGpu gpu(platform);
    TimingOptions options;
    options.pauses.first = at_a_time;
    std::size_t marks = 0;
    options.pauses.at = [&](const TimingPause& pause) -> Result<AfterPause> {
        marks = pause.marks.size();
        if (pause.block == 5 * at_a_time + 3) return AfterPause{.next_block = 9 * at_a_time};
        CHECK(pause.block == at_a_time);
        // One block has ended, in place of which the next one starts.
        return AfterPause{.next_block = 5 * at_a_time, .next_pause = 5 * at_a_time + 3, .marks = {1, 2}};
    };
    const auto result = gpu.simulate(source, options);
    REQUIRE(result);
    CHECK(marks == 2);
    CHECK(source.finished == 2 * at_a_time + 3);
    CHECK(result->timed_blocks == 2 * at_a_time + 3);
    CHECK(result->warp_instructions == 2 * at_a_time + 3);
    REQUIRE(result->marks.size() == 2);
    CHECK(result->marks[0].blocks == 2);
    CHECK(result->marks[1].blocks == 3);
}

TEST_CASE("what fails while a launch pauses ends it") {
    test::ScriptedSource source(test::Script().exit(), 2, 1);
    TimingGpu gpu(test::bare_platform());
    TimingOptions options;
    options.pauses.first = 1;
    options.pauses.at = [](const TimingPause&) -> Result<AfterPause> {
        return Error{ErrorKind::check_failed, "a fault", "", ""};
    };
    const auto result = gpu.simulate(source, options);
    REQUIRE_FALSE(result);
    CHECK(result.error().what == "a fault");
}
