// "Provably efficient GPU algorithms", poster of N. Sitchinava and V. Weichert (MADALGO, 2013): what it observes of
// GPUs, its cost model, and its algorithms without bank conflicts.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "sim/platform/platform_reader.hpp"
#include "validate/claims/makers.hpp"
#include "validate/claims/quantities.hpp"
#include "validate/claims/table.hpp"
#include "validate/models/rivals/compare.hpp"

namespace sassafras::validate::claims {

namespace {

const std::string poster = "Sitchinava and Weichert, poster";

sim::Platform platform_named(const std::string& name) {
    auto resolved = sim::load_platform(name);
    if (!resolved) throw InvariantViolation("a platform of the table is missing");
    return std::move(resolved->platform);
}

RunSpec chase(std::int64_t level) {
    constexpr std::uint64_t loads = 64;
    RunSpec run{"c2050", "micro", "chase", loads, {{"level", level}}};
    if (level == 3) run.parameters.insert(run.parameters.end(), {{"footprint", 32 << 20}, {"stride", 4096}});
    return run;
}

void add_observations(std::vector<Claim>& claims) {
    std::vector<RunSpec> runs;
    for (const std::int64_t level : {0, 3})
        for (const std::uint64_t loads : {64U, 192U}) {
            runs.push_back(chase(level));
            runs.back().n = loads;
        }
    claims.push_back(claim_of(
        {"global-latency-100x", poster,
         "global memory has a latency of some two orders of magnitude more than shared memory", "100 x", Cause::source},
        {simulation_test(
            {"cycles of a dependent load of DRAM over one of shared memory (192 less 64 loads)", "x", {30, 300}}, runs,
            [runs](const Evidence& evidence) {
                return (evidence.cycles(runs[3]) - evidence.cycles(runs[2])) /
                       (evidence.cycles(runs[1]) - evidence.cycles(runs[0]));
            })},
        "published measurements of Fermi have some 500 cycles beside 26 to 48"));
    claims.push_back(claim_of(
        {"banks-are-lanes", poster, "shared memory has as many banks as a warp has lanes", "S = w"},
        {formula_test("c2050, algoparc, gibson, h200", {"machines of four of which that holds", "", exactly(4)}, [] {
            double found = 0;
            for (const char* name : {"c2050", "algoparc", "gibson", "h200"}) {
                found += platform_named(name).sm.shared_banks == warp_lanes ? 1 : 0;
            }
            return found;
        })}));
    const auto gathered = [](std::int64_t stride) {
        return RunSpec{"c2050", "scan", "three-phase", 1U << 18U, {{"blocks", stride}}};
    };
    claims.push_back(claim_of(
        {"no-more-blocks-than-fit", poster, "more blocks than can be resident at a time bring nothing", "no gain"},
        {time_ratio({"time of scan three-phase (2^18 words) with 112 blocks, 8 an SM, over 448", "x", at_most(1.02)},
                    gathered(112), gathered(448))}));
    const RunSpec curves{"algoparc", "micro", "", 0, {}, "", RunKind::curves};
    claims.push_back(
        claim_of({"warp-wide-blocks-fill-the-bus", poster,
                  "accesses of global memory in blocks of w words reach the most bandwidth there is", "all"},
                 {simulation_test(
                     {"greatest throughput of coalesced copies, of what the modelled DRAM gives", "%", at_least(90)},
                     {curves}, [curves](const Evidence& evidence) {
                         const sim::Platform platform = platform_named("algoparc");
                         double greatest = 0;  // words a cycle and core
                         for (const spt::CurveCell& cell : evidence.run(curves).curves.cells)
                             if (cell.symbol == "g") greatest = std::max(greatest, cell.oversubscription / cell.cycles);
                         constexpr double bytes_a_word = 4;
                         const spt::Machine known = spt::machine_of(platform);
                         const double moved = greatest * bytes_a_word * known.cores * known.sm_count * known.mhz / 1e3;
                         return 100 * moved / (platform.dram.usable_gb_per_s() * platform.dram.efficiency);
                     })}));
}

RunSpec scan(const std::string& variant, const std::string& platform = "c2050") {
    return {platform, "scan", variant, 1U << 18U, {}};
}

Test conflict_test(const RunSpec& run) {
    return counting_test(
        {fmt::format("wavefronts over those needed, {} {}", run.workload, run.variant), "x", {1, 1.0005}},
        {with_counts(run)}, [run](const Evidence& evidence) { return conflicts_of(evidence.run(with_counts(run))); });
}

Test recorded_scans() {
    Test test;
    test.method = Method::recording;
    test.platform = "h200";
    test.role = Role::shows;
    test.what = "time of scan unpadded over padded, 2^20 words";
    test.unit = "x";
    test.accepted = longer();
    test.value = [](const Evidence& evidence) {
        constexpr std::uint64_t n = 1048576;
        return evidence.recorded_cycles("scan", "unpadded", n) / evidence.recorded_cycles("scan", "padded", n);
    };
    return test;
}

void add_algorithms(std::vector<Claim>& claims) {
    claims.push_back(claim_of({"scan-conflict-free", poster, "prefix sums without bank conflicts", "1"},
                              {conflict_test(scan("three-phase"))}));
    claims.push_back(claim_of(
        {"colored-scan-conflict-free", poster, "coloured prefix sums without bank conflicts", "1"},
        {conflict_test(scan("colored"))}, "the poster shows no algorithm of it; ours has a counter a lane and colour"));
    const RunSpec small{"c2050", "sort", "shearsort", 1024, {}};
    claims.push_back(claim_of({"shearsort-conflict-free", poster, "a sort of small inputs without bank conflicts", "1"},
                              {conflict_test(small)}));
    claims.push_back(claim_of(
        {"conflicts-matter-to-scans", poster, "bank conflicts are important for a kernel's time", "slower", Cause::gpu},
        {simulation_test({"time of the block scans of scan unpadded over those of padded, 2^18 words", "x", longer()},
                         {scan("unpadded"), scan("padded")},
                         [](const Evidence& evidence) {
                             return evidence.cycles(scan("unpadded")) / evidence.cycles(scan("padded"));
                         }),
         recorded_scans()},
        "unpadded takes four times the accesses of shared memory (357,888 for 89,088), 48 % of what the modelled C2050 "
        "can serve in its 106,412 cycles, while its schedulers are at 76 % of theirs; padding takes 6 % more "
        "instructions"));
}

/// What the poster's cost model says of a counted run, cycles.
double cost(const RunResult& run, const std::string& part = {}) {
    const auto estimates = rivals::compare(run.profiles, machine("algoparc"));
    if (!estimates) throw InvariantViolation("the models cannot be compared");
    for (const rivals::RivalEstimate& estimate : *estimates) {
        if (estimate.model != "sitchinava-weichert") continue;
        if (part.empty()) return estimate.value;
        for (const rivals::Part& one : estimate.parts)
            if (one.name == part) return one.value;
    }
    throw InvariantViolation("the poster's model is missing");
}

void add_cost_model(std::vector<Claim>& claims) {
    const RunSpec three = scan("three-phase", "algoparc");
    claims.push_back(
        claim_of({"scan-transfers", poster,
                  "a kernel loads a page, works on it and writes it: prefix sums in three kernels move 3 n words", "3"},
                 {counting_test({"words of the sectors moved a word of the input, 2^18 words", "", within_a_tenth(3)},
                                {with_counts(three)},
                                [three](const Evidence& evidence) {
                                    constexpr double words = 1U << 18U;
                                    double sectors = 0;
                                    for (const KernelProfile& launch : evidence.run(with_counts(three)).profiles)
                                        sectors += launch.global_sectors;
                                    return sectors * 8 / words;
                                }),
                  counting_test({"kernels R", "", exactly(3)}, {with_counts(three)}, [three](const Evidence& evidence) {
                      return static_cast<double>(evidence.run(with_counts(three)).profiles.size());
                  })}));
    const RunSpec blocks{"algoparc", "sort", "shearsort", 1U << 17U, {}};
    const std::vector<RunSpec> runs{three, scan("padded", "algoparc"), blocks};
    std::vector<RunSpec> both = runs;
    for (const RunSpec& run : runs) both.push_back(with_counts(run));
    claims.push_back(claim_of(
        {"poster-cost-model", poster,
         "the time is the sum over kernels of t_k + lambda q_k, + sigma R (algoparc: L_g and L_sync of Table 4.2)", "T",
         Cause::model},
        {simulation_test(
             {"greatest factor between it and the simulated time: scan three-phase and padded (2^18 words), "
              "sort shearsort (2^17 keys)",
              "x",
              {1, 1.1}},
             both,
             [runs](const Evidence& evidence) {
                 double greatest = 1;
                 for (const RunSpec& run : runs) {
                     const double ratio = cost(evidence.run(with_counts(run))) / evidence.cycles(run);
                     greatest = std::max({greatest, ratio, 1 / ratio});
                 }
                 return greatest;
             }),
         showing(simulation_test(
             {"of the three the greatest time has also the greatest T (1: yes)", "", exactly(1)}, both,
             [runs](const Evidence& evidence) {
                 const auto longest = [&](auto time) {
                     return std::max_element(
                                runs.begin(), runs.end(),
                                [&](const RunSpec& one, const RunSpec& other) { return time(one) < time(other); })
                         ->key();
                 };
                 return longest([&](const RunSpec& run) { return evidence.cycles(run); }) ==
                                longest([&](const RunSpec& run) { return cost(evidence.run(with_counts(run))); })
                            ? 1.0
                            : 0.0;
             }))},
        "the poster gives no constants; a tenth is what other figures here are held to. Each transfer counts its whole "
        "latency, as if a warp never had two on their way"));
}

}  // namespace

void add_poster(std::vector<Claim>& claims) {
    add_observations(claims);
    add_algorithms(claims);
    add_cost_model(claims);
}

}  // namespace sassafras::validate::claims
