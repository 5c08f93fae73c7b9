// Whole kernels of the benchmark fixture against the same computation on the CPU.
#include <catch2/catch.hpp>

#include <algorithm>

#include "tests/unit/execute/harness.hpp"

using namespace sassafras;

namespace {
const std::string fixtures = std::string(SASSAFRAS_SOURCE_DIR) + "/tests/fixtures/execute/";
}

TEST_CASE("a tiled matrix product equals the same sums on the CPU, bit for bit") {
    test::Module module(fixtures + "bench.cubin");
    const int depth = 3;
    std::vector<float> a(4 * 256 * (depth + 2));
    std::vector<float> b(a.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
        a[i] = static_cast<float>(i % 37) * 0.37F - 3.0F;
        b[i] = static_cast<float>(i % 53) * 0.11F - 1.0F;
    }
    const Address pa = module.upload(a);
    const Address pb = module.upload(b);
    const Address pc = module.upload(std::vector<float>(64 * 256));
    const auto result = module.run("gemm_like", {1, 1, 1}, {256, 1, 1},
                                   test::Parameters().add(pa.value).add(pb.value).add(pc.value).add(depth));
    INFO((result ? "" : result.error().message()));
    REQUIRE(result.ok());
    const auto c = module.download<float>(pc, 64 * 256);
    std::vector<float> expected(c.size());
    for (int t = 0; t < 256; ++t) {
        float sum[8][8] = {};
        for (int step = 0; step < depth; ++step) {
            const auto tile = [&](const std::vector<float>& from, int extra, int entry, int element) {
                const int at = entry < 256 ? step * 256 + entry : step * 256 + entry - 256 + extra;
                return from[static_cast<std::size_t>(at) * 4 + static_cast<std::size_t>(element)];
            };
            for (int k = 0; k < 8; ++k)
                for (int i = 0; i < 8; ++i)
                    for (int j = 0; j < 8; ++j)
                        sum[i][j] = std::fma(tile(a, 7, k * 32 + (t / 16) * 2 + i / 4, i % 4),
                                             tile(b, 9, k * 32 + (t % 16) * 2 + j / 4, j % 4), sum[i][j]);
        }
        for (int i = 0; i < 8; ++i)
            for (int j = 0; j < 8; ++j)
                expected[static_cast<std::size_t>(i * 8 + j) * 256 + static_cast<std::size_t>(t)] = sum[i][j];
    }
    REQUIRE(c == expected);
}

TEST_CASE("a merge with divergent binary searches gives sorted blocks") {
    test::Module module(fixtures + "bench.cubin");
    const std::uint32_t n = 1U << 14U;
    std::vector<std::uint32_t> keys(n);
    std::uint32_t state = 7;
    for (std::uint32_t half = 0; half < 2; ++half) {
        std::uint32_t key = 0;
        for (std::uint32_t i = 0; i < n / 2; ++i) {
            state = state * 1664525U + 1013904223U;
            keys[half * (n / 2) + i] = key += state >> 27U;
        }
    }
    const Address in = module.upload(keys);
    const Address out = module.upload(std::vector<std::uint32_t>(n));
    const auto result = module.run("merge_like", {n / 1920 + 1, 1, 1}, {128, 1, 1},
                                   test::Parameters().add(in.value).add(out.value).add(n / 2).add(n));
    INFO((result ? "" : result.error().message()));
    REQUIRE(result.ok());
    const auto merged = module.download<std::uint32_t>(out, n);
    // The block's rule, written plainly: both tiles are the same slice of the two halves, padded with the largest key.
    std::vector<std::uint32_t> expected(n);
    for (std::uint32_t first = 0; first < n; first += 1920) {
        const std::uint32_t from = std::min(first / 2, n / 2);
        const std::uint32_t count = std::min(1920U, n / 2 - from);
        std::vector<std::uint32_t> both(keys.begin() + from, keys.begin() + from + count);
        both.insert(both.end(), keys.begin() + n / 2 + from, keys.begin() + n / 2 + from + count);
        both.resize(3840, 0xffffffffU);
        std::sort(both.begin(), both.end());
        for (std::uint32_t i = 0; i < 1920 && first + i < n; ++i) expected[first + i] = both[i];
    }
    REQUIRE(merged == expected);
}
