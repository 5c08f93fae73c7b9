#include <catch2/catch.hpp>

#include "sim/platform/platform_numbers.hpp"
#include "tests/h200.hpp"

namespace sassafras::sim {

TEST_CASE("the numbers of a platform are found by their pointers", "[platform]") {
    const Platform h200 = sassafras::test::h200();
    const auto ways = number_at(h200, "/l2/ways");
    REQUIRE(ways.has_value());
    CHECK(ways->value == h200.l2.ways);
    CHECK(ways->integer);
    CHECK(ways->least == 1);
    const auto clock = number_at(h200, "/clock/sm_mhz");
    REQUIRE(clock.has_value());
    CHECK(clock->value == h200.clock.sm_mhz);
    CHECK_FALSE(clock->integer);
    CHECK_FALSE(number_at(h200, "/l2/address_map").has_value());  // a choice
    CHECK_FALSE(number_at(h200, "/l2/slice_hash").has_value());   // a list
    CHECK(platform_numbers(h200).front().pointer == "/clock/sm_mhz");
    for (const PlatformNumber& number : platform_numbers(h200)) {
        INFO(number.pointer);
        CHECK(number.value >= number.least);
        CHECK(number.value <= number.greatest);
        CHECK(number_at(h200, number.pointer)->value == number.value);
    }
}

TEST_CASE("a number can be changed if the machine stays one", "[platform]") {
    Platform platform = sassafras::test::h200();
    REQUIRE(set_number(platform, "/l2/hit_latency_cycles", 300).ok());
    CHECK(platform.l2.hit_latency_cycles == 300);
    REQUIRE(set_number(platform, "/dram/efficiency", 0.5).ok());
    CHECK(platform.dram.efficiency == 0.5);

    const std::string before = platform_hash(platform);
    CHECK_FALSE(set_number(platform, "/l2/hit_latency_cycles", 300.5).ok());
    CHECK_FALSE(set_number(platform, "/l2/hit_latency_cycles", 0).ok());
    CHECK_FALSE(set_number(platform, "/l2/no_such", 1).ok());
    const auto broken = set_number(platform, "/sm/shared_bytes", platform.sm.unified_l1_bytes + 1024.0);
    REQUIRE_FALSE(broken.ok());
    CHECK(broken.error().kind == ErrorKind::bad_input);
    CHECK(platform_hash(platform) == before);
}

}  // namespace sassafras::sim
