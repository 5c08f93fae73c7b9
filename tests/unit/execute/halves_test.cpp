// Comparisons of bfloat16 and half against the same comparisons in float, which holds every value of both.
#include <catch2/catch.hpp>

#include <immintrin.h>

#include <bit>
#include <string>

#include "tests/unit/execute/harness.hpp"

using namespace sassafras;

namespace {

float bfloat_value(std::uint16_t x) { return std::bit_cast<float>(static_cast<std::uint32_t>(x) << 16U); }
float half_value(std::uint16_t x) { return _cvtsh_ss(x); }

void compare(const std::string& kernel, float (*value)(std::uint16_t)) {
    test::Module module(std::string(SASSAFRAS_SOURCE_DIR) + "/tests/fixtures/execute/halves.cubin");
    // Infinity of one format is NaN or a number of the other, so a mix-up shows.
    const std::vector<std::uint16_t> values{0x7f80, 0x7f00, 0x3f80, 0xbf80, 0x4040, 0x0000, 0x8000, 0x7fc0,
                                            0xff80, 0x4000, 0x0001, 0x8001, 0x7c01, 0x7c00, 0xc2c8, 0x42c8};
    std::vector<std::uint16_t> a(32);
    std::vector<std::uint16_t> b(32);
    for (std::size_t i = 0; i < a.size(); ++i) {
        a[i] = values[i % 16];
        b[i] = values[(i * 7 + i / 16) % 16];
    }
    const Address x = module.upload(a);
    const Address y = module.upload(b);
    const Address out = module.upload(std::vector<std::uint32_t>(32, 99));
    REQUIRE(
        module.run(kernel, {1, 1, 1}, {32, 1, 1}, test::Parameters{}.add(x.value).add(y.value).add(out.value)).ok());
    const auto bits = module.download<std::uint32_t>(out, 32);
    for (std::size_t i = 0; i < bits.size(); ++i) {
        const float p = value(a[i]);
        const float q = value(b[i]);
        const std::uint32_t expected =
            (p < q ? 1U : 0U) | (p >= q ? 2U : 0U) | (p == q ? 4U : 0U) | (p > q ? 8U : 0U) | (q > p ? 16U : 0U);
        INFO(kernel << ", pair " << i << ": " << p << " and " << q);
        CHECK(bits[i] == expected);
    }
}

}  // namespace

TEST_CASE("packed comparisons know bfloat16 from half") {
    compare("compare_bfloat", bfloat_value);
    compare("compare_half", half_value);
}
