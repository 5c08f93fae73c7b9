// Spearman's rho beside values worked by hand; the one with ties is also what scipy.stats.spearmanr gives.
#include <catch2/catch.hpp>

#include <vector>

#include "validate/compare/rank_correlation.hpp"

using namespace sassafras::validate;

TEST_CASE("ranks go from the least value up, and equal values share theirs") {
    CHECK(ranks(std::vector<double>{10, 20, 20, 5}) == std::vector<double>{2, 3.5, 3.5, 1});
    CHECK(ranks(std::vector<double>{7, 7, 7}) == std::vector<double>{2, 2, 2});
    CHECK(ranks(std::vector<double>{}).empty());
}

TEST_CASE("Spearman's rho without ties is 1 - 6 sum d^2 / (n (n^2 - 1))") {
    // d = 1, 1, 1, 1, 0: 1 - 24 / 120
    CHECK(spearman(std::vector<double>{1, 2, 3, 4, 5}, std::vector<double>{2, 1, 4, 3, 5}).value() == Approx(0.8));
    CHECK(spearman(std::vector<double>{3, 1, 2}, std::vector<double>{900, -4, 7}).value() == Approx(1));
    CHECK(spearman(std::vector<double>{1, 2, 3}, std::vector<double>{30, 20, 10}).value() == Approx(-1));
}

TEST_CASE("Spearman's rho with ties is the correlation of the ranks") {
    // ranks 1, 2.5, 2.5, 4 and 1, 2, 3, 4: 4.5 / sqrt(4.5 * 5)
    CHECK(spearman(std::vector<double>{1, 2, 2, 3}, std::vector<double>{1, 2, 3, 4}).value() == Approx(0.9486832981));
}

TEST_CASE("there is no rank correlation of two pairs, or of values that are all equal") {
    CHECK_FALSE(spearman(std::vector<double>{1, 2}, std::vector<double>{1, 2}));
    CHECK_FALSE(spearman(std::vector<double>{1, 1, 1}, std::vector<double>{1, 2, 3}));
}
