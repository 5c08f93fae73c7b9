// Conversions and packed halves of features.cu against the host's (F16C and plain C++) and against hand-computed
// values.
#include <catch2/catch.hpp>

#include <immintrin.h>

#include <bit>
#include <cmath>
#include <limits>

#include "tests/unit/execute/harness.hpp"

using namespace sassafras;

namespace {

const std::string conversion_fixture = std::string(SASSAFRAS_SOURCE_DIR) + "/tests/fixtures/execute/features.cubin";

std::uint16_t to_half(float x) {
    return std::isnan(x) ? 0x7fff : static_cast<std::uint16_t>(_cvtss_sh(x, _MM_FROUND_TO_NEAREST_INT));
}
float from_half(std::uint16_t x) { return _cvtsh_ss(x); }
std::uint16_t to_bfloat(float x) {
    if (std::isnan(x)) return 0x7fff;
    const auto bits = std::bit_cast<std::uint32_t>(x);
    return static_cast<std::uint16_t>((bits + 0x7fffU + (bits >> 16U & 1U)) >> 16U);
}
float from_bfloat(std::uint16_t x) { return std::bit_cast<float>(static_cast<std::uint32_t>(x) << 16U); }

template <class Integer>
double clamped(double x, double nan) {
    if (std::isnan(x)) return nan;
    x = std::trunc(x);
    if (x >= std::ldexp(1.0, std::numeric_limits<Integer>::digits))
        return static_cast<double>(std::numeric_limits<Integer>::max());
    if (x <= static_cast<double>(std::numeric_limits<Integer>::min()))
        return static_cast<double>(std::numeric_limits<Integer>::min());
    return static_cast<double>(static_cast<Integer>(x));
}

}  // namespace

TEST_CASE("conversions clamp, truncate and round once") {
    test::Module module(conversion_fixture);
    std::vector<float> f{0.0F,
                         -0.5F,
                         1.5F,
                         2.5F,
                         -2.5F,
                         3.0e9F,
                         -3.0e9F,
                         5.0e9F,
                         1.0e20F,
                         -1.0e20F,
                         std::numeric_limits<float>::infinity(),
                         123456.7F,
                         16777217.0F,
                         -1.0F,
                         0.99999994F,
                         8388609.5F};
    std::vector<double> d{0.0,
                          -0.75,
                          1.5,
                          4294967295.5,
                          -2147483648.9,
                          1.0e19,
                          -1.0e19,
                          9.3e18,
                          1.0000000596046448,
                          3.4028235677973366e38,
                          1.0e-40,
                          -1.1,
                          16777217.0,
                          0.1,
                          1.0e300,
                          -1.0e300};
    std::vector<std::int32_t> s{0,
                                1,
                                -1,
                                16777217,
                                -16777219,
                                std::numeric_limits<std::int32_t>::max(),
                                std::numeric_limits<std::int32_t>::min(),
                                300,
                                -129,
                                65535,
                                65536,
                                255,
                                128,
                                1 << 30,
                                33554435,
                                -7};
    std::vector<std::int64_t> l{0,
                                1,
                                -1,
                                9007199254740993LL,
                                -9007199254740995LL,
                                std::numeric_limits<std::int64_t>::max(),
                                std::numeric_limits<std::int64_t>::min(),
                                1LL << 40U,
                                16777217,
                                33554435,
                                -5,
                                123456789012345LL,
                                7,
                                8,
                                9,
                                10};
    const int n = 16;
    const Address pf = module.upload(f);
    const Address pd = module.upload(d);
    const Address ps = module.upload(s);
    const Address pl = module.upload(l);
    const Address out = module.upload(std::vector<double>(19 * 16));
    const auto run =
        module.run("conversions", {1, 1, 1}, {32, 1, 1},
                   test::Parameters().add(pf.value).add(pd.value).add(ps.value).add(pl.value).add(out.value).add(n));
    INFO((run ? "" : run.error().message()));
    REQUIRE(run.ok());
    const auto got = module.download<double>(out, 19 * 16);
    for (std::size_t i = 0; i < 16; ++i) {
        const auto result = [&](std::size_t k) { return got[k * 16 + i]; };
        CAPTURE(i);
        CHECK(result(0) == clamped<std::int32_t>(f[i], 0));
        CHECK(result(1) == clamped<std::uint32_t>(f[i], 0));
        CHECK(result(2) == clamped<std::int32_t>(d[i], -2147483648.0));
        CHECK(result(3) == clamped<std::int64_t>(f[i], 0));
        CHECK(result(4) == clamped<std::int64_t>(d[i], 0));
        CHECK(result(5) == clamped<std::uint64_t>(d[i], 0));
        CHECK(result(6) == static_cast<double>(static_cast<float>(s[i])));
        CHECK(result(7) == static_cast<double>(static_cast<float>(static_cast<std::uint32_t>(s[i]))));
        CHECK(result(8) == static_cast<double>(static_cast<float>(l[i])));
        CHECK(result(9) == static_cast<double>(static_cast<float>(static_cast<std::uint64_t>(l[i]))));
        CHECK(result(10) == static_cast<double>(s[i]));
        CHECK(result(11) == static_cast<double>(l[i]));
        CHECK(result(12) == static_cast<double>(static_cast<float>(d[i])));
        CHECK(result(13) == (std::nearbyint(f[i]) >= 2147483648.0F   ? 2147483647.0
                             : std::nearbyint(f[i]) < -2147483648.0F ? -2147483648.0
                                                                     : std::nearbyint(f[i])));
        CHECK(result(14) == (std::floor(f[i]) >= 2147483648.0F   ? 2147483647.0
                             : std::floor(f[i]) < -2147483648.0F ? -2147483648.0
                                                                 : std::floor(f[i])));
        const auto nearest = static_cast<float>(d[i]);
        const float toward_zero =
            std::fabs(static_cast<double>(nearest)) > std::fabs(d[i]) ? std::nextafter(nearest, 0.0F) : nearest;
        CHECK(result(15) == static_cast<double>(toward_zero));
        const auto near_int = static_cast<float>(s[i]);
        const float down = static_cast<double>(near_int) > s[i]
                               ? std::nextafter(near_int, -std::numeric_limits<float>::infinity())
                               : near_int;
        CHECK(result(16) == static_cast<double>(down));
        CHECK(result(17) == static_cast<double>(static_cast<std::int8_t>(s[i])));
        CHECK(result(18) == static_cast<double>(static_cast<std::uint16_t>(s[i])));
    }
}

TEST_CASE("FP16 and BF16 arithmetic rounds once") {
    test::Module module(conversion_fixture);
    std::vector<float> a;
    std::vector<float> b;
    std::uint32_t state = 5;
    const float corners[8] = {0.0F,    -0.0F, 65504.0F, 6.0e-8F, 1.0F, std::numeric_limits<float>::infinity(),
                              1.0e-5F, -3.0F};
    for (int i = 0; i < 512; ++i) {
        const auto value = [&] {
            state = state * 1664525U + 1013904223U;
            if (state >> 29U == 0) return corners[state >> 20U & 7U];
            return std::ldexp(static_cast<float>(static_cast<std::int32_t>(state) >> 8) * 1.0e-6F,
                              static_cast<int>(state >> 8U & 15U) - 10);
        };
        a.push_back(value());
        b.push_back(value());
    }
    const Address pa = module.upload(a);
    const Address pb = module.upload(b);
    const Address out = module.upload(std::vector<std::uint16_t>(12 * 512));
    const auto run = module.run("half_operations", {4, 1, 1}, {128, 1, 1},
                                test::Parameters().add(pa.value).add(pb.value).add(out.value).add(512));
    INFO((run ? "" : run.error().message()));
    REQUIRE(run.ok());
    const auto got = module.download<std::uint16_t>(out, 12 * 512);
    for (std::size_t i = 0; i < 512; ++i) {
        const auto result = [&](std::size_t k) { return got[k * 512 + i]; };
        const float x = from_half(to_half(a[i]));
        const float y = from_half(to_half(b[i]));
        const float p = from_bfloat(to_bfloat(a[i]));
        const float q = from_bfloat(to_bfloat(b[i]));
        CAPTURE(i, x, y);
        CHECK(result(0) == to_half(a[i]));
        CHECK(result(1) == to_half(x + y));  // sums of halves are exact in float
        CHECK(result(2) == to_half(x * y));
        // x * y + x is exact in double; the odd last bit carries what float cannot hold into the second rounding.
        const double exact = static_cast<double>(x) * y + x;
        float odd = static_cast<float>(exact);
        if (std::isfinite(odd) && static_cast<double>(odd) != exact && (std::bit_cast<std::uint32_t>(odd) & 1U) == 0)
            odd = std::nextafter(odd, exact > static_cast<double>(odd) ? std::numeric_limits<float>::infinity()
                                                                       : -std::numeric_limits<float>::infinity());
        CHECK(result(3) == to_half(odd));
        CHECK(result(4) == to_half(x == y ? (std::signbit(x) ? y : x) : std::max(x, y)));
        CHECK(result(5) == (x < y) + 2 * (x == y));
        CHECK(result(6) == to_bfloat(a[i]));
        CHECK(result(9) == to_half(x + y));
        CHECK(result(10) == to_half(y + y));
        CHECK(result(11) == to_half(x * 3.0F));
        // BF16: products have 16 bits; sums of the tested range are exact in double.
        const double sum = static_cast<double>(p) + q;
        const auto near_sum = static_cast<float>(sum);
        if (static_cast<double>(near_sum) == sum || !std::isfinite(near_sum)) CHECK(result(7) == to_bfloat(near_sum));
        const double fused = static_cast<double>(p) * q + p;
        const auto near_fused = static_cast<float>(fused);
        if (static_cast<double>(near_fused) == fused || !std::isfinite(near_fused))
            CHECK(result(8) == to_bfloat(near_fused));
    }
}
