// Drawn programs of a block: what the shadow of shared memory finds, beside a second implementation that keeps every
// access and the whole order between threads.
#include <catch2/catch.hpp>

#include <array>
#include <cstddef>
#include <vector>

#include "core/random.hpp"
#include "sim/check/shared_shadow.hpp"

namespace {

using namespace sassafras;
using namespace sassafras::sim;

constexpr std::uint32_t warps = 3;
constexpr std::uint32_t threads = warps * 32;

/// Vector clocks of threads, one entry an access: before[t][k] tells whether access k happens before what t does next.
class Reference {
  public:
    struct Access {
        std::uint32_t thread = 0;
        std::uint32_t word = 0;
        bool writes = false;
        std::uint32_t value = 0;
    };
    std::vector<Access> accesses;

    void add(const Access& access) {
        for (std::size_t thread = 0; thread < threads; ++thread) before_[thread].push_back(thread == access.thread);
        accesses.push_back(access);
    }
    [[nodiscard]] bool is_ordered(std::size_t access, std::uint32_t thread) const { return before_[thread][access]; }
    void meet(const std::vector<std::uint32_t>& those) {
        std::vector<bool> all(accesses.size());
        for (const std::uint32_t thread : those)
            for (std::size_t k = 0; k < all.size(); ++k) all[k] = all[k] || before_[thread][k];
        for (const std::uint32_t thread : those) before_[thread] = all;
    }
    [[nodiscard]] std::vector<bool> known(std::uint32_t thread) const { return before_[thread]; }
    void learn(std::uint32_t thread, const std::vector<bool>& what) {
        for (std::size_t k = 0; k < what.size(); ++k)
            if (what[k]) before_[thread][k] = true;
    }

  private:
    std::array<std::vector<bool>, threads> before_;
};

struct Found final : HazardSink {
    std::vector<Hazard> hazards;
    void hazard(const Hazard& found) override { hazards.push_back(found); }
    void uninitialised(const UninitialisedRead&) override {}
};

std::vector<std::uint32_t> lanes_of(std::uint32_t warp, std::uint32_t mask) {
    std::vector<std::uint32_t> list;
    for (std::uint32_t lane = 0; lane < 32; ++lane)
        if ((mask >> lane & 1U) != 0) list.push_back(warp * 32 + lane);
    return list;
}

}  // namespace

TEST_CASE("no race is invented, and the first conflict of every write is found") {
    std::size_t found_in_all = 0;
    std::size_t ordered_in_all = 0;
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        CAPTURE(seed);
        Random random(seed);
        const auto draw = [&](std::uint64_t below) { return static_cast<std::uint32_t>(random.below(below)); };
        BlockClock clock;
        SharedShadow shadow;
        clock.start(warps);
        shadow.start(warps, {.end = 2048, .variables_end = 2048}, 4);
        Reference reference;
        Found found;
        const std::array<std::byte, 4096> memory{};
        for (std::uint32_t step = 0; step < 300; ++step) {
            const std::uint32_t kind = draw(100);
            if (kind < 80) {
                const std::uint32_t thread = draw(threads);
                const std::uint32_t word = draw(6);
                const bool writes = draw(3) == 0;
                std::array<std::uint64_t, 32> address{};
                const std::vector<std::uint32_t> stored(32, step + 1);  // always another value
                address[thread % 32] = 1024 + 4 * word;
                WarpAccess access;
                access.kind = writes ? WarpAccess::Kind::write : WarpAccess::Kind::read;
                access.instruction = static_cast<std::uint32_t>(reference.accesses.size());
                access.warp = thread / 32;
                access.lanes = 1U << (thread % 32);
                access.width = 4;
                access.address = address.data();
                access.stored = writes ? stored.data() : nullptr;
                found.hazards.clear();
                shadow.access(access, clock, memory.data(), found);
                // Everything reported is a conflict that nothing orders.
                for (const Hazard& hazard : found.hazards) {
                    const auto& earlier = reference.accesses.at(hazard.earlier.instruction);
                    CHECK(earlier.word == word);
                    CHECK((earlier.writes || writes));
                    CHECK(earlier.thread != thread);
                    CHECK_FALSE(reference.is_ordered(hazard.earlier.instruction, thread));
                }
                // The last write before this access is always known.
                for (std::size_t k = reference.accesses.size(); k-- > 0;) {
                    const auto& earlier = reference.accesses[k];
                    if (earlier.word != word || !earlier.writes) continue;
                    const bool races = !reference.is_ordered(k, thread);
                    bool told = false;
                    for (const Hazard& hazard : found.hazards) told = told || hazard.earlier.instruction == k;
                    CHECK(told == races);
                    (races ? found_in_all : ordered_in_all) += 1;
                    break;
                }
                reference.add({thread, word, writes, step});
            } else if (kind < 88) {
                const std::uint32_t warp = draw(warps);
                const std::uint32_t mask = draw(2) == 0 ? 0xffffffffU : random.next_u32() | 1U;
                clock.synchronise_lanes(warp, mask);
                reference.meet(lanes_of(warp, mask));
            } else if (kind < 94) {  // two warps at a named barrier
                const std::uint32_t first = draw(warps);
                const std::uint32_t second = (first + 1 + draw(warps - 1)) % warps;
                clock.arrive(first, 1, true);
                clock.arrive(second, 1, true);
                clock.complete(1, false);
                auto those = lanes_of(first, 0xffffffffU);
                for (const std::uint32_t thread : lanes_of(second, 0xffffffffU)) those.push_back(thread);
                reference.meet(those);
            } else if (kind < 98) {  // one warp arrives for another
                const std::uint32_t first = draw(warps);
                const std::uint32_t second = (first + 1 + draw(warps - 1)) % warps;
                reference.meet(lanes_of(first, 0xffffffffU));  // what its lanes know, together
                const auto known = reference.known(first * 32);
                clock.synchronise_lanes(first, 0xffffffffU);
                clock.arrive(first, 2, false);
                clock.arrive(second, 2, true);
                clock.complete(2, false);
                reference.meet(lanes_of(second, 0xffffffffU));
                for (const std::uint32_t thread : lanes_of(second, 0xffffffffU)) reference.learn(thread, known);
            } else {
                for (std::uint32_t warp = 0; warp < warps; ++warp) clock.arrive(warp, 0, true);
                clock.complete(0, true);
                std::vector<std::uint32_t> everyone;
                for (std::uint32_t thread = 0; thread < threads; ++thread) everyone.push_back(thread);
                reference.meet(everyone);
            }
        }
    }
    CHECK(found_in_all > 1000);
    CHECK(ordered_in_all > 1000);
}
