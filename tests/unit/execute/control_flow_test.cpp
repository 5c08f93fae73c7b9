// Lanes that part and meet again, recursion, and waiting for one another: kernels of features.cu and locks.cu against
// what CUDA defines.
#include <catch2/catch.hpp>

#include <algorithm>
#include <bit>
#include <numeric>

#include "tests/unit/execute/features.hpp"

using namespace sassafras;
using test::features_cubin;
using test::Parameters;
using test::require_ok;

TEST_CASE("lanes that leave loops and switches at different times meet again") {
    test::Module module(features_cubin);
    std::vector<unsigned> in(96);
    std::iota(in.begin(), in.end(), 27U);
    const Address pin = module.upload(in);
    const Address out = module.upload(std::vector<unsigned>(96));
    require_ok(module.run("divergence", {3, 1, 1}, {32, 1, 1}, Parameters().add(pin.value).add(out.value)));
    const auto got = module.download<unsigned>(out, 96);
    for (std::size_t base = 0; base < 96; base += 32) {
        std::vector<unsigned> steps(32);
        unsigned even = 0;
        for (std::size_t l = 0; l < 32; ++l) {
            unsigned x = in[base + l];
            while (x != 1) {
                if ((x & 1U) != 0) {
                    x = 3 * x + 1;
                    if (steps[l] > 300) break;
                } else {
                    x >>= 1U;
                }
                ++steps[l];
            }
            even |= static_cast<unsigned>((steps[l] & 1U) == 0) << l;
        }
        for (std::size_t l = 0; l < 32; ++l) {
            unsigned value = steps[l];
            unsigned reversed = 0;
            for (unsigned bit = 0; bit < 32; ++bit) reversed |= (value >> bit & 1U) << (31 - bit);
            switch (value % 9) {
                case 0: value *= 3; break;
                case 1: value ^= 0x55U; break;
                case 2: value += even; break;
                case 3: value /= 7; break;
                case 4: value = reversed; break;
                case 5: value -= even; break;
                case 6: value = static_cast<unsigned>(std::popcount(value)); break;
                case 7: value <<= 4U; break;
                default: break;
            }
            CAPTURE(base, l);
            CHECK(got[base + l] == value);
        }
    }
}

TEST_CASE("recursion keeps a stack for every thread") {
    test::Module module(features_cubin);
    const Address out = module.upload(std::vector<unsigned>(64));
    require_ok(module.run("recursion", {1, 1, 1}, {64, 1, 1}, Parameters().add(out.value)));
    const auto got = module.download<unsigned>(out, 64);
    const unsigned fibonacci[12] = {0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89};
    for (unsigned t = 0; t < 64; ++t) CHECK(got[t] == fibonacci[t % 12]);
}

TEST_CASE("spinning lanes, warps and blocks let those they wait for run") {
    test::Module module(features_cubin);
    SECTION("a lock taken lane by lane") {
        const Address lock = module.upload(std::vector<unsigned>(2));
        require_ok(module.run("spin_lock", {3, 1, 1}, {64, 1, 1}, Parameters().add(lock.value).add(lock.value + 4), {},
                              10'000'000));
        CHECK(module.download<unsigned>(lock, 2)[1] == 192);
    }
    SECTION("a block that waits for a later one") {
        const Address flag = module.upload(std::vector<unsigned>(1));
        const Address out = module.upload(std::vector<unsigned>(64));
        require_ok(module.run("wait_for_flag", {2, 1, 1}, {64, 1, 1}, Parameters().add(flag.value).add(out.value), {},
                              10'000'000));
        for (const unsigned value : module.download<unsigned>(out, 64)) CHECK(value == 42);
    }
    SECTION("a lane that waits for another of its warp") {
        const Address flag = module.upload(std::vector<unsigned>(1));
        const Address out = module.upload(std::vector<unsigned>(32));
        require_ok(module.run("wait_in_warp", {1, 1, 1}, {32, 1, 1}, Parameters().add(flag.value).add(out.value), {},
                              10'000'000));
        CHECK(module.download<unsigned>(out, 32)[0] == 1);
    }
}

// The compiler puts the waiting loop between BSSY and BSYNC, so that the lane that may go on waits for those that wait
// for it, unless YIELD lets it go.
TEST_CASE("lanes that wait at BSYNC go on when all others only yield") {
    test::Module module(std::string(SASSAFRAS_SOURCE_DIR) + "/tests/fixtures/locks.cubin");
    const std::uint64_t limit = 1'000'000;
    SECTION("a lock in global memory, warps and blocks") {
        const Address lock = module.upload(std::vector<int>(2));
        require_ok(module.run("global_lock", {3, 1, 1}, {96, 1, 1}, Parameters().add(lock.value).add(lock.value + 4),
                              {}, limit));
        CHECK(module.download<int>(lock, 2)[1] == 3 * 96);
    }
    SECTION("a lock in shared memory, before a barrier: every lane has a ticket of its own") {
        const Address out = module.upload(std::vector<int>(2 * 80));
        require_ok(module.run("shared_lock", {2, 1, 1}, {80, 1, 1}, Parameters().add(out.value), {}, limit));
        auto got = module.download<int>(out, 2 * 80);
        for (std::size_t block = 0; block < 2; ++block) {
            const auto begin = got.begin() + static_cast<std::ptrdiff_t>(80 * block);
            std::sort(begin, begin + 80);
            for (int i = 0; i < 80; ++i) CHECK(begin[i] == 80'000 + i);
        }
    }
    SECTION("every lane waits for the one before it, through two barriers") {
        const Address flags = module.upload(std::vector<int>(64));
        const Address sums = module.upload(std::vector<int>(64));
        require_ok(
            module.run("chain", {1, 1, 1}, {64, 1, 1}, Parameters().add(flags.value).add(sums.value), {}, limit));
        const auto got = module.download<int>(sums, 64);
        for (int i = 0; i < 64; ++i) CHECK(got[static_cast<std::size_t>(i)] == i * (i + 1) / 2);
    }
    SECTION("lanes that leave a loop with a YIELD together stay together; in turn, they part, as on an H200") {
        // validate/records/h200/probes/yield.txt: one group at scale 0, 32 at every other.
        const int scale = GENERATE(0, 1, 2, 16, 1024);
        const Address rounds = module.upload(std::vector<int>(1));
        const Address active = module.upload(std::vector<unsigned>(32));
        require_ok(module.run("leave_one_by_one", {1, 1, 1}, {32, 1, 1},
                              Parameters().add(rounds.value).add(active.value).add(scale), {}, limit));
        const auto masks = module.download<unsigned>(active, 32);
        for (std::size_t lane = 0; lane < 32; ++lane) CHECK(masks[lane] == (scale == 0 ? 0xffffffffU : 1U << lane));
    }
}
