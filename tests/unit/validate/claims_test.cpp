// Verdicts and evaluators on made-up evidence, so that either verdict can be had.
#include <catch2/catch.hpp>

#include <cmath>
#include <new>
#include <vector>

#include "validate/claims/claim.hpp"
#include "validate/claims/execute.hpp"
#include "validate/claims/quantities.hpp"

using namespace sassafras::validate;
using namespace sassafras::validate::claims;

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

TEST_CASE("what a run throws for want of memory comes out, on whichever thread it was") {
    const std::vector<RunSpec> runs(8);
    const auto fail = [](std::size_t, std::size_t, const RunSpec&) { throw std::bad_alloc(); };
    for (const std::uint32_t threads : {1U, 4U}) CHECK_THROWS_AS(execute(runs, threads, fail), std::bad_alloc);
}
