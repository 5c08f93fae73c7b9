#include "core/result.hpp"

#include <catch2/catch.hpp>
#include <memory>
#include <string>
#include <utility>

using namespace sassafras;

TEST_CASE("a result holds a value or an error, and never gives the wrong one") {
    const Result<int> good = 3;
    CHECK(good.ok());
    CHECK(*good == 3);
    CHECK_THROWS_AS(good.error(), InvariantViolation);

    const Result<int> bad = Error{ErrorKind::not_modelled, "no tensor cores", "k+0x10 HMMA", "leave them out"};
    CHECK_FALSE(bad.ok());
    CHECK_THROWS_AS(bad.value(), InvariantViolation);
    CHECK(bad.error().exit_status() == 3);
    CHECK(bad.error().message() == "no tensor cores [k+0x10 HMMA]; leave them out");
}

TEST_CASE("a result of nothing") {
    CHECK(Result<void>().ok());
    CHECK_THROWS_AS(Result<void>().error(), InvariantViolation);
    const Result<void> bad = Error{ErrorKind::check_failed, "wrong", "", ""};
    CHECK_FALSE(bad.ok());
    CHECK(bad.error().message() == "wrong");
}

TEST_CASE("values that only move can be taken out") {
    Result<std::unique_ptr<int>> result = std::make_unique<int>(5);
    const std::unique_ptr<int> taken = std::move(result).value();
    CHECK(*taken == 5);
}
