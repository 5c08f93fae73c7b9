// What the table of claims must hold, and its verdicts on made-up evidence.
#include <catch2/catch.hpp>

#include <algorithm>
#include <set>
#include <stdexcept>
#include <vector>

#include "sim/platform/platform_reader.hpp"
#include "validate/claims/table.hpp"
#include "workloads/selection.hpp"

using namespace sassafras::validate;
using namespace sassafras::validate::claims;
namespace workloads = sassafras::workloads;

namespace {

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
        launch.thread_instructions = launch.global_lane_loads = 1e6;
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
    for (const char* id :
         {"gemm-error-algoparc", "gemm-error-gibson", "gemm-best-tile", "gemm-local-memory",
          "search-error-sorted-algoparc", "search-error-bst-algoparc", "search-error-btree-algoparc",
          "bst-beats-sorted", "btree-beats-sorted", "pbs-cl-speedup", "beta-search", "beta-merge", "mergesort-best-E",
          "mergesort-error", "mergesort-global-share", "mms-best-K-algoparc", "mms-best-K-gibson", "mms-best-K-uhhpc",
          "koike-sadakane-latency-bound", "mms-beats-pairwise-algoparc", "mms-beats-pairwise-gibson",
          "mms-beats-pairwise-uhhpc", "mms-beats-pairwise-conflict-heavy", "merge-order", "merge-optimisations",
          "merge-over-thrust", "sgemm-speedup-c2050", "sgemm-speedup-gtx960", "stencil-speedup-c2050", "rk4-coalesced",
          "rk4-shared", "rk4-three-arrays", "rk4-registers", "rk4-float-literals",
          // and issue 15
          "shared-saturates-at-20", "theorem-6-2-1", "corollary-6-2-1", "pbs-cf-conflict-free",
          "koike-sadakane-conflict-free", "pbs-cl-worst-stage-2", "mms-memory", "mms-rank", "costlier-comparisons",
          "naive-merge-over-thrust-small", "single-buffer-wastes-half", "co-rank-calls-halved",
          "selection-without-divergence", "double-buffer-registers", "class-of-table-6.1", "class-of-table-6.17",
          "peaks-c2050", "mix-lowers-the-ceiling", "poster-cost-model"})
        CHECK(ids.contains(id));
}

TEST_CASE("the table: tests ask for no run that they did not name, and all runs can be made") {
    Evidence recordings;
    const auto recorded = recorded_runs("h200");
    REQUIRE(recorded.ok());
    recordings.recorded = recorded_cycles_of(*recorded);
    const auto comparators = comparator_runs();
    REQUIRE(comparators.ok());
    recordings.comparators = *comparators;
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
        return run.variant == "lv-naive" ? 3.0 : run.variant == "lv-double-buffer" ? 2.0 : 1.0;
    };
    CHECK(verdict_of("merge-order", order) == Verdict::reproduced);
    CHECK(verdict_of("merge-order", [&](const RunSpec& run) {
              return run.platform == "gtx980" && run.variant == "lv-naive" ? 1.5 : order(run);
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
