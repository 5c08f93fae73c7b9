#include "core/random.hpp"

#include <algorithm>
#include <array>

#include <catch2/catch.hpp>

using sassafras::Random;
using sassafras::SplitMix64;

// First outputs for seed 1234567, as listed for the reference implementation (Rosetta Code, "Pseudo-random
// numbers/Splitmix64").
TEST_CASE("SplitMix64 gives the published sequence") {
    SplitMix64 random(1234567);
    CHECK(random.next() == 6457827717110365317U);
    CHECK(random.next() == 3203168211198807973U);
    CHECK(random.next() == 9817491932198370423U);
}

// By hand from the definition, state (1, 2, 3, 4): rotl(2 * 5, 7) * 9 = 11520; then s[1] = 0, whose output is 0; then
// s[1] = 262149.
TEST_CASE("xoshiro256** follows its definition") {
    Random random(std::array<std::uint64_t, 4>{1, 2, 3, 4});
    CHECK(random.next_u64() == 11520U);
    CHECK(random.next_u64() == 0U);
    CHECK(random.next_u64() == std::rotl(std::uint64_t{262149} * 5, 7) * 9);
}

TEST_CASE("the same seed gives the same numbers, another seed others") {
    Random first(7);
    Random second(7);
    Random other(8);
    int equal_to_other = 0;
    for (int i = 0; i < 100; ++i) {
        const std::uint64_t number = first.next_u64();
        CHECK(number == second.next_u64());
        equal_to_other += number == other.next_u64() ? 1 : 0;
    }
    CHECK(equal_to_other == 0);
}

TEST_CASE("bounded numbers stay below the bound and reach every value") {
    Random random(1);
    std::array<int, 17> seen{};
    for (int i = 0; i < 17000; ++i) {
        const std::uint64_t value = random.below(17);
        REQUIRE(value < 17);
        ++seen[value];
    }
    // 1000 expected of each, standard deviation about 31.
    CHECK(*std::min_element(seen.begin(), seen.end()) > 800);
    CHECK(*std::max_element(seen.begin(), seen.end()) < 1200);
    CHECK(random.below(1) == 0);
    CHECK(random.below(0) == 0);
}

TEST_CASE("signed unit numbers lie in [-1, 1) and on both sides of zero") {
    Random random(1);
    int negative = 0;
    for (int i = 0; i < 10000; ++i) {
        const float value = random.signed_unit();
        REQUIRE(value >= -1.0F);
        REQUIRE(value < 1.0F);
        negative += value < 0 ? 1 : 0;
    }
    CHECK(negative > 4700);
    CHECK(negative < 5300);
}
