// What every replacement policy of the table keeps to, in the cache that uses it.
#include <catch2/catch.hpp>

#include <set>
#include <string_view>
#include <vector>

#include "core/random.hpp"
#include "sim/timing/memory/sectored_cache.hpp"
#include "sim/timing/policies/make_policy.hpp"

using namespace sassafras;
using namespace sassafras::sim;

namespace {

constexpr std::uint64_t lines = 64;

template <class Check>
void for_each_cache(Check&& check) {
    for_each_policy<Replacements>([&]<class Policy>(Replacements::Choice policy, std::string_view name) {
        for (const std::uint32_t ways : {1U, 4U, 7U, 64U}) {
            CAPTURE(name, ways);
            check(policy, ways);
        }
    });
}

/// Tags that go, in order; `empty` where none does.
std::vector<std::uint64_t> victims(SectoredCache& cache, std::uint64_t seed) {
    Random random(seed);
    std::vector<std::uint64_t> gone;
    for (int step = 0; step < 3000; ++step) {
        const std::uint64_t tag = random.below(3 * lines);
        if (cache.find(tag) != nullptr) continue;
        SectoredCache::Line victim;
        cache.allocate(tag, victim);
        gone.push_back(victim.tag);
    }
    return gone;
}

}  // namespace

TEST_CASE(
    "what goes was there, what comes is there, nothing else changes, and there is room for no more than the lines") {
    for_each_cache([](Replacements::Choice policy, std::uint32_t ways) {
        SectoredCache cache(lines, ways, policy);
        Random random(1);
        std::set<std::uint64_t> present;
        const std::uint64_t capacity = lines / ways * ways;
        for (int step = 0; step < 4000; ++step) {
            const std::uint64_t tag = random.below(3 * lines);
            SectoredCache::Line* found = cache.find(tag);
            REQUIRE((found != nullptr) == present.contains(tag));
            if (found != nullptr) {
                REQUIRE(found->tag == tag);
                continue;
            }
            SectoredCache::Line victim;
            SectoredCache::Line* taken = cache.allocate(tag, victim);
            REQUIRE(taken->tag == tag);
            if (victim.tag != SectoredCache::empty) REQUIRE(present.erase(victim.tag) == 1);
            REQUIRE(present.insert(tag).second);
            REQUIRE(present.size() <= capacity);
        }
        for (const std::uint64_t tag : present) REQUIRE(cache.find(tag) != nullptr);
    });
}

TEST_CASE("hits evict nothing") {
    for_each_cache([](Replacements::Choice policy, std::uint32_t ways) {
        SectoredCache cache(lines, ways, policy);
        victims(cache, 2);
        std::vector<std::uint64_t> present;
        for (std::uint64_t tag = 0; tag < 3 * lines; ++tag)
            if (cache.find(tag) != nullptr) present.push_back(tag);
        CHECK(present.size() == lines / ways * ways);
        for (int round = 0; round < 50; ++round)
            for (const std::uint64_t tag : present) REQUIRE(cache.find(tag) != nullptr);
    });
}

TEST_CASE("a full set gives way only when nothing of it is empty") {
    for_each_cache([](Replacements::Choice policy, std::uint32_t ways) {
        SectoredCache cache(ways, ways, policy);
        SectoredCache::Line victim;
        for (std::uint64_t tag = 0; tag < ways; ++tag) {
            cache.allocate(tag, victim);
            REQUIRE(victim.tag == SectoredCache::empty);
        }
        cache.allocate(1000, victim);
        CHECK(victim.tag < ways);
    });
}

TEST_CASE("the same accesses give the same victims, and a cleared cache is as new") {
    for_each_cache([](Replacements::Choice policy, std::uint32_t ways) {
        SectoredCache one(lines, ways, policy, 7);
        SectoredCache other(lines, ways, policy, 7);
        const std::vector<std::uint64_t> first = victims(one, 3);
        CHECK(first == victims(other, 3));
        one.clear();
        CHECK(first == victims(one, 3));
    });
}
