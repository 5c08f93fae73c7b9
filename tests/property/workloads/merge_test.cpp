// Merges whose sizes, shapes and inputs are drawn, and what each optimisation is said to save, on counted accesses.
#include "tests/contract/workloads/checked_run.hpp"
#include "tests/sanitized.hpp"
#include "tests/sass_text.hpp"
#include "workloads/merge/co_rank.hpp"

using namespace sassafras;
using namespace sassafras::test;
using workloads::merge::co_rank_variants;
using workloads::merge::CoRankVariant;

namespace {

std::uint64_t warp_instructions(const std::vector<sim::KernelResult>& launches, const std::string& mnemonic) {
    std::uint64_t total = 0;
    for (const sim::SourceRow& row : launches.at(0).source)
        if (sassafras::source_rows::sass(row).find(mnemonic) != std::string::npos) total += row.inst_executed;
    return total;
}

std::uint64_t sectors(const std::vector<sim::KernelResult>& launches, const std::string& mnemonic) {
    std::uint64_t total = 0;
    for (const sim::SourceRow& row : launches.at(0).source)
        if (sassafras::source_rows::sass(row).find(mnemonic) != std::string::npos) total += row.global_sectors;
    return total;
}

}  // namespace

TEST_CASE("merges by co-ranks are right whatever is drawn") {
    const auto device = functional();
    Random random(42);
    for (const CoRankVariant& variant : co_rank_variants())
        for (int i = 0; i < test::draws(20); ++i) {
            const std::uint64_t n = random.below(6000);
            Choice choice{"merge", variant.name, n, any_of(random, info_of("merge").inputs), {}, random.next_u64()};
            choice.parameters["A"] = whole(random.below(n + 1));
            choice.parameters["blocks"] = whole(1 + random.below(12));
            choice.parameters["b"] = whole(1 + random.below(200));
            if (variant.buffers != 0)
                choice.parameters["S"] =
                    (variant.half ? 4 * choice.parameters["b"] : 4) + 4 * variant.buffers + whole(random.below(16000));
            checked_run(*device, choice);
        }
}

TEST_CASE("merges by elements are right whatever is drawn") {
    const auto device = functional();
    Random random(43);
    for (const char* variant : {"E8", "E15", "E32"})
        for (int i = 0; i < test::draws(20); ++i) {
            const std::uint64_t n = random.below(6000);
            Choice choice{"merge", variant, n, any_of(random, info_of("merge").inputs), {}, random.next_u64()};
            choice.parameters["A"] = whole(random.below(n + 1));
            choice.parameters["b"] = whole(1 + random.below(200));
            checked_run(*device, choice);
        }
}

TEST_CASE("half the co-rank calls: fewer reads of keys, one barrier more an iteration") {
    const auto device = functional();
    const std::map<std::string, std::int64_t> shape{{"blocks", 4}, {"b", 128}, {"S", 12800}};
    for (const std::string name : {"single-buffer", "double-buffer", "lv-single-buffer", "lv-double-buffer"}) {
        const auto plain = checked_run(*device, {"merge", name, 100000, "random", shape});
        const auto half = checked_run(*device, {"merge", name + "-half", 100000, "random", shape});
        CHECK(warp_instructions(half, "LDS") < warp_instructions(plain, "LDS"));
        CHECK(2 * warp_instructions(half, "BAR.SYNC") == 3 * warp_instructions(plain, "BAR.SYNC"));
    }
}

TEST_CASE("the thesis' merges write an output where it belongs") {
    const auto device = functional();
    constexpr std::uint64_t n = 1 << 17;
    constexpr std::uint64_t warps = n / 32;
    const std::map<std::string, std::int64_t> shape{{"blocks", 4}, {"b", 256}, {"S", 32772}};  // x = 4,096: 16 a thread
    const auto staged = checked_run(*device, {"merge", "single-buffer-select", n, "random", shape});
    for (const std::string name : {"lv-single-buffer-select", "lv-double-buffer-select"}) {
        CAPTURE(name);
        const auto written = checked_run(*device, {"merge", name, n, "random", shape});
        // Threads are 16 words apart: a sector an output, where eight outputs fill one.
        CHECK(warp_instructions(written, "STG") >= warps);
        CHECK(sectors(written, "STG") > n * 9 / 10);
        CHECK(sectors(staged, "STG") < n / 8 * 5 / 4);
    }
}

TEST_CASE("staged merges read and write global memory coalesced, double-buffer every key once") {
    const auto device = functional();
    constexpr std::uint64_t n = 1 << 17;
    constexpr std::uint64_t least = n * 4 / 32;  // sectors of n keys
    const std::map<std::string, std::int64_t> shape{{"blocks", 4}, {"b", 256}, {"S", 40964}};
    const auto naive = checked_run(*device, {"merge", "naive", n, "random", {{"blocks", 32}, {"b", 256}}});
    const auto single = checked_run(*device, {"merge", "single-buffer", n, "random", shape});
    const auto twice = checked_run(*device, {"merge", "double-buffer", n, "random", shape});
    CHECK(sectors(naive, "STG") > 4 * least);
    for (const auto* staged : {&single, &twice})
        CHECK(sectors(*staged, "STG") < least * 5 / 4);  // parts begin anywhere
    CHECK(sectors(twice, "LDG") < least * 3 / 2);
    // Single buffer reads x keys of each run to use x in all: the other half is read again.
    CHECK(sectors(single, "LDG") > least * 7 / 4);
    CHECK(sectors(single, "LDG") < least * 5 / 2);
}

TEST_CASE("outputs that lie an odd number apart are staged without bank conflicts") {
    const auto device = functional();
    for (const std::string variant : {"single-buffer-half-select", "double-buffer-half-select"}) {
        const auto launches = checked_run(*device, {"merge", variant, 17 * 128 * 40, "random", {{"blocks", 8}}});
        std::uint64_t conflicts = 0;
        for (const sim::SourceRow& row : launches.at(0).source)
            if (sassafras::source_rows::sass(row).find("STS") != std::string::npos)
                conflicts += row.shared_wavefronts - row.shared_wavefronts_ideal;
        CHECK(conflicts == 0);
    }
}
