// Who may arrive at a barrier in shared memory, on hand-made arrivals.
#include <catch2/catch.hpp>

#include <array>

#include "sim/check/phase_watch.hpp"

using namespace sassafras;
using sim::BlockClock;
using sim::PhaseWatch;
using sim::WarpAccess;

namespace {

constexpr std::uint64_t barrier = 0x400;
constexpr std::uint32_t whole_warp = 0xffffffffU;

/// A barrier of two warps, whose word is kept as mbarrier has it: only expected arrivals and the phase count here.
class TwoWarps {
  public:
    TwoWarps() {
        clock.start(2);
        watch.start(64);
        watch.initialise(access(0, 1), barrier, word(), clock);
    }
    [[nodiscard]] std::uint64_t word() const {
        return ((std::uint64_t{1} << 20U) - 64) << 1U | static_cast<std::uint64_t>(phases % 2) << 63U;
    }
    static WarpAccess access(std::uint32_t warp, std::uint32_t lanes) {
        WarpAccess made;
        made.warp = warp;
        made.lanes = lanes;
        return made;
    }
    PhaseWatch::Faults arrive(std::uint32_t warp, std::uint32_t lanes = whole_warp) {
        arrivals += static_cast<std::uint32_t>(__builtin_popcount(lanes));
        phases = arrivals / 64;
        const auto faults = watch.arrive(access(warp, lanes), lanes, barrier, word(), clock);
        clock.release_all(warp, barrier);
        return faults;
    }
    void wait(std::uint32_t warp, std::uint32_t lanes = whole_warp) {
        clock.acquire(warp, lanes, barrier);
        watch.wait(access(warp, lanes), lanes, barrier, word(), clock);
    }
    void meet() {
        clock.arrive(0, 0, true);
        clock.arrive(1, 0, true);
        clock.complete(0, true);
    }
    BlockClock clock;
    PhaseWatch watch;
    std::uint32_t arrivals = 0;
    std::uint32_t phases = 0;
};

}  // namespace

TEST_CASE("who arrives must know of the initialisation") {
    TwoWarps block;
    const auto faults = block.arrive(1);
    CHECK(faults.missing_init == whole_warp);
    CHECK(faults.missing_wait == 0);
    TwoWarps met;
    met.meet();
    CHECK(met.arrive(1).missing_init == 0);
    PhaseWatch watch;
    watch.start(64);
    CHECK(watch.arrive(TwoWarps::access(0, whole_warp), 5, barrier, 0, met.clock).missing_init == 5);
}

TEST_CASE("who arrives again must know that the phase is over") {
    TwoWarps block;
    block.meet();
    CHECK(block.arrive(0).missing_wait == 0);
    CHECK(block.arrive(1).missing_wait == 0);  // the phase is over
    SECTION("nobody waits") { CHECK(block.arrive(0).missing_wait == whole_warp); }
    SECTION("all wait") {
        block.wait(0);
        block.wait(1);
        CHECK(block.arrive(0).missing_wait == 0);
        CHECK(block.arrive(1).missing_wait == 0);
    }
    SECTION("one warp waits") {
        block.wait(0);
        CHECK(block.arrive(0).missing_wait == 0);
        // Its last lane has ended the phase itself, which tells it nothing.
        CHECK(block.arrive(1).missing_wait == whole_warp);
    }
    SECTION("one lane waits for its warp") {
        block.wait(0, 1);
        block.clock.synchronise_lanes(0, whole_warp);
        CHECK(block.arrive(0).missing_wait == 0);
    }
    SECTION("all meet elsewhere") {
        block.meet();
        CHECK(block.arrive(0).missing_wait == 0);
        CHECK(block.arrive(1).missing_wait == 0);
    }
}

TEST_CASE("threads that arrive twice in a phase leave others out") {
    TwoWarps block;
    block.meet();
    CHECK(block.arrive(0).missing_wait == 0);
    CHECK(block.arrive(0).missing_wait == whole_warp);
}
