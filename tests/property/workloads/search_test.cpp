// What the thesis says of its searches, on counted accesses; sizes, parameters and queries are drawn.
#include <cmath>

#include "tests/contract/workloads/checked_run.hpp"
#include "tests/sanitized.hpp"
#include "tests/sass_text.hpp"
#include "workloads/search/worst_queries.hpp"

using namespace sassafras;
using namespace sassafras::test;

namespace {

bool is_shared_load(const sim::SourceRow& row) {
    return sassafras::source_rows::sass(row).find("LDS") != std::string::npos;
}

/// Wavefronts of a shared load, on average over its warps; every load of a search, or those at an offset in bytes.
struct Loads {
    std::uint64_t executed = 0;
    std::uint64_t wavefronts = 0;
    [[nodiscard]] double mean() const { return static_cast<double>(wavefronts) / static_cast<double>(executed); }
};

Loads loads_of(const std::vector<sim::KernelResult>& launches, const std::string& operand = "") {
    Loads loads;
    for (const sim::SourceRow& row : launches.at(0).source)
        if (is_shared_load(row) && sassafras::source_rows::sass(row).find(operand) != std::string::npos) {
            loads.executed += row.inst_executed;
            loads.wavefronts += row.shared_wavefronts;
        }
    return loads;
}

/// The reads of stage 2 of pbs-cl are at w/2, w/4 .. 1 words behind the cell where stage 1 ended.
const std::vector<std::string> stage_two{"+0x40]", "+0x20]", "+0x10]", "+0x8]", "+0x4]"};

Choice draw_search(Random& random, const std::string& variant) {
    Choice choice{"search", variant,          random.below(3000), any_of(random, info_of("search").inputs),
                  {},       random.next_u64()};
    const std::uint64_t log = random.below(14);
    choice.parameters["K"] =
        static_cast<std::int64_t>((std::uint64_t{1} << log) + random.below(std::uint64_t{1} << log));
    if (random.below(4) == 0) choice.parameters["K"] = 1 << log;
    choice.parameters["b"] =
        static_cast<std::int64_t>(variant == "btree" ? 32 * (1 + random.below(8)) : 1 + random.below(300));
    choice.parameters["Q"] = static_cast<std::int64_t>(1 + random.below(20));
    const std::uint64_t top = random.below(10000);
    if (variant == "bst" || variant == "btree") choice.parameters["M_TB"] = whole(top);
    return choice;
}

}  // namespace

TEST_CASE("searches are right whatever is drawn") {
    const auto device = functional();
    Random random(2026);
    for (const auto& variant : info_of("search").variants)
        for (int i = 0; i < test::draws(30); ++i) checked_run(*device, draw_search(random, variant.name));
}

TEST_CASE("pbs-cf has no shared bank conflict on any input") {
    const auto device = functional();
    Random random(7);
    for (int i = 0; i < test::draws(60); ++i)
        CHECK(shared_conflicts(checked_run(*device, draw_search(random, "pbs-cf"))) == 0);
    for (const std::string& input : info_of("search").inputs)
        CHECK(shared_conflicts(checked_run(*device, {"search", "pbs-cf", 50000, input, {{"K", 50000}}})) == 0);
}

TEST_CASE("pbs, on the same inputs, has conflicts") {
    const auto device = functional();
    CHECK(shared_conflicts(checked_run(*device, {"search", "pbs", 5000, "random", {{"K", 4096}}})) > 0);
}

TEST_CASE("pbs-cl conflicts in stage 2 only, with at most w - 1 accesses of a warp") {
    const auto device = functional();
    Random random(11);
    for (int i = 0; i < test::draws(60); ++i) {
        const auto launches = checked_run(*device, draw_search(random, "pbs-cl"));
        if (launches.empty()) continue;
        std::uint64_t stage_two_conflicts = 0;
        std::uint64_t total = 0;
        std::uint64_t warps = 0;
        for (std::size_t step = 0; step < stage_two.size(); ++step) {
            const Loads loads = loads_of(launches, stage_two[step]);
            CHECK(loads.wavefronts <= loads.executed << step);  // 2^i at step i
            stage_two_conflicts += loads.wavefronts - loads.executed;
            total += loads.wavefronts;
            warps = loads.executed;
        }
        CHECK(warps > 0);
        CHECK(total <= 31 * warps);
        CHECK(shared_conflicts(launches) == stage_two_conflicts);
    }
}

TEST_CASE("the worst queries for pbs-cl take w - 1 accesses in stage 2, of every warp") {
    const auto device = functional();
    for (const int keys : {1024, 4096, 5000, 40000}) {
        const auto launches = checked_run(*device, {"search", "pbs-cl", 6400, "worst", {{"K", keys}}});
        std::uint64_t total = 0;
        for (const std::string& operand : stage_two) total += loads_of(launches, operand).wavefronts;
        CHECK(total == 31 * 6400 / 32);
    }
}

TEST_CASE("accesses of a query are those of the thesis' formulas") {
    const auto device = functional();
    constexpr std::uint64_t warps = 64;
    const auto reads_a_warp = [&](const char* variant, std::int64_t keys) {
        const auto launches = checked_run(*device, {"search", variant, 32 * warps, "random", {{"K", keys}}});
        return static_cast<double>(loads_of(launches).executed) / warps;
    };
    for (const int log : {5, 8, 10, 12, 15}) {
        const std::int64_t keys = std::int64_t{1} << log;
        CHECK(reads_a_warp("pbs", keys) == log + 1);             // log N, and Algorithm 1's last comparison
        CHECK(reads_a_warp("pbs-cf", keys) == log - 5 + 32);     // log N - log w + w
        CHECK(reads_a_warp("pbs-cl", keys) == log - 5 + 1 + 5);  // log N, and the comparison that ends stage 1
    }
}

TEST_CASE("binary searches conflict as an independent simulation said, on random queries") {
    // Wavefronts a read over all reads, from a program of its own that draws ranks. shared/reference/algorithms.md,
    // sections 0.5 and 6, leaves Algorithm 1's last comparison out and so has 8.4, 10.2, 11.9 and 13.4 for powers of
    // two; its 2.15 and 2.12 for 3000 and 5000 keys are of interval bisection.
    const auto device = functional();
    for (const auto& [variant, keys, expected] : {std::tuple{"pbs", 1024, 8.08},
                                                  {"pbs", 2048, 9.76},
                                                  {"pbs", 4096, 11.34},
                                                  {"pbs", 8192, 12.75},
                                                  {"pbs", 3000, 3.01},
                                                  {"pbs", 5000, 3.17},
                                                  {"bisection", 3000, 2.22},
                                                  {"bisection", 5000, 2.15}}) {
        CAPTURE(variant, keys);
        const auto launches = checked_run(*device, {"search", variant, 100000, "random", {{"K", keys}}});
        CHECK(loads_of(launches).mean() == Approx(expected).epsilon(0.02));
    }
}

TEST_CASE("the worst queries for pbs: w words of one bank at every step from log w + 1 on if w^2 divides N") {
    // Corollary 6.2.1; before that, step i has 2^(i-1) words, all in bank 0.
    const auto device = functional();
    for (const int log : {10, 12, 15}) {
        const auto launches = checked_run(*device, {"search", "pbs", 6400, "worst", {{"K", 1 << log}}});
        const std::uint64_t total = loads_of(launches).wavefronts * 32 / 6400;
        CHECK(total >= static_cast<std::uint64_t>(31 + 32 * (log - 5)));
    }
    // Lemma 6.2.2: any N >= 2 w^2 from step 2 log w + 1 on.
    for (const int keys : {2048, 3000, 5000, 40009}) {
        const auto launches = checked_run(*device, {"search", "pbs", 6400, "worst", {{"K", keys}}});
        const double total = static_cast<double>(loads_of(launches).wavefronts) * 32 / 6400;
        CHECK(total >= 32 * std::log2(keys / 1024.0));
    }
}
