// Bank conflicts of the workloads: the conflict device counts what the functional one counts, and the figures of the
// theory come out (B. Karsin's thesis, chapters 6 and 7; docs/conflicts.md says by which definition).
#include <catch2/catch.hpp>

#include <cmath>

#include "sim/device/conflict_device.hpp"
#include "study/conflicts/conflict_summary.hpp"
#include "tests/contract/workloads/checked_run.hpp"
#include "tests/sass_text.hpp"

using namespace sassafras;
using namespace sassafras::test;
using namespace sassafras::study;
using namespace sassafras::workloads;

namespace {

struct Counted {
    std::vector<sim::LaunchConflicts> launches;
    std::vector<sim::KernelResult> results;
    ConflictSummary summary;
};

Counted count(const Choice& choice, std::uint32_t banks = 0) {
    static const LinesByKernel lines = [] {
        auto read = embedded_lines();
        if (!read) FAIL(read.error().message());
        return std::move(read).value();
    }();
    const auto rules = phases_of(choice.workload);
    sim::ConflictOptions options;
    options.rounds = [rules](const isa::Program& program) { return round_marks(program, rules, lines); };
    sim::Platform platform = h200();
    if (banks != 0) platform.sm.shared_banks = banks;
    Counted counted;
    const auto device = sim::make_conflict_device(platform, bounded(), options, counted.launches);
    counted.results = checked_run(*device, choice);
    counted.summary = summarise(counted.launches, rules, lines);
    return counted;
}

double beta_of(const ConflictSummary& summary, const char* part, const char* phase) {
    const ConflictFigures* figures = summary.find(part, phase);
    CAPTURE(part, phase);
    REQUIRE(figures != nullptr);
    return figures->beta();
}

void check_same(const ConflictFigures& a, const ConflictFigures& b) {
    CHECK(a.requests == b.requests);
    CHECK(a.lanes == b.lanes);
    CHECK(a.wavefronts == b.wavefronts);
    CHECK(a.wavefronts_ideal == b.wavefronts_ideal);
    CHECK(a.degree == b.degree);
    CHECK(a.bound == b.bound);
    CHECK(a.random == Approx(b.random));
}

/// All views are of the same requests.
void check_partitions(const ConflictSummary& summary) {
    ConflictFigures phases;
    ConflictFigures rounds;
    ConflictFigures instructions;
    for (const auto& phase : summary.phases) phases += phase.figures;
    for (const auto& round : summary.rounds) {
        rounds += round.figures;
        ConflictFigures of_round;
        for (const auto& [number, phase] : round.by_phase) of_round += phase;
        check_same(of_round, round.figures);
    }
    for (const auto& instruction : summary.instructions) instructions += instruction.figures;
    check_same(phases, summary.run);
    check_same(rounds, summary.run);
    check_same(instructions, summary.run);
    std::uint64_t requests = 0;
    std::uint64_t wavefronts = 0;
    for (std::size_t degree = 0; degree < summary.run.degree.size(); ++degree) {
        requests += summary.run.degree[degree];
        wavefronts += degree * summary.run.degree[degree];
    }
    CHECK(requests == summary.run.requests);
    CHECK(wavefronts == summary.run.wavefronts);
    CHECK(summary.run.wavefronts <= summary.run.bound);
}

const std::vector<Choice>& some_of_each() {
    static const std::vector<Choice> choices{
        {"sort", "mgpu", 9000, "random", {{"E", 15}, {"b", 128}}},
        {"sort", "mgpu", 9000, "random", {{"E", 16}, {"b", 256}}},
        {"sort", "mgpu", 6000, "random", {{"key_bits", 64}}},
        {"sort", "mgpu-words", 9000, "random", {{"b", 256}}},
        {"sort", "cf-merge", 9000, "few-distinct", {{"E", 15}, {"b", 128}}},
        {"sort", "E17_b256", 9000, "random", {}},
        {"sort", "mms", 9000, "random", {}},
        {"sort", "koike-sadakane", 5000, "random", {}},
        {"sort", "shearsort", 5000, "random", {}},
        {"sort", "bitonic", 5000, "random", {}},
        {"search", "pbs", 5000, "random", {{"K", 1000}}},
        {"search", "btree", 3000, "random", {{"K", 5000}}},
        {"merge", "single-buffer", 9000, "random", {}},
        {"merge", "double-buffer-select", 9000, "random", {}},
        {"merge", "lv-single-buffer-half", 9000, "random", {}},
        {"merge", "lv-double-buffer-select", 9000, "random", {}},
        {"scan", "unpadded", 5000, "random", {}},
        {"scan", "colored", 5000, "random", {}},
        {"gemm", "64x64x16", 70, "random", {}},
        {"gemm", "magma", 70, "random", {}},
        {"gemm", "parboil-regtile", 70, "random", {}},
        {"stencil", "tiled", 20, "random", {}},
        {"stencil", "parboil-tiled", 20, "random", {}},
        {"ode", "shared", 300, "random", {}},
        {"ode", "opt4-63", 300, "random", {}},
    };
    return choices;
}

}  // namespace

TEST_CASE("conflicts: every instruction's counts are the functional device's, and all views are of the same requests") {
    const auto device = functional();
    for (const Choice& choice : some_of_each()) {
        CAPTURE(choice.workload, choice.variant);
        const auto expected = checked_run(*device, choice);
        const Counted counted = count(choice);
        REQUIRE(counted.launches.size() == expected.size());
        for (std::size_t i = 0; i < expected.size(); ++i) {
            for (const sim::MetricId metric : {"smsp__inst_executed.sum"_metric, "memory_l1_wavefronts_shared"_metric,
                                               "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum"_metric})
                CHECK(counted.results[i].metric(metric, -1) == expected[i].metric(metric, -2));
            std::map<std::uint64_t, std::pair<std::uint64_t, std::uint64_t>> wavefronts;
            for (const auto& instruction : counted.launches[i].instructions)
                for (const auto& round : instruction.by_round) {
                    auto& sum = wavefronts[std::uint64_t{instruction.instruction} * isa::instruction_bytes];
                    sum.first += round.wavefronts;
                    sum.second += round.wavefronts_ideal;
                }
            for (const auto& row : expected[i].source) {
                CAPTURE(row.pc, sassafras::source_rows::sass(row));
                CHECK(wavefronts[row.pc] == std::pair(row.shared_wavefronts, row.shared_wavefronts_ideal));
            }
        }
        CHECK(counted.summary.run.requests > 0);
        check_partitions(counted.summary);
    }
}

TEST_CASE(
    "conflicts: random keys, E = 15, b = 128: search 2.70, merge reads 3.42, the thesis' 2.2 of both reads and "
    "writes") {
    const Counted counted = count({"sort", "mgpu", 15 * 128 * 64, "random", {{"E", 15}, {"b", 128}}});
    const ConflictSummary& summary = counted.summary;
    CHECK(beta_of(summary, "merge", "partition search") == Approx(2.70).margin(0.02));
    CHECK(beta_of(summary, "merge", "merge reads") == Approx(3.42).margin(0.02));
    CHECK(beta_of(summary, "merge", "merge writes") == 1);
    CHECK(summary.thesis(ThesisBeta::partitioning).beta() == Approx(2.70).margin(0.02));
    CHECK(summary.thesis(ThesisBeta::merging).beta() == Approx(2.24).margin(0.02));
    CHECK(summary.find("merge", "merge reads")->beta_random() == Approx(3.5329).margin(0.0001));
    // Seven trips of the block sort's loop: every thread writes its E keys in each, whatever they are.
    std::uint32_t trips = 0;
    for (const auto& round : summary.rounds) {
        if (round.round == 0) continue;
        CHECK(round.launch == 0);
        CHECK(round.round == ++trips);
        for (std::size_t phase = 0; phase < summary.phases.size(); ++phase) {
            if (summary.phases[phase].phase == "merge writes" && summary.phases[phase].part == "block sort")
                CHECK(round.by_phase.at(phase).requests == 64 * 4 * 15);
            if (summary.phases[phase].phase == "merge heads" && summary.phases[phase].part == "block sort")
                CHECK(round.by_phase.at(phase).requests == 64 * 4 * 2);
        }
    }
    CHECK(trips == 7);
}

TEST_CASE("conflicts: the recorded sort has the same rounds, also where its loop has no function of its own") {
    const Counted counted = count({"sort", "E15_b512", 15 * 512 * 4, "random", {}});
    std::uint32_t trips = 0;
    for (const auto& round : counted.summary.rounds) {
        if (round.round == 0) continue;
        ++trips;
        for (std::size_t phase = 0; phase < counted.summary.phases.size(); ++phase)
            if (counted.summary.phases[phase].phase == "merge writes" &&
                counted.summary.phases[phase].part == "block sort")
                CHECK(round.by_phase.at(phase).requests == 4 * 16 * 15);
    }
    CHECK(trips == 9);
}

TEST_CASE("conflicts: E = 17, b = 256 reads at 3.42 and searches at 3.24") {
    const Counted counted = count({"sort", "mgpu", 17 * 256 * 32, "random", {{"E", 17}, {"b", 256}}});
    CHECK(beta_of(counted.summary, "merge", "merge reads") == Approx(3.42).margin(0.02));
    CHECK(beta_of(counted.summary, "merge", "partition search") == Approx(3.24).margin(0.02));
}

TEST_CASE("conflicts: sorted keys cost 1 with E odd and 16 with E = 16") {
    const Counted odd = count({"sort", "mgpu", 15 * 128 * 16, "sorted", {{"E", 15}, {"b", 128}}});
    CHECK(beta_of(odd.summary, "merge", "merge reads") == 1);
    CHECK(beta_of(odd.summary, "block sort", "merge reads") == 1);
    CHECK(odd.summary.find("merge", "partition search") == nullptr);
    const Counted even = count({"sort", "mgpu", 16 * 256 * 8, "sorted", {{"E", 16}, {"b", 256}}});
    CHECK(beta_of(even.summary, "merge", "merge reads") == 16);
    CHECK(beta_of(even.summary, "block sort", "merge reads") == 16);
}

TEST_CASE("conflicts: E = 16 word by word, and with nvcc's accesses of four words") {
    constexpr std::uint64_t tiles = 8;
    constexpr std::uint64_t keys = 16 * 256 * tiles;
    constexpr std::uint64_t rounds = 3;  // of merges
    const auto writes = [&](const Counted& counted) { return counted.summary.find("merge", "merge writes"); };
    const Counted words = count({"sort", "mgpu-words", keys, "random", {{"E", 16}, {"b", 256}}});
    REQUIRE(writes(words) != nullptr);
    CHECK(writes(words)->requests == rounds * keys / 32);
    CHECK(writes(words)->beta() == 16);
    CHECK(writes(words)->beta_ideal() == 1);
    // An independent simulation of the algorithm: reads 3.44. Two heads, 15 successors and 16 writes: its 9.34 has the
    // successor of the last key, too, which nobody uses and nvcc leaves out.
    constexpr double reads = 3.44;
    CHECK(beta_of(words.summary, "merge", "merge reads") == Approx(reads).margin(0.04));
    CHECK(words.summary.thesis(ThesisBeta::merging).beta() == Approx((17 * reads + 16 * 16) / 33).margin(0.05));
    const Counted fused = count({"sort", "mgpu", keys, "random", {{"E", 16}, {"b", 256}}});
    REQUIRE(writes(fused) != nullptr);
    CHECK(writes(fused)->requests == rounds * keys / 32 / 4);
    CHECK(writes(fused)->beta_ideal() == 4);
    CHECK(writes(fused)->wavefronts * 4 == writes(words)->wavefronts);
    CHECK(words.summary.find("block sort", "merge writes")->requests == 8 * keys / 32);
}

TEST_CASE("conflicts: the gather of cf-merge has none") {
    const Counted counted = count({"sort", "cf-merge", 15 * 128 * 16, "random", {{"E", 15}, {"b", 128}}});
    CHECK(beta_of(counted.summary, "merge", "merge reads") == 1);
    CHECK(beta_of(counted.summary, "block sort", "merge reads") == 1);
    CHECK(counted.summary.thesis(ThesisBeta::merging).beta() == 1);
}

TEST_CASE("conflicts: a step of PBS on 2^k keys hits one bank while its distance is a multiple of the banks") {
    const Counted counted = count({"search", "pbs", 65536, "random", {{"K", 1024}}});
    std::vector<double> beta;
    for (const auto& round : counted.summary.rounds)
        if (round.round != 0) beta.push_back(round.figures.beta());
    // Steps 1 to 6 choose among 2^(i-1) words of one bank: c (1 - (1 - 1/c)^32) of them are hit. The keys are random,
    // so the words are not quite equally likely.
    REQUIRE(beta.size() == 11);
    for (std::size_t step = 0; step < 6; ++step) {
        const double words = std::exp2(static_cast<double>(step));
        CAPTURE(step);
        CHECK(beta[step] == Approx(words * (1 - std::pow(1 - 1 / words, 32))).epsilon(0.03));
    }
    double steps = 0;
    for (std::size_t step = 0; step < 10; ++step) steps += beta[step];
    CHECK(steps / 10 == Approx(8.4).margin(0.15));  // without the last comparison
    // An independent simulation of the algorithms: 8.39 and 2.23.
    CHECK(beta_of(count({"search", "bisection", 65536, "random", {{"K", 1024}}}).summary, "search", "reads") ==
          Approx(8.39).margin(0.15));
    CHECK(beta_of(count({"search", "bisection", 65536, "random", {{"K", 3000}}}).summary, "search", "reads") ==
          Approx(2.23).margin(0.05));
}

TEST_CASE("conflicts: listing 5.1 reads two or three words an output, its form with keys in registers one") {
    constexpr std::uint64_t n = 1 << 16;
    const auto words_an_output = [&](const char* variant) {
        const Counted counted = count({"merge", variant, n, "random", {{"blocks", 2}, {"b", 256}, {"S", 32772}}});
        const ConflictFigures* reads = counted.summary.find("merge", "merge reads");
        REQUIRE(reads != nullptr);
        return static_cast<double>(reads->lanes) / n;
    };
    CHECK(words_an_output("single-buffer-select") == Approx(1).margin(0.1));
    for (const char* variant : {"lv-single-buffer-select", "lv-double-buffer-half-select"}) {
        const double words = words_an_output(variant);
        CHECK(words > 2);
        CHECK(words < 3);
    }
}

TEST_CASE("conflicts: another number of banks is counted as on a platform that has it") {
    const Choice choice{"scan", "unpadded", 5000, "random", {}};
    for (const std::uint32_t banks : {8U, 16U, 32U, 64U}) {
        sim::Platform platform = h200();
        platform.sm.shared_banks = banks;
        const auto device = sim::make_functional_device(platform, bounded());
        const auto expected = checked_run(*device, choice);
        const Counted counted = count(choice, banks);
        CAPTURE(banks);
        for (std::size_t i = 0; i < expected.size(); ++i)
            CHECK(counted.results[i].metric("memory_l1_wavefronts_shared"_metric) ==
                  expected[i].metric("memory_l1_wavefronts_shared"_metric));
        CHECK(counted.summary.banks.size() == banks);
    }
}
