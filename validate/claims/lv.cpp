// J. Lv, 2016.
#include <fmt/format.h>

#include "validate/claims/lv_merges.hpp"
#include "validate/claims/makers.hpp"
#include "validate/claims/quantities.hpp"
#include "validate/claims/table.hpp"

namespace sassafras::validate::claims {

namespace {

constexpr std::uint64_t recorded_keys = 1048576;

/// The thesis' kernels, tuned.
Test printed(const std::string& platform, const std::string& slow, const std::string& quick, Accepted accepted) {
    return lengthy(
        time_ratio({fmt::format("time of merge lv-{} over lv-{}, 2 x 10^6 keys, tuned", slow, quick), "x", accepted},
                   tuned_merge(platform, "lv-" + slow), tuned_merge(platform, "lv-" + quick)));
}

/// Ours, at their defaults.
Test staged(const std::string& platform, const std::string& slow, const std::string& quick, Accepted accepted) {
    return showing(lengthy(time_ratio(
        {fmt::format("time of merge {} over {}, which stage outputs, 2 x 10^6 keys, default shapes", slow, quick), "x",
         accepted},
        {platform, "merge", slow, merged_keys}, {platform, "merge", quick, merged_keys})));
}

Test recorded(const std::string& slow, const std::string& quick, Accepted accepted) {
    Test test;
    test.method = Method::recording;
    test.platform = "h200";
    test.role = Role::shows;
    test.what = fmt::format("time of merge {} over {}, 2^20 keys", slow, quick);
    test.unit = "x";
    test.accepted = accepted;
    test.value = [slow, quick](const Evidence& evidence) {
        return evidence.recorded_cycles("merge", slow, recorded_keys) /
               evidence.recorded_cycles("merge", quick, recorded_keys);
    };
    return test;
}

constexpr const char* needs_old_thrust =
    "needs Thrust's merge of 2016 on that GPU; Thrust has another merge since, and no code for these GPUs runs here";

Claim against_thrust() {
    Claim claim;
    claim.id = "merge-over-thrust";
    claim.source = "Lv 6.2.2, p. 29; figures 6.4, 6.5; abstract";
    claim.statement =
        "single-buffer merge is up to 10 times as fast as Thrust's on a Titan Z and up to 40 times on a GTX 980";
    claim.figure = "10; 40 x";
    claim.obstacle = needs_old_thrust;
    for (const double figure : {10.0, 40.0}) {
        Test test;
        test.method = Method::recording;
        test.platform = "h200";
        test.role = Role::shows;
        test.what = "time of thrust::merge (CUDA 13.0) over merge single-buffer, 10^8 keys";
        test.unit = "x";
        test.accepted = within_a_tenth(figure);
        test.value = [](const Evidence&) {
            constexpr double thrust_us = 314.9;  // docs/comparisons.md, scripts/compare-libraries merge on an H200
            constexpr double ours_us = 528.5;
            return thrust_us / ours_us;
        };
        claim.tests.push_back(test);
    }
    return claim;
}

}  // namespace

RunSpec tuned_merge(const std::string& platform, const std::string& variant) {
    if (variant == "lv-naive") return {platform, "merge", variant, merged_keys, {{"b", 256}, {"blocks", 512}}};
    return {platform, "merge", variant, merged_keys, {{"b", 128}, {"S", 2560}, {"blocks", 512}}};
}

void add_lv(std::vector<Claim>& claims) {
    Claim order;
    order.id = "merge-order";
    order.source = "Lv 6.2.2, p. 28; figures 6.2, 6.3";
    order.statement = "throughput: naive < double buffer < single buffer, on Titan Z and GTX 980";
    order.figure = "order";
    order.cause = Cause::kernel;
    for (const char* platform : {"titan-z", "gtx980"}) {
        order.tests.push_back(printed(platform, "naive", "double-buffer", longer()));
        order.tests.push_back(printed(platform, "double-buffer", "single-buffer", longer()));
    }
    order.tests.push_back(staged("titan-z", "naive", "double-buffer", longer()));
    order.tests.push_back(staged("titan-z", "double-buffer", "single-buffer", longer()));
    order.tests.push_back(recorded("naive", "double-buffer", longer()));
    order.tests.push_back(recorded("double-buffer", "single-buffer", longer()));
    order.remark =
        "the thesis takes the best of 54 choices of blocks, threads and shared memory for each size; here the best for "
        "2^20 keys of b = 128, 256 and S = 2,048, 2,560 with 512 blocks, the same on both (merge --tune has them all). "
        "With so little shared memory a thread of the double buffer has one output an iteration, and two searches for "
        "it: 93 % of its shared requests";
    claims.push_back(order);

    Claim gain;
    gain.id = "merge-optimisations";
    gain.source = "Lv 6.2.2, p. 30; figure 6.6";
    gain.statement =
        "fewer co-rank calls and selection in place of branches make single-buffer 1.5 times as fast on Titan Z";
    gain.figure = "1.5 x";
    gain.cause = Cause::kernel;
    gain.remark =
        "1.37 when every LDS of titan-z took L_s, 112 cycles, in place of the published 26: the verdict hangs on it";
    gain.tests = {printed("titan-z", "single-buffer", "single-buffer-half-select", within_a_tenth(1.5)),
                  staged("titan-z", "single-buffer", "single-buffer-half-select", within_a_tenth(1.5)),
                  recorded("single-buffer", "single-buffer-half-select", within_a_tenth(1.5))};
    claims.push_back(gain);

    claims.push_back(against_thrust());
    Claim small;
    small.id = "naive-merge-over-thrust-small";
    small.source = "Lv chapter 1, p. 1; figure 1.1";
    small.statement = "from 1K to 1M keys the naive merge is faster than Thrust's on a GTX 980";
    small.figure = "1K to 1M";
    small.obstacle = needs_old_thrust;
    claims.push_back(small);

    Claim processors;
    processors.id = "merge-on-cpu";
    processors.source = "Lv 6.2.1, p. 26; figure 6.1";
    processors.statement =
        "with 8 threads of a Core i7-4960HQ, merging by co-ranks is up to 5 times as fast as sequential";
    processors.figure = "5 x";
    processors.obstacle = "a claim about a CPU; tests/bench/merge_bench.cpp runs both on the machine at hand";
    claims.push_back(processors);
}

}  // namespace sassafras::validate::claims
