// The tag array of L1 and L2: least recently used goes first, and what goes is handed to the caller.
#include <catch2/catch.hpp>

#include <list>
#include <set>

#include "core/random.hpp"
#include "sim/timing/memory/sectored_cache.hpp"

using namespace sassafras;
using sassafras::sim::SectoredCache;

TEST_CASE("an empty cache has nothing; allocating an empty way has no victim") {
    SectoredCache cache(8, 8);
    CHECK(cache.find(3) == nullptr);
    SectoredCache::Line victim;
    SectoredCache::Line* line = cache.allocate(3, victim);
    REQUIRE(line != nullptr);
    CHECK(line->tag == 3);
    CHECK(line->valid == 0);
    CHECK(victim.tag == SectoredCache::empty);
    CHECK(cache.find(3) == line);
    CHECK(cache.find(4) == nullptr);
}

TEST_CASE("the least recently used line of a full set goes, with its sectors") {
    SectoredCache cache(4, 4);
    SectoredCache::Line victim;
    for (std::uint64_t tag = 1; tag <= 4; ++tag) {
        SectoredCache::Line* line = cache.allocate(tag, victim);
        line->valid = 0b1111;
        line->dirty = static_cast<std::uint32_t>(tag);
        CHECK(victim.tag == SectoredCache::empty);
    }
    REQUIRE(cache.find(1) != nullptr);  // used again: 2 is now the oldest
    cache.allocate(5, victim);
    CHECK(victim.tag == 2);
    CHECK(victim.dirty == 2);
    CHECK(victim.valid == 0b1111);
    CHECK(cache.find(2) == nullptr);
    CHECK(cache.find(1) != nullptr);
    cache.allocate(6, victim);
    CHECK(victim.tag == 3);
    REQUIRE(cache.find(5) != nullptr);
    CHECK(cache.find(5)->valid == 0);
    CHECK(cache.find(5)->dirty == 0);
}

TEST_CASE("clear forgets everything") {
    SectoredCache cache(16, 4);
    SectoredCache::Line victim;
    for (std::uint64_t tag = 0; tag < 16; ++tag) cache.allocate(tag, victim);
    cache.clear();
    for (std::uint64_t tag = 0; tag < 16; ++tag) CHECK(cache.find(tag) == nullptr);
}

TEST_CASE("after settling nothing is on its way, of lines found and of victims; what comes later is") {
    SectoredCache cache(2, 2);
    SectoredCache::Line victim;
    for (std::uint64_t tag = 0; tag < 2; ++tag) {
        SectoredCache::Line* line = cache.allocate(tag, victim);
        line->valid = 0b0001;
        line->dirty = 0b0001;
        line->pending = 0b0010;
        line->ready = 500;
    }
    CHECK(cache.find(0)->pending == 0b0010);
    cache.settle();
    SectoredCache::Line* line = cache.find(0);
    CHECK(line->valid == 0b0001);
    CHECK(line->pending == 0);
    CHECK(line->ready == 0);
    line->pending = 0b0100;
    CHECK(cache.find(0)->pending == 0b0100);
    cache.allocate(2, victim);
    CHECK(victim.tag == 1);
    CHECK(victim.dirty == 0b0001);
    CHECK(victim.pending == 0);
}

TEST_CASE("a line counts as used once between two times it settles, and again when it comes back") {
    SectoredCache cache(2, 2);
    SectoredCache::Line victim;
    CHECK(cache.used() == 0);
    for (const std::uint64_t tag : {0U, 1U}) cache.allocate(tag, victim);
    for (int i = 0; i < 3; ++i) CHECK(cache.find(0) != nullptr);
    CHECK(cache.look_up(1) != nullptr);
    CHECK(cache.find(7) == nullptr);
    CHECK(cache.used() == 2);
    cache.settle();
    for (int i = 0; i < 3; ++i) CHECK(cache.find(0) != nullptr);
    CHECK(cache.used() == 3);
    cache.allocate(2, victim);
    CHECK(victim.tag == 1);
    cache.allocate(1, victim);
    CHECK(cache.used() == 5);
}

TEST_CASE("small stamps keep the order of use") {
    // The same operations with and without; launches of a few uses each.
    SectoredCache one(64, 4);
    SectoredCache other(64, 4);
    Random random(5);
    for (int launch = 0; launch < 300; ++launch) {
        for (int use = 0; use < 20; ++use) {
            const std::uint64_t tag = random.below(100);
            SectoredCache::Line* found = one.find(tag);
            SectoredCache::Line* found_other = other.find(tag);
            REQUIRE((found == nullptr) == (found_other == nullptr));
            SectoredCache::Line victim;
            SectoredCache::Line victim_other;
            if (found == nullptr) {
                found = one.allocate(tag, victim);
                found_other = other.allocate(tag, victim_other);
                REQUIRE(victim.tag == victim_other.tag);
                REQUIRE(victim.pending == victim_other.pending);
            }
            REQUIRE(found->pending == found_other->pending);
            found->pending = found_other->pending = static_cast<std::uint32_t>(use + 1);
        }
        one.settle();
        other.settle(10);
    }
}

TEST_CASE("fewer lines than ways make one set of them; no lines make one") {
    SectoredCache::Line victim;
    SectoredCache three(3, 8);
    for (std::uint64_t tag = 0; tag < 3; ++tag) three.allocate(tag, victim);
    for (std::uint64_t tag = 0; tag < 3; ++tag) CHECK(three.find(tag) != nullptr);
    three.allocate(9, victim);
    CHECK(victim.tag == 0);
    SectoredCache none(0, 8);
    none.allocate(1, victim);
    none.allocate(2, victim);
    CHECK(victim.tag == 1);
}

TEST_CASE("one set behaves as a list of the last uses", "[property]") {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        CAPTURE(seed);
        Random random(seed);
        const std::uint32_t ways = 1 + static_cast<std::uint32_t>(random.below(16));
        SectoredCache cache(ways, ways);
        std::list<std::uint64_t> recent;  // least recently used first
        for (int step = 0; step < 500; ++step) {
            const std::uint64_t tag = random.below(24);
            const bool known = std::find(recent.begin(), recent.end(), tag) != recent.end();
            REQUIRE((cache.find(tag) != nullptr) == known);
            if (known) {
                recent.remove(tag);
            } else {
                SectoredCache::Line victim;
                cache.allocate(tag, victim);
                if (recent.size() == ways) {
                    REQUIRE(victim.tag == recent.front());
                    recent.pop_front();
                } else {
                    REQUIRE(victim.tag == SectoredCache::empty);
                }
            }
            recent.push_back(tag);
        }
    }
}

TEST_CASE("any stride of tags spreads over the sets: half a capacity of lines mostly stays") {
    for (const std::uint64_t stride : {1ULL, 2ULL, 32ULL, 1000ULL, 1024ULL, 4096ULL, 1ULL << 20U}) {
        SectoredCache cache(1600, 8);
        SectoredCache::Line victim;
        for (std::uint64_t i = 0; i < 800; ++i) cache.allocate(i * stride, victim);
        std::size_t held = 0;
        for (std::uint64_t i = 0; i < 800; ++i) held += cache.find(i * stride) != nullptr ? 1U : 0U;
        CAPTURE(stride, held);
        CHECK(held > 700);
    }
}
