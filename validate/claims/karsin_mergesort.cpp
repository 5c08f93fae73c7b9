// 7.1 and 7.2.
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "validate/claims/quantities.hpp"
#include "validate/claims/table.hpp"

namespace sassafras::validate::claims {

namespace {

using spt::Bound;
using spt::Estimate;
using spt::Reading;

constexpr double thesis_keys = 1e8;
/// 10^8 / 2^8: the same place between powers of two of the number of tiles, so rounds are rounded up alike; 8 fewer.
constexpr std::uint64_t simulated_keys = 390625;

Estimate thesis_sort(const std::string& platform, double each, Reading reading, double search_beta = 3.1,
                     double merge_beta = 2.2) {
    return estimate_on(
        platform, spt::mgpu_mergesort(machine(platform), {thesis_keys, each, 128, search_beta, merge_beta}, reading));
}

double best_each(Reading reading) {
    std::vector<Candidate> candidates;
    constexpr double most = 63;
    for (double each = 2; each <= most; ++each)
        candidates.push_back({each, thesis_sort("algoparc", each, reading).cycles});
    return best_parameter(candidates);
}

double conflict_percent(Reading reading) {
    constexpr double each = 31;
    constexpr double percent = 100;
    return percent *
           (1 - thesis_sort("algoparc", each, reading, 1, 1).cycles / thesis_sort("algoparc", each, reading).cycles);
}

RunSpec mgpu(std::int64_t each, std::int64_t threads = 128) {
    return {"algoparc", "sort", "mgpu", simulated_keys, {{"E", each}, {"b", threads}}};
}

RunSpec counted(std::int64_t each) {
    constexpr std::uint64_t tiles = 128;
    constexpr std::int64_t threads = 128;
    RunSpec run{
        "algoparc", "sort", "mgpu", static_cast<std::uint64_t>(each * threads) * tiles, {{"E", each}, {"b", threads}}};
    run.kind = RunKind::conflicts;
    return run;
}

Claim beta_claim(const std::string& id, const std::string& source, const std::string& statement, double figure,
                 double RunResult::*beta) {
    Claim claim;
    claim.id = id;
    claim.source = source;
    claim.statement = statement;
    claim.figure = fmt::format("{}", figure);
    for (const std::int64_t each : {31, 15}) {
        Test test;
        test.method = Method::counting;
        test.platform = "algoparc";
        test.role = each == 31 ? Role::decides : Role::shows;
        test.what =
            fmt::format("accesses a request, E = {}, b = 128, 128 tiles of random keys (docs/conflicts.md)", each);
        test.accepted = within_a_tenth(figure);
        test.runs = {counted(each)};
        test.value = [run = test.runs[0], beta](const Evidence& evidence) { return evidence.run(run).*beta; };
        claim.tests.push_back(test);
    }
    claim.remark =
        "the thesis does not say at which E it counted, nor over which requests; E = 31 is where it draws its "
        "shares. docs/conflicts.md had counted these means before this criterion was written";
    return claim;
}

void add_betas(std::vector<Claim>& claims) {
    claims.push_back(beta_claim("beta-search", "Karsin 7.1.3, p. 65",
                                "random keys: partitioning in shared memory costs beta_1 accesses a request", 3.1,
                                &RunResult::partitioning_beta));
    claims.back().remark += ". E = 15, MGPU's own, gives 2.70 and would differ: the verdict hangs on which E is meant";
    claims.push_back(beta_claim("beta-merge", "Karsin 7.1.3, p. 65",
                                "random keys: merging in shared memory costs beta_2 accesses a request", 2.2,
                                &RunResult::merging_beta));
    claims.push_back(beta_claim("beta-merge-in-prose", "Karsin 7.1.4, p. 67",
                                "\"beta for merging and partitioning phases to be 3.1 and 2.2, respectively\": merging",
                                3.1, &RunResult::merging_beta));
    claims.back().cause = Cause::source;
    claims.back().remark += ". The sentence has the two the other way round than 7.1.3";
}

void add_best_each(std::vector<Claim>& claims) {
    Claim best;
    best.id = "mergesort-best-E";
    best.source = "Karsin 7.1.4, p. 65; figure 7.1; slides of ICS 2018";
    best.statement =
        "on algoparc E = 31 is best and better than MGPU's 15; the model says so, the measurement confirms";
    best.figure = "31";
    best.tests = {{Method::formula,
                   "algoparc",
                   Role::decides,
                   "best E of 2 to 63, N = 10^8, b = 128, as printed",
                   "",
                   exactly(31),
                   {},
                   [](const Evidence&) { return best_each(Reading::printed); }},
                  {Method::formula,
                   "algoparc",
                   Role::shows,
                   "the same, reconstructed (docs/spt.md)",
                   "",
                   exactly(31),
                   {},
                   [](const Evidence&) { return best_each(Reading::reconstructed); }}};
    Test test;
    test.method = Method::simulation;
    test.platform = "algoparc";
    test.what = "best E of 11, 15, 17, 31 for sort mgpu, b = 128 (256 for 17), 390,625 random keys";
    test.accepted = exactly(31);
    test.runs = {mgpu(11), mgpu(15), mgpu(17, 256), mgpu(31)};
    test.value = [runs = test.runs](const Evidence& evidence) {
        std::vector<Candidate> candidates;
        candidates.reserve(runs.size());
        for (const RunSpec& run : runs)
            candidates.push_back({static_cast<double>(run.parameters.front().second), evidence.cycles(run)});
        return best_parameter(candidates);
    };
    best.tests.push_back(test);
    test.what = "time with E = 15 over E = 31, as above";
    test.unit = "x";
    test.accepted = longer();
    test.runs = {mgpu(15), mgpu(31)};
    test.value = [runs = test.runs](const Evidence& evidence) {
        return evidence.cycles(runs[0]) / evidence.cycles(runs[1]);
    };
    test.note = "one round of 9 fewer with E = 31, where the thesis has one of 17 fewer: the gain looks larger here";
    best.tests.push_back(test);
    test.role = Role::shows;
    test.what = "the same for 10^8 keys: base case and 16 or 15 mean merge passes";
    test.value = [runs = test.runs](const Evidence& evidence) {
        return with_mean_passes(evidence.run(runs[0]), 16) / with_mean_passes(evidence.run(runs[1]), 15);
    };
    test.note = "passes over more keys than L2 holds take longer a key; ratios less so";
    best.tests.push_back(test);
    best.remark =
        "with E = 31 an SM holds half as many warps as with 15 to hide a shared load. When every LDS of algoparc took "
        "L_s, 86 cycles, 17 was best here; with the published 24 it is 31 (docs/spt-instances.md)";
    best.cause = Cause::model;
    claims.push_back(best);
}

void add_mergesort_error(std::vector<Claim>& claims) {
    Claim error;
    error.id = "mergesort-error";
    error.source = "Karsin 7.1.4, p. 65";
    error.statement = "SPT estimates MGPU's mergesort with this mean error on algoparc";
    error.figure = "7.48 %";
    error.cause = Cause::model;
    error.remark =
        "T and the error bound the author's measured time, which is published as a figure only; the verdict says "
        "whether the simulated time lies within";
    Test test;
    test.method = Method::simulation;
    test.platform = "algoparc";
    test.runs = {mgpu(15), mgpu(31)};
    for (const Reading reading : {Reading::printed, Reading::reconstructed}) {
        test.what = fmt::format("mean |T / simulated - 1| of sort mgpu, E = 15 and 31, 390,625 keys, {}",
                                reading == Reading::printed ? "as printed" : "reconstructed");
        test.unit = "%";
        test.accepted = at_most(7.48);
        test.role = reading == Reading::printed ? Role::decides : Role::shows;
        test.value = [runs = test.runs, reading](const Evidence& evidence) {
            return mean_error_percent(evidence, runs, reading);
        };
        test.note =
            "the thesis says that its model is too fast below 20 million keys; the modelled GPU was fitted to Table "
            "4.2, not to sorts";
        error.tests.push_back(test);
    }
    claims.push_back(error);
}

void add_mergesort_shares(std::vector<Claim>& claims) {
    Claim share;
    share.id = "mergesort-global-share";
    share.source = "Karsin 7.1.4, p. 65; figure 7.2";
    share.statement =
        "the model has 65 to 80 % of the mergesort's time in global memory, on all three machines (E = 31)";
    share.figure = "65 to 80 %";
    for (const Reading reading : {Reading::printed, Reading::reconstructed})
        for (const char* platform : {"algoparc", "gibson", "uhhpc"})
            share.tests.push_back({Method::formula,
                                   platform,
                                   reading == Reading::printed ? Role::decides : Role::shows,
                                   fmt::format("T_g / T, N = 10^8, E = 31, b = 128, {}",
                                               reading == Reading::printed ? "as printed" : "reconstructed"),
                                   "%",
                                   {65, 80},
                                   {},
                                   [platform, reading](const Evidence&) {
                                       return share_percent(thesis_sort(platform, 31, reading), "g");
                                   }});
    share.cause = Cause::model;
    share.remark = "docs/spt.md says what the reconstruction is: it was made so that algoparc comes out";
    claims.push_back(share);

    Claim conflicts;
    conflicts.id = "mergesort-conflict-share";
    conflicts.source = "Karsin 7.1.4, p. 67";
    conflicts.statement = "bank conflicts contribute 15 to 20 % to the mergesort's time";
    conflicts.figure = "15 to 20 %";
    conflicts.cause = Cause::model;
    for (const Reading reading : {Reading::printed, Reading::reconstructed})
        conflicts.tests.push_back({Method::formula,
                                   "algoparc",
                                   reading == Reading::printed ? Role::decides : Role::shows,
                                   fmt::format("1 - T(beta = 1) / T, N = 10^8, E = 31, {}",
                                               reading == Reading::printed ? "as printed" : "reconstructed"),
                                   "%",
                                   {15, 20},
                                   {},
                                   [reading](const Evidence&) { return conflict_percent(reading); }});
    conflicts.remark = "the two readings of the formula lie on either side of the range";
    claims.push_back(conflicts);
}

Estimate koike(double ways) {
    constexpr double keys = 536870912;  // 2^29
    return estimate_on("algoparc", spt::koike_sadakane_mergesort(machine("algoparc"), {keys, ways}, Reading::printed));
}

double first_latency_bound(const std::string& symbol) {
    constexpr double most = 64;
    for (double ways = 2; ways <= most; ++ways)
        if (bound_of(koike(ways), symbol) == Bound::latency) return ways;
    return most + 1;
}

void add_koike(std::vector<Claim>& claims) {
    Claim bound;
    bound.id = "koike-sadakane-latency-bound";
    bound.source = "Karsin 7.2.3, p. 70";
    bound.statement =
        "Koike and Sadakane's mergesort on algoparc is bound by latency from K = 3 (shared) and K = 6 (global memory)";
    bound.figure = "3; 6";
    bound.cause = Cause::source;
    bound.tests = {{Method::formula,
                    "algoparc",
                    Role::decides,
                    "least K with L_s / M > 1 / B_s",
                    "",
                    exactly(3),
                    {},
                    [](const Evidence&) { return first_latency_bound("s"); }},
                   {Method::formula,
                    "algoparc",
                    Role::decides,
                    "least K with L_g / M > 1 / B_g",
                    "",
                    exactly(6),
                    {},
                    [](const Evidence&) { return first_latency_bound("g"); }}};
    bound.remark =
        "at K = 6 L_g / M is 269.5 / 8.73, 31 whole cycles; 1 / B_g is 33.2. 7.3.3 (p. 76) recalls the threshold as "
        "K > 4";
    claims.push_back(bound);

    Claim share;
    share.id = "koike-sadakane-shared-share";
    share.source = "Karsin 7.2.3, p. 70; figure 7.5";
    share.statement = "at K = 32 more than 75 % of its time are shared memory accesses";
    share.figure = "75 %";
    share.tests = {{Method::formula,
                    "algoparc",
                    Role::decides,
                    "T_s / T, N = 2^29, K = 32",
                    "%",
                    {75, 100},
                    {},
                    [](const Evidence&) { return share_percent(koike(32), "s"); }}};
    claims.push_back(share);
}

}  // namespace

void add_karsin_mergesort(std::vector<Claim>& claims) {
    add_betas(claims);
    add_best_each(claims);
    add_mergesort_error(claims);
    add_mergesort_shares(claims);
    add_koike(claims);
}

}  // namespace sassafras::validate::claims
