// Memory spaces, access widths and atomics: kernels of features.cu and histogram.cu against what CUDA defines.
#include <catch2/catch.hpp>

#include <algorithm>
#include <numeric>

#include "tests/unit/execute/features.hpp"

using namespace sassafras;
using Catch::Matchers::Contains;
using test::features_cubin;
using test::mixed;
using test::Parameters;
using test::require_ok;

TEST_CASE("local arrays with computed indices belong to their thread") {
    test::Module module(features_cubin);
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
    test::Module module(features_cubin);
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
    test::Module module(features_cubin);
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
    test::Module module(features_cubin);
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

TEST_CASE("cp.async fills shared memory") {
    test::Module module(features_cubin);
    std::vector<int> in(256);
    std::iota(in.begin(), in.end(), 3);
    const Address pin = module.upload(in);
    const Address out = module.upload(std::vector<int>(256));
    require_ok(module.run("asynchronous_copy", {1, 1, 1}, {64, 1, 1}, Parameters().add(pin.value).add(out.value)));
    const auto got = module.download<int>(out, 256);
    for (std::size_t t = 0; t < 64; ++t)
        for (std::size_t e = 0; e < 4; ++e) CHECK(got[4 * t + e] == in[4 * (63 - t) + e]);
}

TEST_CASE("dynamic shared memory starts behind the reserved part and ends where the launch says") {
    test::Module module(features_cubin);
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
