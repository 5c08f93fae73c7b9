// The CPU references, each against an independent way to the same answer.
#include <algorithm>
#include <cmath>
#include <vector>

#include <catch2/catch.hpp>

#include "core/random.hpp"
#include "workloads/gemm/gemm.hpp"
#include "workloads/inputs.hpp"
#include "workloads/merge/merge.hpp"
#include "workloads/search/search.hpp"
#include "workloads/sort/sort.hpp"

using namespace sassafras;
using namespace sassafras::workloads;

namespace {
using Keys = std::vector<std::uint32_t>;

/// Few distinct values if `values` is small, so that ties are common.
Keys keys_below(std::uint64_t values, std::size_t count, std::uint64_t seed) {
    Random random(seed);
    Keys keys(count);
    for (std::uint32_t& key : keys) key = static_cast<std::uint32_t>(random.below(values));
    return keys;
}
constexpr std::uint64_t all_values = std::uint64_t{1} << 32U;
}  // namespace

TEST_CASE("the sort reference agrees with the standard library") {
    for (const std::size_t n : {0U, 1U, 2U, 3U, 255U, 256U, 257U, 5000U})
        for (const std::uint64_t values : {std::uint64_t{1}, std::uint64_t{10}, std::uint64_t{70000}, all_values}) {
            Keys keys = keys_below(values, n, n + values);
            const Keys sorted = sort::reference(keys);
            std::sort(keys.begin(), keys.end());
            CHECK(sorted == keys);
        }
}

TEST_CASE("the merge reference agrees with the standard library") {
    for (const std::size_t first : {0U, 1U, 7U, 1000U})
        for (const std::size_t second : {0U, 1U, 8U, 999U})
            for (const std::uint64_t values : {std::uint64_t{3}, all_values}) {
                Keys a = keys_below(values, first, first + 1);
                Keys b = keys_below(values, second, second + 2);
                std::sort(a.begin(), a.end());
                std::sort(b.begin(), b.end());
                Keys expected(first + second);
                std::merge(a.begin(), a.end(), b.begin(), b.end(), expected.begin());
                CHECK(merge::reference(a, b) == expected);
            }
}

TEST_CASE("the search reference agrees with the standard library") {
    for (const std::size_t count : {0U, 1U, 2U, 100U, 4096U})
        for (const std::uint64_t values : {std::uint64_t{50}, all_values}) {
            Keys keys = keys_below(values, count, count);
            std::sort(keys.begin(), keys.end());
            Keys queries = keys_below(values, 500, count + 3);
            queries.push_back(0);
            queries.push_back(0xffffffffU);
            const std::vector<std::int32_t> predecessors = search::reference(keys, queries);
            REQUIRE(predecessors.size() == queries.size());
            for (std::size_t i = 0; i < queries.size(); ++i)
                REQUIRE(predecessors[i] == std::upper_bound(keys.begin(), keys.end(), queries[i]) - keys.begin() - 1);
        }
}

TEST_CASE("the gemm reference is one chain of fused multiply-adds over ascending k") {
    for (const gemm::Shape shape : {gemm::Shape{0, 5, 3}, gemm::Shape{4, 4, 0}, gemm::Shape{1, 1, 1},
                                    gemm::Shape{33, 17, 65}, gemm::Shape{5, 520, 130}}) {
        const std::vector<float> a = gemm::make_matrix("random", shape.rows * shape.inner, 1);
        const std::vector<float> b = gemm::make_matrix("random", shape.inner * shape.columns, 2);
        const std::vector<float> c = gemm::reference(a, b, shape);
        REQUIRE(c.size() == shape.rows * shape.columns);
        for (std::size_t row = 0; row < shape.rows; ++row)
            for (std::size_t column = 0; column < shape.columns; ++column) {
                float sum = 0;
                double exact = 0;
                for (std::size_t k = 0; k < shape.inner; ++k) {
                    const float x = a[row * shape.inner + k];
                    const float y = b[k * shape.columns + column];
                    sum = std::fma(x, y, sum);
                    exact += static_cast<double>(x) * static_cast<double>(y);
                }
                REQUIRE(c[row * shape.columns + column] == sum);
                REQUIRE(std::abs(static_cast<double>(sum) - exact) <= 1e-5 * static_cast<double>(shape.inner));
            }
    }
}

TEST_CASE("the gemm reference of whole numbers is exact") {
    const gemm::Shape shape{20, 30, 40};
    const std::vector<float> a = gemm::make_matrix("integers", shape.rows * shape.inner, 1);
    const std::vector<float> b = gemm::make_matrix("integers", shape.inner * shape.columns, 2);
    const std::vector<float> c = gemm::reference(a, b, shape);
    for (std::size_t row = 0; row < shape.rows; ++row)
        for (std::size_t column = 0; column < shape.columns; ++column) {
            int sum = 0;
            for (std::size_t k = 0; k < shape.inner; ++k)
                sum += static_cast<int>(a[row * shape.inner + k]) * static_cast<int>(b[k * shape.columns + column]);
            REQUIRE(c[row * shape.columns + column] == static_cast<float>(sum));
        }
}

TEST_CASE("inputs are what their kinds promise") {
    const Keys random = make_keys("random", 1000, 5);
    CHECK(random == make_keys("random", 1000, 5));
    CHECK(random != make_keys("random", 1000, 6));
    CHECK_FALSE(std::is_sorted(random.begin(), random.end()));
    const Keys sorted = make_keys("sorted", 1000, 5);
    CHECK(std::is_sorted(sorted.begin(), sorted.end()));
    CHECK(std::is_permutation(sorted.begin(), sorted.end(), random.begin(), random.end()));
    const Keys reverse = make_keys("reverse", 1000, 5);
    CHECK(Keys(reverse.rbegin(), reverse.rend()) == sorted);
    const Keys equal = make_keys("equal", 1000, 5);
    CHECK(std::count(equal.begin(), equal.end(), equal.front()) == 1000);
    Keys few = make_keys("few-distinct", 1000, 5);
    CHECK_FALSE(std::is_sorted(few.begin(), few.end()));
    std::sort(few.begin(), few.end());
    CHECK(std::unique(few.begin(), few.end()) - few.begin() == 8);
    for (const std::size_t count : {0U, 1U, 2U, 7U, 1000U}) {
        Keys pipe = make_keys("organ-pipe", count, 5);
        REQUIRE(pipe.size() == count);
        const auto top = std::max_element(pipe.begin(), pipe.end());
        CHECK(std::is_sorted(pipe.begin(), top));
        CHECK(std::is_sorted(top, pipe.end(), std::greater<>()));
        std::sort(pipe.begin(), pipe.end());
        CHECK(pipe == make_keys("sorted", count, 5));
    }
    CHECK_THROWS_AS(make_keys("no such kind", 1, 1), InvariantViolation);
}

TEST_CASE("runs to merge are ascending, of the sizes asked for, and interleave as their kind promises") {
    for (const std::string& kind : key_input_kinds())
        for (const std::uint64_t first : {0U, 1U, 300U, 1000U}) {
            const auto [a, b] = merge::make_runs(kind, first, 1000 - first, 9);
            CHECK(a.size() == first);
            CHECK(b.size() == 1000 - first);
            CHECK(std::is_sorted(a.begin(), a.end()));
            CHECK(std::is_sorted(b.begin(), b.end()));
            if (a.empty() || b.empty()) continue;
            if (kind == "sorted") CHECK(a.back() <= b.front());
            if (kind == "reverse") CHECK(b.back() <= a.front());
            if (kind == "equal") CHECK(a.back() == b.front());
        }
}

TEST_CASE("runs of few distinct keys share them, and those of an organ pipe take turns") {
    const auto [few_a, few_b] = merge::make_runs("few-distinct", 500, 500, 9);
    const Keys all = make_keys("few-distinct", 1000, 9);
    Keys both = merge::reference(few_a, few_b);
    CHECK(std::is_permutation(both.begin(), both.end(), all.begin(), all.end()));
    both.erase(std::unique(both.begin(), both.end()), both.end());
    CHECK(both.size() == 8);
    for (const std::uint32_t key : both) {
        CHECK(std::binary_search(few_a.begin(), few_a.end(), key));
        CHECK(std::binary_search(few_b.begin(), few_b.end(), key));
    }

    const auto [up, down] = merge::make_runs("organ-pipe", 500, 500, 9);
    for (std::size_t i = 0; i < 500; ++i) {
        REQUIRE(up[i] <= down[i]);
        if (i != 0) REQUIRE(down[i - 1] <= up[i]);
    }
}
