// Replacement policies against sequences worked out by hand, in a cache of one set of four ways. (Least recently used:
// sectored_cache_test.cpp.)
#include <catch2/catch.hpp>

#include "core/random.hpp"
#include "sim/timing/memory/sectored_cache.hpp"

using namespace sassafras;
using namespace sassafras::sim;

namespace {

SectoredCache full(Replacements::Choice replacement, std::uint64_t number = 0) {
    SectoredCache cache(4, 4, replacement, number);
    SectoredCache::Line victim;
    for (std::uint64_t tag = 0; tag < 4; ++tag) cache.allocate(tag, victim);
    return cache;
}

std::uint64_t victim_of(SectoredCache& cache, std::uint64_t tag) {
    SectoredCache::Line victim;
    cache.allocate(tag, victim);
    return victim.tag;
}

}  // namespace

TEST_CASE("first in, first out: a use saves nobody") {
    SectoredCache cache = full(Replacements::named("first_in_first_out"));
    REQUIRE(cache.find(0) != nullptr);
    CHECK(victim_of(cache, 10) == 0);
    REQUIRE(cache.find(1) != nullptr);
    CHECK(victim_of(cache, 11) == 1);
    CHECK(victim_of(cache, 12) == 2);
    CHECK(victim_of(cache, 13) == 3);
    CHECK(victim_of(cache, 14) == 10);
    CHECK(victim_of(cache, 15) == 11);
}

TEST_CASE("first in, first out keeps what was on its way in a launch before apart from what is") {
    SectoredCache cache = full(Replacements::named("first_in_first_out"));
    cache.find(2)->pending = 0b10;
    cache.settle();
    CHECK(cache.find(2)->pending == 0);
    cache.find(2)->pending = 0b100;
    CHECK(cache.find(2)->pending == 0b100);
}

TEST_CASE("random replacement draws ways from the generator that the cache's number seeds") {
    SectoredCache cache = full(Replacements::named("random"), 17);
    Random random(17);
    std::array<std::uint64_t, 4> ways{0, 1, 2, 3};
    for (std::uint64_t tag = 10; tag < 200; ++tag) {
        const std::uint64_t way = random.below(4);
        REQUIRE(victim_of(cache, tag) == ways.at(way));
        ways.at(way) = tag;
    }
    // Each of four ways is drawn a quarter of the time: 1,000 of 4,000, give or take five deviations.
    std::array<int, 4> drawn{};
    for (int i = 0; i < 4000; ++i) ++drawn.at(random.below(4));
    for (const int count : drawn) CHECK(count == Approx(1000).margin(137));
}
