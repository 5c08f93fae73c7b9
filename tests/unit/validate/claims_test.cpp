// Verdicts and evaluators on made-up evidence, so that either verdict can be had; and what the table must hold.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <new>
#include <set>
#include <vector>

#include "sim/platform/platform_reader.hpp"
#include "validate/claims/execute.hpp"
#include "validate/claims/quantities.hpp"
#include "validate/claims/table.hpp"
#include "workloads/selection.hpp"

using namespace sassafras::validate;
using namespace sassafras::validate::claims;
namespace workloads = sassafras::workloads;

namespace {

Test test_of(double value, Accepted accepted, Role role = Role::decides) {
    Test test;
    test.platform = "gibson";
    test.role = role;
    test.accepted = accepted;
    test.value = [value](const Evidence&) { return value; };
    return test;
}

Finding judged(std::vector<Test> tests, const std::string& obstacle = {}, Extent extent = Extent::usual) {
    Claim claim;
    claim.id = "made-up";
    claim.tests = std::move(tests);
    claim.obstacle = obstacle;
    claim.cause = Cause::kernel;
    Finding finding = evaluate({claim}, {}, extent).front();
    finding.claim = nullptr;  // it dies here
    return finding;
}

const Claim& claim_named(const std::vector<Claim>& claims, const std::string& id) {
    for (const Claim& claim : claims)
        if (claim.id == id) return claim;
    throw std::runtime_error("no claim " + id);
}

/// Verdict of a claim of the table on simulated cycles that are made up by `cycles`.
Verdict verdict_of(const std::string& id, const std::function<double(const RunSpec&)>& cycles) {
    const std::vector<Claim> all = all_claims();
    const std::vector<Claim> one{claim_named(all, id)};
    Evidence evidence;
    for (const RunSpec& run : needed_runs(one, Extent::full)) {
        RunResult result;
        result.cycles = cycles(run);
        result.launches = {{"sort", 100}, {"merge", 900}};
        evidence.runs.emplace(run.key(), result);
    }
    for (const char* variant : {"naive", "regtile"}) evidence.recorded[recorded_key("gemm", variant, 512)] = 1;
    for (const char* variant : {"mgpu", "mms"}) evidence.recorded[recorded_key("sort", variant, 1048576)] = 1;
    for (const char* variant : {"pbs", "pbs-cl"}) evidence.recorded[recorded_key("search", variant, 1048576)] = 1;
    for (const char* variant : {"naive", "double-buffer", "single-buffer"})
        evidence.recorded[recorded_key("merge", variant, 1048576)] = 1;
    return evaluate(one, evidence, Extent::full).front().verdict;
}

/// A run of every kind at once.
RunResult made_up(double cycles) {
    RunResult run{cycles, {{"sort", 100}, {"merge", 900}}, 2, 3};
    for (const char* phase : {"search: reads", "search: stage 1", "search: stage 2", "merge: co-rank search"})
        run.phases[phase] = {10, 20};
    for (const char* name : {"shearsort_u32", "mms_merge_u32", "koike_sadakane_partition"}) {
        KernelProfile launch;
        launch.name = name;
        launch.blocks = 1;
        launch.threads_per_block = 32;
        launch.registers_per_thread = 32;
        launch.shared_words_per_block = 960;
        launch.arithmetic = launch.global = launch.shared = launch.barriers = 1e6;
        launch.global_sectors = 1e9;
        launch.shared_wavefronts = launch.shared_wavefronts_ideal = 1e6;
        launch.thread_instructions = 1e6;
        run.profiles.push_back(launch);
    }
    run.instructions = {{"FFMA", 1e6}, {"FADD", 1e6}, {"FMUL", 1e6}};
    for (const char* symbol : {"g", "s", "r", "y"})
        for (const double oversubscription : {1.0, 2.0, 4.0, 8.0, 16.0})
            for (const std::uint32_t ilp : {1U, 2U, 4U, 8U})
                run.curves.cells.push_back({symbol, "", oversubscription, ilp, 0, 100});
    for (const std::uint32_t kernels : {1U, 8U, 16U}) run.curves.syncs.push_back({1, 0, kernels, 100.0 * kernels});
    return run;
}

std::int64_t parameter(const RunSpec& run, const std::string& name) {
    for (const auto& [known, value] : run.parameters)
        if (known == name) return value;
    throw std::runtime_error("no parameter " + name);
}

}  // namespace

TEST_CASE("a verdict follows from the tests that decide") {
    CHECK(judged({test_of(31, exactly(31))}).verdict == Verdict::reproduced);
    CHECK(judged({test_of(32, exactly(31))}).verdict == Verdict::differs);
    CHECK(judged({test_of(31, exactly(31)), test_of(1, longer())}).verdict == Verdict::differs);
    CHECK(judged({test_of(31, exactly(31)), test_of(1, longer(), Role::shows)}).verdict == Verdict::reproduced);
    const Finding untested = judged({test_of(1, at_most(2), Role::shows)}, "its times are not published");
    CHECK(untested.verdict == Verdict::cannot_be_tested);
    CHECK(untested.reason == "its times are not published");
    CHECK(untested.outcomes.front().agrees);
}

TEST_CASE("the reason has the value and what would have been accepted") {
    CHECK(judged({test_of(0.9, longer())}).reason == "formula on gibson: 0.9, accepted more than 1");
    CHECK(judged({test_of(7, exactly(6)), test_of(3, exactly(3))}).reason == "formula on gibson: 7, accepted 6");
}

TEST_CASE("what is left out is not asked, and nothing is reproduced without it") {
    Test lengthy = test_of(0, exactly(0));
    lengthy.lengthy = true;
    lengthy.value = [](const Evidence&) -> double { throw std::runtime_error("asked"); };
    Test minutes = lengthy;
    minutes.lengthy = false;
    minutes.full = true;
    for (const auto& [left_out, extent] :
         {std::pair{lengthy, Extent::quick}, {minutes, Extent::quick}, {minutes, Extent::usual}}) {
        const Finding finding = judged({test_of(31, exactly(31)), left_out}, {}, extent);
        CHECK(finding.verdict == Verdict::not_run);
        CHECK_FALSE(finding.outcomes[1].ran);
        CHECK(finding.reason.find("left out") != std::string::npos);
        CHECK(judged({test_of(30, exactly(31)), left_out}, {}, extent).verdict == Verdict::differs);
    }
    CHECK_THROWS(judged({lengthy}));
    CHECK_THROWS(judged({minutes}, {}, Extent::full));
}

TEST_CASE("a difference has a cause, an agreement none") {
    CHECK(judged({test_of(30, exactly(31))}).cause == Cause::kernel);
    CHECK(judged({test_of(31, exactly(31))}).cause == Cause::none);
    CHECK(judged({}, "no").cause == Cause::none);
    CHECK(name_of(Cause::gpu) == "GPU");
    CHECK(name_of(Cause::none).empty());
}

TEST_CASE("accepted values include both ends; longer means more than 1") {
    CHECK(within_a_tenth(6.6).holds(5.95));
    CHECK_FALSE(within_a_tenth(6.6).holds(5.93));
    CHECK_FALSE(within_a_tenth(6.6).holds(7.27));
    CHECK(Accepted{65, 80}.holds(65));
    CHECK(Accepted{65, 80}.holds(80));
    // "by 11.48 %": half of the gain is 0.0574 to either side; a tenth of the ratio would accept a gain of 0.3 %
    CHECK(gain_of(1.1148).holds(1.06));
    CHECK_FALSE(gain_of(1.1148).holds(1.0335));
    CHECK_FALSE(gain_of(1.1148).holds(1.175));
    // "1.67 times": a tenth, 0.167, is less than half of the gain
    CHECK(gain_of(1.67).holds(1.51));
    CHECK_FALSE(gain_of(1.67).holds(1.49));
    CHECK_FALSE(longer().holds(1));
    CHECK(longer().holds(1.0001));
    CHECK(at_most(3.8).holds(0));
    CHECK_FALSE(at_most(3.8).holds(3.81));
    for (const Accepted& accepted : {longer(), at_most(1), exactly(1)}) CHECK_FALSE(accepted.holds(NAN));
    CHECK(text_of(Accepted{65, 80}, "%") == "65 to 80 %");
    CHECK(text_of(at_most(3.8), "%") == "at most 3.8 %");
    CHECK(text_of(longer(), "x") == "more than 1 x");
    CHECK(text_of(exactly(128), "") == "128");
    CHECK(text_of(2.978, "x") == "2.98 x");
}

TEST_CASE("mean errors, best parameters, passes by hand") {
    CHECK(mean_error_percent(std::vector<std::pair<double, double>>{{110, 100}, {70, 100}}) == Approx(20));
    CHECK(best_parameter(std::vector<Candidate>{{4, 9}, {8, 7}, {16, 7}, {32, 8}}) == 8);
    const RunResult run{
        0,
        {{"shearsort_u32", 5}, {"mms_partition_u32_K8", 1}, {"mms_merge_u32_K8", 10}, {"mms_merge_u32_K8", 7}},
        0,
        0};
    const SortPasses sort = passes_of(run);
    CHECK(sort.base == 5);
    CHECK(sort.passes == std::vector<double>{11, 7});
    // 1,000 keys: base 5, pass 11; 500 keys: base 3, pass 8. So a key more costs 2 / 500 and 3 / 500.
    const RunResult half{0, {{"shearsort_u32", 3}, {"mms_partition_u32_K8", 1}, {"mms_merge_u32_K8", 7}}, 0, 0};
    CHECK(continued(half, run, 1000, 1000, 3) == Approx(5 + 33));
    CHECK(continued(half, run, 1000, 2000, 3) == Approx(5 + 4 + 3 * (11 + 6)));
    CHECK(with_mean_passes(run, 4) == 5 + 36);
}

TEST_CASE("a run's formula is that of its own parameters on its platform's machine") {
    const RunSpec run{"gibson", "gemm", "magma", 1536, {{"K", 192}, {"N_TB", 128}, {"lambda", 16}, {"b", 256}}};
    const auto algorithm = spt::magma_gemm(machine("gibson"), {1536, 1536, 192}, {128, 16, 256}, true);
    CHECK(formula_cycles(run, spt::Reading::printed) == Approx(estimate_on("gibson", algorithm).cycles));
    Evidence evidence;
    evidence.runs[run.key()].cycles = formula_cycles(run, spt::Reading::printed) / 1.25;
    CHECK(mean_error_percent(evidence, std::vector<RunSpec>{run}, spt::Reading::printed) == Approx(25));
}

TEST_CASE("recordings are found by workload, variant and size") {
    const std::vector<RecordedRun> runs{{"gemm", "naive", 512, 1, 100, 90, 110}, {"gemm", "naive", 256, 1, 40, 40, 40}};
    Evidence evidence;
    evidence.recorded = recorded_cycles_of(runs);
    CHECK(evidence.recorded_cycles("gemm", "naive", 512) == 100);
    CHECK_THROWS_AS(evidence.recorded_cycles("gemm", "naive", 128), sassafras::InvariantViolation);
}

TEST_CASE("runs: each once, and those that --quick leaves out are not needed") {
    const RunSpec run{"gibson", "sort", "mms", 1024, {{"K", 8}}};
    Claim claim;
    claim.tests = {test_of(1, longer()), test_of(1, longer()), test_of(1, longer())};
    claim.tests[0].runs = {run, run.on("uhhpc")};
    claim.tests[1].runs = {run};
    claim.tests[2].runs = {run.on("algoparc")};
    claim.tests[2].lengthy = true;
    CHECK(needed_runs({claim}, Extent::usual).size() == 3);
    CHECK(needed_runs({claim}, Extent::quick).size() == 2);
    RunSpec counted = run;
    counted.kind = RunKind::conflicts;
    CHECK(counted.key() != run.key());
}

TEST_CASE("the table: every claim can be told apart, has a source, and either a test that decides or an obstacle") {
    std::set<std::string> ids;
    for (const Claim& claim : all_claims()) {
        INFO(claim.id);
        CHECK(ids.insert(claim.id).second);
        CHECK_FALSE(claim.source.empty());
        CHECK_FALSE(claim.statement.empty());
        CHECK_FALSE(claim.figure.empty());
        bool decides = false;
        for (const Test& test : claim.tests) {
            CHECK_FALSE(test.what.empty());
            CHECK(test.value);
            CHECK(test.accepted.least <= test.accepted.most);
            decides = decides || test.role == Role::decides;
            // one GPU says nothing of another
            if (test.method == Method::recording) CHECK(test.role == Role::shows);
        }
        CHECK(decides == claim.obstacle.empty());
    }
    CHECK(ids.size() >= 90);
    const std::vector<Claim> all = all_claims();
    CHECK(std::count_if(all.begin(), all.end(), [](const Claim& claim) { return !claim.obstacle.empty(); }) <= 5);
    // what issue 5 asks for at least
    for (const char* id : {"gemm-error-algoparc",
                           "gemm-error-gibson",
                           "gemm-best-tile",
                           "gemm-local-memory",
                           "search-error-sorted-algoparc",
                           "search-error-bst-algoparc",
                           "search-error-btree-algoparc",
                           "bst-beats-sorted",
                           "btree-beats-sorted",
                           "pbs-cl-speedup",
                           "beta-search",
                           "beta-merge",
                           "mergesort-best-E",
                           "mergesort-error",
                           "mergesort-global-share",
                           "mms-best-K-algoparc",
                           "mms-best-K-gibson",
                           "mms-best-K-uhhpc",
                           "koike-sadakane-latency-bound",
                           "mms-beats-pairwise-algoparc",
                           "mms-beats-pairwise-gibson",
                           "mms-beats-pairwise-uhhpc",
                           "mms-beats-pairwise-conflict-heavy",
                           "merge-order",
                           "merge-optimisations",
                           "merge-over-thrust",
                           "sgemm-speedup-c2050",
                           "sgemm-speedup-gtx960",
                           "stencil-speedup-c2050",
                           "rk4-coalesced",
                           "rk4-shared",
                           "rk4-three-arrays",
                           "rk4-registers",
                           "rk4-float-literals",
                           // and issue 15
                           "shared-saturates-at-20",
                           "theorem-6-2-1",
                           "corollary-6-2-1",
                           "pbs-cf-conflict-free",
                           "koike-sadakane-conflict-free",
                           "pbs-cl-worst-stage-2",
                           "mms-memory",
                           "mms-rank",
                           "costlier-comparisons",
                           "naive-merge-over-thrust-small",
                           "single-buffer-wastes-half",
                           "co-rank-calls-halved",
                           "selection-without-divergence",
                           "double-buffer-registers",
                           "class-of-table-6.1",
                           "class-of-table-6.17",
                           "peaks-c2050",
                           "mix-lowers-the-ceiling",
                           "poster-cost-model"})
        CHECK(ids.contains(id));
}

TEST_CASE("the table: tests ask for no run that they did not name, and all runs can be made") {
    Evidence recordings;
    const auto recorded = recorded_runs("h200");
    REQUIRE(recorded.ok());
    recordings.recorded = recorded_cycles_of(*recorded);
    for (const Claim& claim : all_claims())
        for (const Test& test : claim.tests) {
            INFO(claim.id << ": " << test.what);
            Evidence evidence = recordings;
            double cycles = 0;
            for (const RunSpec& run : test.runs) {
                CHECK(sassafras::sim::load_platform(run.platform).ok());
                workloads::WorkloadRequest request;
                request.name = run.workload;
                request.variant = run.variant;
                request.n = run.n;
                request.parameters.insert(run.parameters.begin(), run.parameters.end());
                const auto info = workloads::find(run.workload);
                REQUIRE(info.ok());
                CHECK(workloads::select(*info, request).ok());
                cycles += 1000;  // no two alike, as some tests take differences
                evidence.runs[run.key()] = made_up(cycles);
            }
            CHECK(test.value(evidence) >= 0);
        }
}

TEST_CASE("the table: how much GPU-MMS gains, and which K is best, is decided at the size that is simulated") {
    const auto mgpu_takes = [](double factor) {
        return [factor](const RunSpec& run) { return run.variant == "mgpu" ? factor : 1; };
    };
    CHECK(verdict_of("mms-beats-pairwise-uhhpc", mgpu_takes(1.11)) == Verdict::reproduced);
    CHECK(verdict_of("mms-beats-pairwise-uhhpc", mgpu_takes(1.03)) == Verdict::differs);
    CHECK(verdict_of("mms-beats-pairwise-uhhpc", mgpu_takes(1.2)) == Verdict::differs);
    // Best at 491,520 keys, K = 8; what the continuation to 2^28 makes of it does not matter.
    const auto best_at = [](std::int64_t ways) {
        return [ways](const RunSpec& run) { return parameter(run, "K") == ways ? 1 : 2; };
    };
    CHECK(verdict_of("mms-best-K-gibson", best_at(8)) == Verdict::reproduced);
    CHECK(verdict_of("mms-best-K-gibson", best_at(4)) == Verdict::differs);
}

TEST_CASE("the table: claims are reproduced where cycles are as claimed, and not where they are not") {
    const auto baseline_takes = [](double factor) {
        return [factor](const RunSpec& run) { return run.variant == "parboil-base" ? factor : 1; };
    };
    CHECK(verdict_of("sgemm-speedup-c2050", baseline_takes(6.6)) == Verdict::reproduced);
    CHECK(verdict_of("sgemm-speedup-c2050", baseline_takes(5)) == Verdict::differs);

    const auto pbs_takes = [](double factor) {
        return [factor](const RunSpec& run) {
            return run.variant == "pbs" && run.platform == "gibson" && parameter(run, "K") == 4096 ? factor : 1;
        };
    };
    CHECK(verdict_of("pbs-cl-speedup", pbs_takes(2.98)) == Verdict::reproduced);
    CHECK(verdict_of("pbs-cl-speedup", pbs_takes(5)) == Verdict::differs);  // "up to" is no lower bound

    // naive > double-buffer > single-buffer in time, on both GPUs
    const auto order = [](const RunSpec& run) {
        return run.variant == "naive" ? 3.0 : run.variant == "double-buffer" ? 2.0 : 1.0;
    };
    CHECK(verdict_of("merge-order", order) == Verdict::reproduced);
    CHECK(verdict_of("merge-order", [&](const RunSpec& run) {
              return run.platform == "gtx980" && run.variant == "naive" ? 1.5 : order(run);
          }) == Verdict::differs);

    // Cycles of a multiplication: depth 96 less depth 32, over N_TB^2
    const auto best_at = [](std::int64_t tile) {
        return [tile](const RunSpec& run) {
            const auto size = static_cast<double>(parameter(run, "N_TB"));
            const double each = parameter(run, "N_TB") == tile ? 1 : 2;
            return 50 + size * size * each * static_cast<double>(parameter(run, "K"));
        };
    };
    CHECK(verdict_of("gemm-best-tile", best_at(128)) == Verdict::reproduced);
    CHECK(verdict_of("gemm-best-tile", best_at(160)) == Verdict::differs);
}

TEST_CASE("what a run throws for want of memory comes out, on whichever thread it was") {
    const std::vector<RunSpec> runs(8);
    const auto fail = [](std::size_t, std::size_t, const RunSpec&) { throw std::bad_alloc(); };
    for (const std::uint32_t threads : {1U, 4U}) CHECK_THROWS_AS(execute(runs, threads, fail), std::bad_alloc);
}
