// Warps, divergence, memory spaces, atomics, barriers, clocks and faults: kernels of features.cu against what CUDA
// defines.
#include <catch2/catch.hpp>

#include <algorithm>
#include <bit>
#include <numeric>

#include "tests/unit/execute/harness.hpp"

using namespace sassafras;
using Catch::Matchers::Contains;
using test::Parameters;

namespace {

const std::string fixture = std::string(SASSAFRAS_SOURCE_DIR) + "/tests/fixtures/execute/features.cubin";

void require_ok(const Result<test::RunResult>& result) {
    INFO((result ? "" : result.error().message()));
    REQUIRE(result.ok());
}

std::vector<int> mixed(std::size_t count) {
    std::vector<int> values(count);
    std::uint32_t state = 99;
    for (int& value : values) {
        state = state * 1664525U + 1013904223U;
        value = static_cast<int>(state >> 24U) - 100;
    }
    return values;
}

}  // namespace

TEST_CASE("shuffles, votes, matches and reductions do what CUDA says") {
    test::Module module(fixture);
    const std::vector<int> in = mixed(64);
    const Address pin = module.upload(in);
    const Address out = module.upload(std::vector<int>(64 * 18));
    require_ok(
        module.run("warp_operations", {1, 1, 1}, {64, 1, 1}, Parameters().add(pin.value).add(out.value).add(16)));
    const auto got = module.download<int>(out, 64 * 18);
    for (int t = 0; t < 64; ++t) {
        const int base = t / 32 * 32;
        const int lane = t % 32;
        const auto x = [&](int l) { return in[static_cast<std::size_t>(base) + static_cast<std::size_t>(l)]; };
        const auto result = [&](int k) { return got[static_cast<std::size_t>(k) * 64 + static_cast<std::size_t>(t)]; };
        int ballot = 0, sum = 0, least = x(0), same = 0, flip = 0, equal_signs = 1;
        unsigned most = 0;
        for (int l = 0; l < 32; ++l) {
            ballot |= static_cast<int>(static_cast<unsigned>(x(l) > 10) << l);
            same |= static_cast<int>(static_cast<unsigned>((x(l) & 3) == (x(lane) & 3)) << l);
            sum += x(l);
            flip ^= x(l);
            least = std::min(least, x(l));
            most = std::max(most, static_cast<unsigned>(x(l)));
            equal_signs &= static_cast<int>((x(l) >> 31) == (x(0) >> 31));
        }
        CAPTURE(t);
        CHECK(result(0) == x(5));
        CHECK(result(1) == x(x(lane) & 31));
        CHECK(result(2) == x(lane < 3 ? lane : lane - 3));
        CHECK(result(3) == x(lane + 7 > 31 ? lane : lane + 7));
        CHECK(result(4) == x(lane ^ 17));
        CHECK(result(5) == x(lane % 8 + 2 > 7 ? lane : lane + 2));
        CHECK(result(6) == x(lane % 16 < 1 ? lane : lane - 1));
        CHECK(result(7) == ballot);
        CHECK(result(8) == (ballot != 0) + 2 * (ballot == -1));
        CHECK(result(9) == same);
        CHECK(result(10) == (equal_signs != 0 ? -1 : 0) + equal_signs);
        CHECK(result(11) == sum);
        CHECK(result(12) == least);
        CHECK(result(13) == static_cast<int>(most));
        CHECK(result(14) == flip);
        CHECK(result(15) == -1);
        CHECK(result(16) == x(lane / 16 * 16 + t % 16));
        int odd = 0;
        for (int l = 1; l < 32; l += 2) odd += x(l) & 1;
        CHECK(result(17) == (lane % 2 == 1 ? x(1) + odd : -1));
    }
}

TEST_CASE("lanes that leave loops and switches at different times meet again") {
    test::Module module(fixture);
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
    test::Module module(fixture);
    const Address out = module.upload(std::vector<unsigned>(64));
    require_ok(module.run("recursion", {1, 1, 1}, {64, 1, 1}, Parameters().add(out.value)));
    const auto got = module.download<unsigned>(out, 64);
    const unsigned fibonacci[12] = {0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89};
    for (unsigned t = 0; t < 64; ++t) CHECK(got[t] == fibonacci[t % 12]);
}

TEST_CASE("local arrays with computed indices belong to their thread") {
    test::Module module(fixture);
    const auto in = mixed(64);
    const Address pin = module.upload(in);
    const Address out = module.upload(std::vector<int>(64));
    require_ok(module.run("local_array", {1, 1, 1}, {64, 1, 1}, Parameters().add(pin.value).add(out.value)));
    const auto got = module.download<int>(out, 64);
    for (int t = 0; t < 64; ++t) {
        int values[16];
        for (int i = 0; i < 16; ++i) values[i] = in[static_cast<std::size_t>((t * 5 + i) & 63)];
        for (int i = 0; i < 64; ++i) {
            const int j = (values[i & 15] + i) & 15;
            values[j] =
                static_cast<int>(static_cast<unsigned>(values[j]) + static_cast<unsigned>(values[(j + 3) & 15]));
        }
        unsigned sum = 0;
        for (const int value : values) sum = sum * 31 + static_cast<unsigned>(value);
        CHECK(got[static_cast<std::size_t>(t)] == static_cast<int>(sum));
    }
}

TEST_CASE("loads and stores of every width, and signed ones extend") {
    test::Module module(fixture);
    std::vector<std::uint8_t> bytes(64);
    std::vector<std::int16_t> shorts(64);
    std::vector<int> quads(256);
    std::vector<int> pairs(128);
    for (std::size_t i = 0; i < 64; ++i) {
        bytes[i] = static_cast<std::uint8_t>(i * 37 + 130);
        shorts[i] = static_cast<std::int16_t>(i * 1999 - 30000);
    }
    std::iota(quads.begin(), quads.end(), -5);
    std::iota(pairs.begin(), pairs.end(), 1000);
    const Address pb = module.upload(bytes);
    const Address ps = module.upload(shorts);
    const Address pq = module.upload(quads);
    const Address pp = module.upload(pairs);
    const Address out = module.upload(std::vector<int>(256));
    require_ok(module.run("widths", {1, 1, 1}, {64, 1, 1},
                          Parameters().add(pb.value).add(ps.value).add(pq.value).add(pp.value).add(out.value)));
    const auto got = module.download<int>(out, 256);
    for (std::size_t t = 0; t < 64; ++t) {
        const std::size_t from = ((t + 1) % 64 * 7) % 64;
        const int extra = bytes[63 - t * 3 % 64] + shorts[t] + static_cast<std::int8_t>(bytes[t]) + pairs[2 * t + 1];
        for (std::size_t e = 0; e < 4; ++e) CHECK(got[4 * t + e] == quads[4 * from + e] + (e == 0 ? extra : 0));
    }
}

TEST_CASE("a generic pointer reaches shared, global and local memory") {
    test::Module module(fixture);
    auto global = mixed(64);
    const Address pg = module.upload(global);
    const Address out = module.upload(std::vector<int>(64));
    require_ok(module.run("generic_pointers", {1, 1, 1}, {64, 1, 1}, Parameters().add(pg.value).add(out.value)));
    const auto got = module.download<int>(out, 64);
    std::vector<int> shared(64);
    for (int t = 0; t < 64; ++t) shared[static_cast<std::size_t>(t)] = 10 * t;
    for (int t = 0; t < 64; t += 3) shared[static_cast<std::size_t>(63 - t)] += 5;
    for (int t = 0; t < 64; ++t) {
        const int target = t % 3 == 0   ? shared[static_cast<std::size_t>(63 - t)]
                           : t % 3 == 1 ? global[static_cast<std::size_t>(t)] + 5
                                        : t + (t & 3) + 5;
        CHECK(got[static_cast<std::size_t>(t)] == target + shared[static_cast<std::size_t>(t)]);
    }
}

TEST_CASE("atomics of every kind add up") {
    test::Module module(fixture);
    const unsigned threads = 192;
    std::vector<unsigned> counters(16);
    counters[3] = 0xffU;
    counters[8] = 3;
    const Address pc = module.upload(counters);
    const Address ps = module.upload(std::vector<float>(1));
    const Address pd = module.upload(std::vector<double>(1));
    const Address pl = module.upload(std::vector<std::uint64_t>(3));
    const Address pi = module.upload(std::vector<int>{1000, -1000});
    const Address pr = module.upload(std::vector<unsigned>(threads));
    require_ok(
        module.run("atomics", {2, 1, 1}, {96, 1, 1},
                   Parameters().add(pc.value).add(ps.value).add(pd.value).add(pl.value).add(pi.value).add(pr.value)));
    const auto got = module.download<unsigned>(pc, 16);
    unsigned most = 0, flips = 0;
    for (unsigned t = 0; t < threads; ++t) {
        most = std::max(most, t * 7919 % 1000);
        flips ^= t;
    }
    CHECK(got[0] == threads);
    CHECK(got[1] == threads * (threads - 1) / 2);
    CHECK(got[2] == most);
    CHECK(got[3] == 0);
    CHECK(got[4] == 0xffffffffU);
    CHECK(got[5] == flips);
    CHECK(got[6] == threads % 10);
    CHECK(got[7] == (10 - threads % 10) % 10);
    CHECK((got[8] >= 1000 && got[8] < 1000 + threads));  // exactly one thread found the 3
    // Per block: 96 additions of 2, largest index 95, 96 additions of 1, least of 7 + index; every thread but the first
    // saw 5.
    CHECK(got[9] == 2 * (192U + 95U + 96U + 7U));
    CHECK(got[10] == 2 * 95U * 5U);
    CHECK(module.download<float>(ps, 1)[0] == 96.0F);
    CHECK(module.download<double>(pd, 1)[0] == 48.0);
    const auto longs = module.download<std::uint64_t>(pl, 3);
    CHECK(longs[0] == std::uint64_t{threads} << 33U);
    CHECK(longs[1] == std::uint64_t{threads - 1} << 32U);
    CHECK(longs[2] == 77);
    CHECK(module.download<int>(pi, 2) == std::vector<int>{-50, 0});
    auto returned = module.download<unsigned>(pr, threads);
    std::sort(returned.begin(), returned.end());
    for (unsigned t = 0; t < threads; ++t) CHECK(returned[t] == t);
}

TEST_CASE("counts in shared memory: lanes with one address add up, whichever lanes take part") {
    test::Module module(std::string(SASSAFRAS_SOURCE_DIR) + "/tests/fixtures/execute/histogram.cubin");
    std::vector<std::uint32_t> keys(256);
    for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = static_cast<std::uint32_t>(i * i / 3);
    const Address in = module.upload(keys);
    const Address out = module.upload(std::vector<std::uint32_t>(64));
    constexpr std::size_t taking_part = 201;
    require_ok(module.run("histogram", {1, 1, 1}, {256, 1, 1},
                          Parameters().add(in.value).add(out.value).add(static_cast<int>(taking_part))));
    std::vector<std::uint32_t> expected(64);
    for (std::size_t i = 0; i < taking_part; ++i) ++expected[keys[i] & 63U];
    CHECK(module.download<std::uint32_t>(out, 64) == expected);
}

TEST_CASE("block-wide counts and votes reach every thread") {
    test::Module module(fixture);
    const auto in = mixed(96);
    const Address pin = module.upload(in);
    const Address out = module.upload(std::vector<int>(96));
    require_ok(module.run("block_votes", {1, 1, 1}, {96, 1, 1}, Parameters().add(pin.value).add(out.value)));
    const auto positive = static_cast<int>(std::count_if(in.begin(), in.end(), [](int x) { return x > 0; }));
    const int all = std::all_of(in.begin(), in.end(), [](int x) { return x > -100; }) ? 1000 : 0;
    for (const int value : module.download<int>(out, 96)) CHECK(value == positive + all);
}

TEST_CASE("named barriers let producers run ahead of their consumer") {
    test::Module module(fixture);
    const auto in = mixed(64);
    const Address pin = module.upload(in);
    const Address out = module.upload(std::vector<int>(32));
    require_ok(module.run("named_barriers", {1, 1, 1}, {96, 1, 1}, Parameters().add(pin.value).add(out.value)));
    const auto got = module.download<int>(out, 32);
    for (std::size_t t = 0; t < 32; ++t) CHECK(got[t] == 2 * in[t] + 2 * in[t + 32]);
}

TEST_CASE("cp.async fills shared memory") {
    test::Module module(fixture);
    std::vector<int> in(256);
    std::iota(in.begin(), in.end(), 3);
    const Address pin = module.upload(in);
    const Address out = module.upload(std::vector<int>(256));
    require_ok(module.run("asynchronous_copy", {1, 1, 1}, {64, 1, 1}, Parameters().add(pin.value).add(out.value)));
    const auto got = module.download<int>(out, 256);
    for (std::size_t t = 0; t < 64; ++t)
        for (std::size_t e = 0; e < 4; ++e) CHECK(got[4 * t + e] == in[4 * (63 - t) + e]);
}

TEST_CASE("threads and blocks know where they are in three dimensions") {
    test::Module module(fixture);
    const Address out = module.upload(std::vector<unsigned>(24 * 24));
    require_ok(module.run("dimensions", {2, 3, 4}, {4, 3, 2}, Parameters().add(out.value)));
    const auto got = module.download<unsigned>(out, 24 * 24);
    std::size_t at = 0;
    for (unsigned bz = 0; bz < 4; ++bz)
        for (unsigned by = 0; by < 3; ++by)
            for (unsigned bx = 0; bx < 2; ++bx)
                for (unsigned z = 0; z < 2; ++z)
                    for (unsigned y = 0; y < 3; ++y)
                        for (unsigned x = 0; x < 4; ++x)
                            CHECK(got[at++] == (x | y << 4U | z << 8U | bx << 12U | by << 16U | bz << 20U));
}

TEST_CASE("dynamic shared memory starts behind the reserved part and ends where the launch says") {
    test::Module module(fixture);
    const auto in = mixed(64);
    const Address pin = module.upload(in);
    const Address out = module.upload(std::vector<int>(64));
    const Parameters parameters = Parameters().add(pin.value).add(out.value);
    require_ok(module.run("dynamic_shared", {1, 1, 1}, {64, 1, 1}, parameters, Bytes{256}));
    const auto got = module.download<int>(out, 64);
    for (std::size_t t = 0; t < 64; ++t) CHECK(got[t] == in[63 - t]);
    const auto too_small = module.run("dynamic_shared", {1, 1, 1}, {64, 1, 1}, parameters, Bytes{252});
    REQUIRE_FALSE(too_small.ok());
    CHECK_THAT(too_small.error().message(),
               Contains("Invalid __shared__ write of size 4 bytes: address 0x4fc is out of bounds") &&
                   Contains("thread (63,0,0)"));
}

TEST_CASE("clock reads take what the consumer answers") {
    test::Module module(fixture);
    const Address out = module.upload(std::vector<std::int64_t>(4 * 32));
    sim::LaunchRequest request;
    request.kernel = module.kernel("clocks");
    request.shape = {{1, 1, 1}, {32, 1, 1}, {}};
    request.parameters = Parameters().add(out.value).bytes();
    auto source = sim::make_executor(std::move(request), module.memory);
    REQUIRE(source.ok());
    sim::BlockTrace* block = (*source)->start(0).value();
    std::uint64_t reads = 0;
    while (true) {
        REQUIRE((*source)->advance(*block, 100).ok());
        if (block->warps[0].state != sim::WarpTrace::State::waiting_clock) break;
        ++reads;
        (*source)->provide_clock(*block, 0, Cycle{0x100000000ULL * reads + 7}, 5000 + reads);
    }
    CHECK(block->warps[0].state == sim::WarpTrace::State::exited);
    CHECK(reads == 4);
    const auto got = module.download<std::int64_t>(out, 4);
    CHECK(got[0] == 0x100000007);
    CHECK(got[1] == 7);
    CHECK(got[2] == 5003);
    CHECK(got[3] == 0x400000007);
}

TEST_CASE("spinning lanes, warps and blocks let those they wait for run") {
    test::Module module(fixture);
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
        // validate/hardware/probes/yield.txt: one group at scale 0, 32 at every other.
        const int scale = GENERATE(0, 1, 2, 16, 1024);
        const Address rounds = module.upload(std::vector<int>(1));
        const Address active = module.upload(std::vector<unsigned>(32));
        require_ok(module.run("leave_one_by_one", {1, 1, 1}, {32, 1, 1},
                              Parameters().add(rounds.value).add(active.value).add(scale), {}, limit));
        const auto masks = module.download<unsigned>(active, 32);
        for (std::size_t lane = 0; lane < 32; ++lane) CHECK(masks[lane] == (scale == 0 ? 0xffffffffU : 1U << lane));
    }
}

TEST_CASE("illegal accesses are named as compute-sanitizer names them") {
    test::Module module(fixture);
    const Address in = module.upload(std::vector<int>(40));
    const Address out = module.upload(std::vector<int>(64));
    SECTION("a read behind an allocation") {
        const auto result = module.run("read_at", {2, 1, 1}, {32, 1, 1},
                                       Parameters().add(in.value).add(out.value).add(std::int64_t{20}));
        REQUIRE_FALSE(result.ok());
        CHECK(result.error().kind == ErrorKind::check_failed);
        CHECK_THAT(result.error().what,
                   Contains("Invalid __global__ read of size 4 bytes") && Contains("out of bounds"));
        CHECK_THAT(result.error().where, Contains("kernel read_at") && Contains("LDG") && Contains("block (0,0,0)") &&
                                             Contains("thread (20,0,0)"));
    }
    SECTION("a read of nothing") {
        const auto result = module.run("read_at", {1, 1, 1}, {32, 1, 1},
                                       Parameters().add(std::uint64_t{0}).add(out.value).add(std::int64_t{0}));
        REQUIRE_FALSE(result.ok());
        CHECK_THAT(result.error().what, Contains("address 0x0 is out of bounds"));
    }
    SECTION("a misaligned write") {
        const auto result = module.run("write_misaligned", {1, 1, 1}, {32, 1, 1}, Parameters().add(out.value));
        REQUIRE_FALSE(result.ok());
        CHECK_THAT(result.error().message(), Contains("Invalid __global__ write of size 4 bytes") &&
                                                 Contains("misaligned") && Contains("thread (5,0,0)"));
    }
    SECTION("a read behind the shared memory") {
        const auto result = module.run("shared_overrun", {1, 1, 1}, {32, 1, 1}, Parameters().add(out.value).add(1));
        REQUIRE_FALSE(result.ok());
        CHECK_THAT(result.error().message(),
                   Contains("Invalid __shared__ read of size 4 bytes: address 0x480 is out of bounds") &&
                       Contains("thread (31,0,0)"));
    }
    SECTION("a trap") {
        const auto result = module.run("traps", {1, 1, 1}, {32, 1, 1}, Parameters().add(out.value));
        REQUIRE_FALSE(result.ok());
        CHECK_THAT(result.error().message(), Contains("trap") && Contains("thread (3,0,0)"));
    }
}

TEST_CASE("the trace of a block that failed ends before what did not run") {
    test::Module module(std::string(SASSAFRAS_SOURCE_DIR) + "/tests/fixtures/barriers.cubin");
    sim::LaunchRequest request;
    request.kernel = module.kernel("stores_before_barrier");
    request.shape = {{1, 1, 1}, {32, 1, 1}, {}};
    request.parameters = Parameters().add(module.upload(std::vector<int>(32)).value).bytes();
    auto source = sim::make_executor(std::move(request), module.memory);
    REQUIRE(source.ok());
    auto block = (*source)->start(0);
    REQUIRE(block.ok());
    const auto advanced = (*source)->advance(**block, 1000);
    REQUIRE_FALSE(advanced.ok());
    CHECK_THAT(advanced.error().message(), Contains("Invalid __shared__ write"));
    // Every instruction in it has its addresses and values; the barrier behind the store has none.
    test::RunResult result;
    sim::WarpTrace& trace = (*block)->warps[0];
    while (trace.has_segment()) CHECK_NOTHROW(test::Module::consume((*source)->program(), trace, result));
    CHECK(result.instructions > 0);
}

TEST_CASE("a stack beyond what a GPU gives is refused") {
    test::Module module(fixture);
    sim::LaunchRequest request;
    request.kernel = module.kernel("endless");
    isa::Program program = *request.kernel.program;
    program.kernel.local_per_thread = Bytes{(512U << 10U) + 1};
    request.kernel.program = std::make_shared<const isa::Program>(std::move(program));
    request.shape = {{1, 1, 1}, {32, 1, 1}, {}};
    request.parameters = Parameters().add(std::uint64_t{0}).bytes();
    const auto made = sim::make_executor(std::move(request), module.memory);
    REQUIRE_FALSE(made.ok());
    CHECK_THAT(made.error().message(), Contains("524289 bytes of local memory a thread"));
}

TEST_CASE("a barrier that can never complete and a kernel that never ends are found") {
    test::Module module(fixture);
    const Address out = module.upload(std::vector<int>(64));
    const auto stuck = module.run("barrier_deadlock", {1, 1, 1}, {64, 1, 1}, Parameters().add(out.value));
    REQUIRE_FALSE(stuck.ok());
    CHECK_THAT(stuck.error().message(), Contains("Deadlock") && Contains("warp 0") && Contains("BAR 1") &&
                                            Contains("warp 1") && Contains("BAR 0") &&
                                            Contains("kernel barrier_deadlock"));
    const auto endless = module.run("endless", {1, 1, 1}, {32, 1, 1}, Parameters().add(out.value), {}, 100'000);
    REQUIRE_FALSE(endless.ok());
    CHECK_THAT(endless.error().message(), Contains("Runaway kernel") && Contains("kernel endless"));
}

TEST_CASE("bad launches are refused") {
    test::Module module(fixture);
    CHECK_FALSE(module.run("dimensions", {1, 1, 1}, {2048, 1, 1}, Parameters().add(std::uint64_t{0})).ok());
    CHECK_FALSE(module.run("dimensions", {1, 1, 1}, {32, 1, 1}, Parameters()).ok());
    CHECK_FALSE(module.run("dimensions", {0, 1, 1}, {32, 1, 1}, Parameters().add(std::uint64_t{0})).ok());
}
