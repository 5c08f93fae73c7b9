// Constructed inputs of search and merge on the functional device: their shared reads cost what is predicted.
#include <algorithm>
#include <array>

#include <catch2/catch.hpp>

#include "sim/device/conflict_device.hpp"
#include "study/adversary/construction.hpp"
#include "study/adversary/merge_reads.hpp"
#include "study/conflicts/conflict_summary.hpp"
#include "tests/contract/workloads/sort_runs.hpp"
#include "tests/sanitized.hpp"

using namespace sassafras;
using namespace sassafras::test;
using namespace sassafras::study;
using namespace sassafras::workloads;
using namespace sassafras::study::adversary;

namespace {

WorkloadRequest request_of(const std::string& name, const std::string& variant, std::uint64_t n,
                           const Parameters& parameters = {}) {
    WorkloadRequest request;
    request.name = name;
    request.variant = variant;
    request.n = n;
    request.parameters = parameters;
    return request;
}

/// Runs what was built and counts by the phases that the workload's source declares.
ConflictSummary run_built(const std::string& name, const Construction& built) {
    static const LinesByKernel lines = [] {
        auto read = embedded_lines();
        if (!read) FAIL(read.error().message());
        return std::move(read).value();
    }();
    std::vector<sim::LaunchConflicts> launches;
    sim::ModelOptions bounded;
    bounded.instruction_limit = 400'000'000;
    const auto device = sim::make_conflict_device(h200(), bounded, {}, launches);
    WorkloadRequest request = request_of(name, built.variant, built.count);
    for (const auto& [parameter, value] : built.parameters) request.parameters[parameter] = value;
    request.seed = built.seed;
    request.keys = std::vector<std::uint32_t>(built.count);
    built.make(0, *request.keys);
    const auto run = run_workload(*device, request);
    if (!run) FAIL(run.error().message());
    CHECK((*run).verified);
    return summarise(launches, phases_of(name), lines);
}

SerialisedReads reads_of(const ConflictSummary& summary, const char* part, const char* phase) {
    CAPTURE(part, phase);
    const ConflictFigures* figures = summary.find(part, phase);
    REQUIRE(figures != nullptr);
    return {figures->requests, figures->wavefronts};
}

SerialisedReads searches(const ConflictSummary& summary) { return reads_of(summary, "search", "reads"); }

SerialisedReads only(const PartCost& part) { return {part.requests, part.accesses}; }

SerialisedReads predicted(const Construction& built) {
    SerialisedReads reads;
    for (const PartCost& part : built.parts) reads.add({part.requests, part.accesses});
    return reads;
}

}  // namespace

TEST_CASE("worst and best queries of pbs cost what is predicted, and what the theorems say") {
    constexpr std::uint64_t warps = 64;
    // log2 N - 2 log2 w accesses of w (theorem 6.2.1, N >= 2 w^2), log2 N - log2 w of them (the corollary).
    for (const auto& [keys, w_way] :
         {std::pair<std::int64_t, std::uint64_t>{1024, 5}, {4096, 7}, {8192, 8}, {3000, 1}, {5000, 2}, {2049, 1}}) {
        CAPTURE(keys);
        const auto built = construct(request_of("search", "pbs", 32 * warps, {{"K", keys}}), Goal::worst);
        REQUIRE(built.ok());
        const SerialisedReads counted = searches(run_built("search", *built));
        CHECK(counted == predicted(*built));
        CHECK(counted.accesses >= warps * 32 * w_way);
        for (const PartCost& part : built->parts) CHECK(part.accesses <= part.bound);
        const auto best = construct(request_of("search", "pbs", 32 * warps, {{"K", keys}}), Goal::best);
        REQUIRE(best.ok());
        const SerialisedReads least = searches(run_built("search", *best));
        CHECK(least == predicted(*best));
        CHECK(least.accesses == least.requests);
    }
}

TEST_CASE("queries of pbs and pbs-cf cost what is predicted for any number of keys, threads a block and queries") {
    for (const char* variant : {"pbs", "pbs-cf"})
        for (const auto& [keys, b, each, n] : {std::array<std::int64_t, 4>{100, 32, 1, 64},
                                               {100, 100, 3, 1000},
                                               {1, 33, 2, 100},
                                               {2, 7, 1, 50},
                                               {1000, 31, 8, 999},
                                               {33, 96, 2, 1},
                                               {5000, 65, 5, 2000}})
            for (const Goal goal : {Goal::worst, Goal::best}) {
                CAPTURE(variant, keys, b, each, n, goal == Goal::worst);
                const auto built = construct(
                    request_of("search", variant, static_cast<std::uint64_t>(n), {{"K", keys}, {"b", b}, {"Q", each}}),
                    goal);
                REQUIRE(built.ok());
                const ConflictSummary counted = run_built("search", *built);
                if (variant == std::string("pbs")) {
                    CHECK(searches(counted) == predicted(*built));
                } else {
                    REQUIRE(built->parts.size() == 2);
                    CHECK(reads_of(counted, "search", "stage 1") == only(built->parts[0]));
                    CHECK(reads_of(counted, "search", "stage 2") == only(built->parts[1]));
                }
                for (const PartCost& part : built->parts)
                    CHECK((goal == Goal::worst ? part.accesses <= part.bound : part.accesses >= part.bound));
            }
}

TEST_CASE("constructions of the other searches run") {
    for (const char* variant : {"pbs-cl", "halving", "bisection", "sorted", "bst", "btree"})
        for (const Goal goal : {Goal::worst, Goal::best}) {
            const auto built = construct(request_of("search", variant, 1000), goal);
            REQUIRE(built.ok());
            run_built("search", *built);
        }
}

TEST_CASE("worst and best lists of merge cost what is predicted where keys are selected, and all their reads do") {
    for (const char* variant : {"single-buffer-select", "single-buffer-half-select", "double-buffer-select"})
        // Bytes of shared memory: the default's 17 outputs a thread, 1 (a thread reads its first keys only), and 8.
        for (const std::int64_t S : {0, 3400, 25000})
            for (const Goal goal : {Goal::worst, Goal::best}) {
                Parameters parameters;
                if (S != 0) parameters["S"] = S;
                CAPTURE(variant, S, goal == Goal::worst);
                const auto built = construct(request_of("merge", variant, 20 * 17 * 128, parameters), goal);
                REQUIRE(built.ok());
                CHECK((S == 25000 || built->count == 20 * 17 * 128));  // else not a multiple of an iteration
                CHECK_FALSE(built->parts.empty());
                // First keys and those behind what is taken are all that the source's merge_by_selection() reads.
                CHECK(reads_of(run_built("merge", *built), "merge", "merge reads") == predicted(*built));
                for (const PartCost& part : built->parts) {
                    CHECK(part.requests > 0);
                    CHECK((goal == Goal::worst ? part.accesses <= part.bound : part.accesses >= part.bound));
                }
            }
}

TEST_CASE("best lists of merge by branches cost what is predicted; of worst ones no bound is claimed") {
    for (const char* variant : {"single-buffer", "single-buffer-half", "double-buffer"})
        for (const std::int64_t S : {0, 3400, 25000}) {  // 17 outputs a thread, 1, and an even number
            Parameters parameters;
            if (S != 0) parameters["S"] = S;
            CAPTURE(variant, S);
            const auto best = construct(request_of("merge", variant, 8704, parameters), Goal::best);
            REQUIRE(best.ok());
            CHECK(best->bounded);
            CHECK(reads_of(run_built("merge", *best), "merge", "merge reads") == predicted(*best));
            const auto worst = construct(request_of("merge", variant, 8704, parameters), Goal::worst);
            REQUIRE(worst.ok());
            CHECK_FALSE(worst->bounded);
        }
}

TEST_CASE("best and worst keys cost machine code what is printed") {
    std::size_t index = 0;
    for (const std::int64_t E : {15, 16})
        for (const std::uint64_t n : {4096ULL, 511ULL, 7680ULL, 3000ULL})
            for (const Goal goal : {Goal::worst, Goal::best}) {
                if (!test::is_tried(index++, 4)) continue;
                CAPTURE(E, n, goal == Goal::worst);
                const auto built = construct(request_of("sort", "mgpu", n, {{"E", E}, {"b", 128}}), goal);
                REQUIRE(built.ok());
                SerialisedReads counted;
                const ConflictSummary summary = run_built("sort", *built);
                for (const char* part : {"block sort", "merge"})
                    for (const char* phase : {"merge heads", "merge reads"})
                        if (summary.find(part, phase) != nullptr) counted.add(reads_of(summary, part, phase));
                const SerialisedReads printed = predicted(*built);
                CHECK(counted.requests == printed.requests);
                if (goal == Goal::worst)
                    CHECK(counted.accesses >= printed.accesses);
                else
                    CHECK(counted.accesses <= printed.accesses);
                if (E == 16 && n == 4096) CHECK(counted.accesses == printed.accesses);  // two whole tiles
            }
}

TEST_CASE("what merge is built for is within what merge takes") {
    for (const char* variant : {"single-buffer", "double-buffer", "double-buffer-half"})
        for (const std::int64_t b : {64, 512, 1024}) {
            CAPTURE(variant, b);
            const auto built = construct(request_of("merge", variant, 30000, {{"b", b}}), Goal::worst);
            REQUIRE(built.ok());
            run_built("merge", *built);
        }
    CHECK_FALSE(construct(request_of("merge", "single-buffer", 1 << 30, {{"b", 64}, {"S", 1000}}), Goal::worst).ok());
    CHECK_FALSE(construct(request_of("merge", "single-buffer", 1 << 20, {{"S", 240000}}), Goal::worst).ok());
}
