#include <catch2/catch.hpp>

#include "workloads/micro/percentile.hpp"

using sassafras::workloads::micro::mean;
using sassafras::workloads::micro::percentile;

TEST_CASE("a percentile is the least sample that so many do not exceed") {
    const std::vector<double> samples{40, 10, 30, 20};
    CHECK(percentile(samples, 0) == 10);
    CHECK(percentile(samples, 25) == 10);
    CHECK(percentile(samples, 26) == 20);
    CHECK(percentile(samples, 50) == 20);
    CHECK(percentile(samples, 75) == 30);
    CHECK(percentile(samples, 76) == 40);
    CHECK(percentile(samples, 100) == 40);
    CHECK(percentile({7}, 99) == 7);
    CHECK(percentile({3, 1, 2}, 50) == 2);
    CHECK(percentile({}, 50) == 0);
}

TEST_CASE("a mean of no samples is none") {
    CHECK(mean({1, 2, 6}) == 3);
    CHECK(mean({}) == 0);
}
