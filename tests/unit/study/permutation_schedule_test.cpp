// Schedules of permutations: checked by a function that knows nothing of colourings.
#include <algorithm>
#include <numeric>

#include <catch2/catch.hpp>

#include "core/random.hpp"
#include "study/adversary/permutation_schedule.hpp"

using namespace sassafras;
using namespace sassafras::study::adversary;

namespace {

std::vector<std::uint32_t> drawn(std::size_t n, Random& random) {
    std::vector<std::uint32_t> permutation(n);
    std::iota(permutation.begin(), permutation.end(), 0U);
    for (std::size_t i = n; i > 1; --i) std::swap(permutation[i - 1], permutation[random.below(i)]);
    return permutation;
}

void check(const std::vector<std::uint32_t>& permutation, std::uint32_t w) {
    CAPTURE(permutation.size(), w);
    const auto schedule = schedule_permutation(permutation, w);
    REQUIRE(schedule.ok());
    CHECK(schedule->rounds() == (permutation.size() + w - 1) / w);
    CHECK(fault_of(*schedule, permutation).empty());
}

}  // namespace

TEST_CASE("random permutations of any size have schedules without a conflict, in the fewest rounds") {
    Random random(9);
    for (const std::uint32_t w : {2U, 4U, 8U, 16U, 32U})
        for (const std::size_t n : {0U, 1U, 31U, 32U, 33U, 96U, 1000U, 1024U, 3232U}) check(drawn(n, random), w);
}

TEST_CASE("permutations that are worst without a schedule: a transposition, reversal, one bank into all") {
    std::vector<std::uint32_t> transposed(32 * 32);
    for (std::uint32_t i = 0; i < 1024; ++i) transposed[i] = i % 32 * 32 + i / 32;
    check(transposed, 32);
    std::vector<std::uint32_t> reversed(1024);
    for (std::uint32_t i = 0; i < 1024; ++i) reversed[i] = 1023 - i;
    check(reversed, 32);
}

TEST_CASE("what is no permutation is refused") {
    CHECK_FALSE(schedule_permutation(std::vector<std::uint32_t>{0, 0}, 32).ok());
    CHECK_FALSE(schedule_permutation(std::vector<std::uint32_t>{0, 2}, 32).ok());
    CHECK_FALSE(schedule_permutation(std::vector<std::uint32_t>{0, 1}, 3).ok());
}

TEST_CASE("faults of a schedule are found") {
    Random random(10);
    const auto permutation = drawn(200, random);
    const auto good = schedule_permutation(permutation, 8);
    REQUIRE(good.ok());
    PermutationSchedule twice = *good;
    twice.from[1] = twice.from[0];
    CHECK_FALSE(fault_of(twice, permutation).empty());
    PermutationSchedule missing = *good;
    missing.from.resize(missing.from.size() - 8);
    CHECK_FALSE(fault_of(missing, permutation).empty());
    PermutationSchedule beyond = *good;
    beyond.from[0] = 200;
    CHECK_FALSE(fault_of(beyond, permutation).empty());
    // The plain order, word after word: reads without conflict, writes with.
    PermutationSchedule plain = *good;
    std::iota(plain.from.begin(), plain.from.end(), 0U);
    CHECK_FALSE(fault_of(plain, permutation).empty());
}
