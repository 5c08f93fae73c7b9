// What `sort` launches for a request, what it refuses, its inputs, and that its checks of a result can fail.
#include <algorithm>

#include <catch2/catch.hpp>

#include "core/random.hpp"
#include "tests/unit/workloads/scripted_device.hpp"
#include "workloads/inputs.hpp"
#include "workloads/sort/elements.hpp"
#include "workloads/sort/sort.hpp"
#include "workloads/workload.hpp"

using namespace sassafras;
using namespace sassafras::workloads;
using sassafras::test::ScriptedDevice;

namespace {

WorkloadRequest sort_request(const std::string& variant, std::uint64_t n,
                             std::map<std::string, std::int64_t> parameters = {}) {
    WorkloadRequest request;
    request.name = "sort";
    request.variant = variant;
    request.n = n;
    request.parameters = std::move(parameters);
    return request;
}

/// Launches of kernels with this prefix.
std::size_t launches(const WorkloadRequest& request, const std::string& prefix) {
    ScriptedDevice device;
    const auto run = run_workload(device, request);
    REQUIRE(run.ok());
    CHECK(device.allocations == 0);
    return static_cast<std::size_t>(
        std::count_if(device.launches.begin(), device.launches.end(),
                      [&](const sim::Launch& launch) { return launch.kernel.compare(0, prefix.size(), prefix) == 0; }));
}

std::string refusal(const WorkloadRequest& request) {
    ScriptedDevice device;
    const auto run = run_workload(device, request);
    REQUIRE_FALSE(run.ok());
    CHECK(run.error().kind == ErrorKind::bad_input);
    CHECK(device.launches.empty());
    return run.error().message();
}

/// Least r with base^r >= ratio: ceil(log_base(ratio)).
std::size_t rounds(std::uint64_t base, std::uint64_t numerator, std::uint64_t denominator) {
    std::size_t count = 0;
    for (std::uint64_t reach = denominator; reach < numerator; reach *= base) ++count;
    return count;
}

}  // namespace

TEST_CASE("mgpu and cf-merge: a block sort and ceil(log2(N / bE)) merges, each with a partition") {
    for (const auto& [E, b] : {std::pair{15, 128}, {17, 256}, {31, 512}, {16, 128}})
        for (const std::uint64_t n : {1ULL, 1920ULL, 1921ULL, 20000ULL, 262144ULL, 1000003ULL}) {
            const std::size_t expected = rounds(2, n, static_cast<std::uint64_t>(E) * static_cast<std::uint64_t>(b));
            const WorkloadRequest mgpu = sort_request("mgpu", n, {{"E", E}, {"b", b}});
            CHECK(launches(mgpu, "mgpu_blocksort_u32_E" + std::to_string(E) + "_b" + std::to_string(b)) == 1);
            CHECK(launches(mgpu, "mgpu_merge_u32_E" + std::to_string(E)) == expected);
            CHECK(launches(mgpu, "mgpu_partition_u32") == expected);
            CHECK(launches(mgpu, "") == 1 + 2 * expected);
            const WorkloadRequest gathers = sort_request("cf-merge", n, {{"E", E}, {"b", b}});
            CHECK(launches(gathers, "cf_merge_u32") == expected);
            CHECK(launches(gathers, "") == 1 + 2 * expected);
        }
}

TEST_CASE("mms: ceil(log_K(N / w^2)) + 1 kernels, koike-sadakane: ceil(log_K(N / w)) + 1, partitions apart") {
    for (const std::int64_t K : {2, 4, 8, 16, 32})
        for (const std::uint64_t n : {1ULL, 32ULL, 33ULL, 1024ULL, 1025ULL, 8192ULL, 8193ULL, 300007ULL, 1000003ULL}) {
            const auto base = static_cast<std::uint64_t>(K);
            const WorkloadRequest mms = sort_request("mms", n, {{"K", K}});
            CHECK(launches(mms, "shearsort_u32") == 1);
            CHECK(launches(mms, "mms_merge_u32_K" + std::to_string(K)) == rounds(base, n, 1024));
            CHECK(launches(mms, "") - launches(mms, "mms_partition") == rounds(base, n, 1024) + 1);
            const WorkloadRequest other = sort_request("koike-sadakane", n, {{"K", K}});
            CHECK(launches(other, "") - launches(other, "koike_sadakane_partition") == rounds(base, n, 32) + 1);
        }
    // With as many tasks as warps, there is nothing to cut.
    CHECK(launches(sort_request("mms", 1U << 20U, {{"K", 8}, {"blocks", 1}}), "mms_partition") == 0);
    CHECK(launches(sort_request("mms", 1U << 20U, {{"K", 8}, {"blocks", 16}}), "mms_partition") == 2);
}

TEST_CASE("shearsort and bitonic sort blocks, mgpu's kernels merge them") {
    CHECK(launches(sort_request("shearsort", 1024), "") == 1);
    CHECK(launches(sort_request("shearsort", 4097), "mgpu_merge_u32_E15_b128") == 3);
    CHECK(launches(sort_request("shearsort", 4097, {{"key_bits", 64}}), "mgpu_merge_u64_E11_b128") == 3);
    CHECK(launches(sort_request("bitonic", 1024), "") == 1);
    CHECK(launches(sort_request("bitonic", 1024, {{"b", 128}}), "mgpu_merge_u32_E15_b128") == 2);
}

TEST_CASE("what is not compiled, or makes no sense, is refused with what there is") {
    CHECK_THAT(refusal(sort_request("mgpu", 10, {{"E", 13}})),
               Catch::Contains("E 15 b 128") && Catch::Contains("E 31 b 512"));
    CHECK_THAT(refusal(sort_request("mgpu", 10, {{"key_bits", 64}, {"E", 15}})), Catch::Contains("E 11 b 256"));
    CHECK_THAT(refusal(sort_request("mms", 10, {{"K", 5}})), Catch::Contains("2, 4, 8, 16, 32"));
    CHECK_THAT(refusal(sort_request("mms", 10, {{"E", 15}})),
               Catch::Contains("E is no parameter") && Catch::Contains("blocks"));
    CHECK_THAT(refusal(sort_request("E15_b128", 10, {{"values", 1}})), Catch::Contains("values is no parameter"));
    CHECK_THAT(refusal(sort_request("mgpu", 10, {{"key_bits", 48}})), Catch::Contains("32 or 64"));
    CHECK_THAT(refusal(sort_request("mgpu", 10, {{"key_bits", 64}, {"values", 1}})), Catch::Contains("32 bits"));
    CHECK_THAT(refusal(sort_request("mgpu", 10, {{"key_bits", 32}, {"comparator", 1}})), Catch::Contains("64 bits"));
    CHECK_THAT(refusal(sort_request("cf-merge", 10, {{"comparator", 1}})),
               Catch::Contains("comparator is no parameter"));
    CHECK_THAT(refusal(sort_request("bitonic", 10, {{"b", 96}})), Catch::Contains("power of two"));
    WorkloadRequest own = sort_request("mgpu", 3, {{"key_bits", 64}});
    own.keys = std::vector<std::uint32_t>{3, 1, 2};
    CHECK_THAT(refusal(own), Catch::Contains("32 bits"));
}

TEST_CASE("E and b without a variant choose a compiled one") {
    ScriptedDevice device;
    WorkloadRequest request = sort_request("", 10, {{"E", 31}, {"b", 256}});
    const auto run = run_workload(device, request);
    REQUIRE(run.ok());
    CHECK((*run).variant == "mgpu");
    CHECK(device.launches.at(0).kernel == "mgpu_blocksort_u32_E31_b256");
}

TEST_CASE("inputs of the sorts are what their kinds promise") {
    for (const std::string& kind : key_input_kinds()) {
        const auto pairs = sort::make_wide(sort::Order::pair, kind, 500, 3);
        const auto keys = make_keys(kind, 500, 3);
        for (std::size_t i = 0; i < 500; ++i) REQUIRE(pairs[i] == (std::uint64_t{keys[i]} << 32U | i));
    }
    for (const sort::Order order : {sort::Order::u64, sort::Order::pair, sort::Order::fraction}) {
        const auto by_order = [order](std::uint64_t a, std::uint64_t b) { return sort::less(order, a, b); };
        const auto sorted = sort::make_wide(order, "sorted", 500, 3);
        CHECK(std::is_sorted(sorted.begin(), sorted.end(), by_order));
        const auto reverse = sort::make_wide(order, "reverse", 500, 3);
        CHECK(std::is_sorted(reverse.rbegin(), reverse.rend(), by_order));
        const auto random = sort::make_wide(order, "random", 500, 3);
        CHECK(std::is_permutation(random.begin(), random.end(), sorted.begin()) != (order == sort::Order::pair));
        CHECK_FALSE(std::is_sorted(random.begin(), random.end(), by_order));
        for (const std::uint64_t element : random)
            if (order == sort::Order::fraction) CHECK((element & 0xffffffffU) != 0);
    }
    CHECK(sort::make_wide(sort::Order::pair, "equal", 3, 5)[2] % 4 == 2);
    CHECK_THROWS_AS(sort::make_wide(sort::Order::u64, "no such kind", 1, 1), InvariantViolation);
}

TEST_CASE("fractions compare as their quotients, exactly") {
    const auto fraction = [](std::uint64_t numerator, std::uint64_t denominator) {
        return numerator << 32U | denominator;
    };
    CHECK(sort::less(sort::Order::fraction, fraction(1, 3), fraction(1, 2)));
    CHECK_FALSE(sort::less(sort::Order::fraction, fraction(1, 2), fraction(1, 3)));
    CHECK_FALSE(sort::less(sort::Order::fraction, fraction(1, 2), fraction(2, 4)));
    CHECK_FALSE(sort::less(sort::Order::fraction, fraction(2, 4), fraction(1, 2)));
    CHECK(sort::less(sort::Order::fraction, fraction(0xfffffffe, 0xffffffff), fraction(0xffffffff, 0xffffffff)));
    CHECK(sort::less(sort::Order::fraction, fraction(0xffffffff, 1), fraction(1, 0)));  // the padding
    CHECK_FALSE(sort::less(sort::Order::fraction, fraction(1, 0), fraction(1, 0)));
}

TEST_CASE("a wrong result is found") {
    using sort::mismatch;
    using sort::Order;
    using sort::Promise;
    CHECK(mismatch({3, 1, 2}, {1, 2, 3}).empty());
    CHECK_FALSE(mismatch({3, 1, 2}, {1, 3, 2}).empty());
    CHECK_FALSE(mismatch({3, 1, 2}, {1, 2, 2}).empty());
    CHECK_FALSE(mismatch({3, 1, 2}, {1, 2}).empty());
    std::vector<std::uint32_t> keys(1000);
    Random random(4);
    for (std::uint32_t& key : keys) key = random.next_u32();
    const std::vector<std::uint32_t> sorted = sort::reference(keys);
    CHECK(mismatch(keys, sorted).empty());
    for (std::size_t at = 1; at < sorted.size(); at += 37) {
        std::vector<std::uint32_t> wrong = sorted;
        wrong[at] = wrong[at - 1];  // still ascending
        CHECK_FALSE(mismatch(keys, wrong).empty());
    }

    const auto pair = [](std::uint64_t key, std::uint64_t value) { return key << 32U | value; };
    const std::vector<std::uint64_t> pairs{pair(2, 9), pair(1, 5), pair(1, 4), pair(2, 1)};
    const std::vector<std::uint64_t> stable{pair(1, 5), pair(1, 4), pair(2, 9), pair(2, 1)};
    const std::vector<std::uint64_t> by_word{pair(1, 4), pair(1, 5), pair(2, 1), pair(2, 9)};
    CHECK(mismatch(Order::pair, Promise::stable, pairs, stable).empty());
    CHECK_FALSE(mismatch(Order::pair, Promise::stable, pairs, by_word).empty());
    CHECK(mismatch(Order::pair, Promise::by_word, pairs, by_word).empty());
    CHECK_FALSE(mismatch(Order::pair, Promise::by_word, pairs, stable).empty());

    const std::vector<std::uint64_t> halves{pair(2, 4), pair(3, 1), pair(1, 2)};
    CHECK(mismatch(Order::fraction, Promise::any_order, halves, {pair(1, 2), pair(2, 4), pair(3, 1)}).empty());
    CHECK(mismatch(Order::fraction, Promise::any_order, halves, {pair(2, 4), pair(1, 2), pair(3, 1)}).empty());
    CHECK_FALSE(mismatch(Order::fraction, Promise::any_order, halves, {pair(1, 2), pair(1, 2), pair(3, 1)}).empty());
    CHECK_FALSE(mismatch(Order::fraction, Promise::any_order, halves, {pair(2, 4), pair(3, 1), pair(1, 2)}).empty());
    CHECK_FALSE(mismatch(Order::fraction, Promise::any_order, halves, {pair(2, 4), pair(1, 2)}).empty());
}
