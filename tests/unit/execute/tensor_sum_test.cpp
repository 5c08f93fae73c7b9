// The tensor core's way of adding, on sums that can be done by hand. What an H200 gives is in tests/golden/execute.
#include <catch2/catch.hpp>

#include <bit>
#include <cmath>
#include <vector>

#include "sim/execute/tensor_sum.hpp"

using namespace sassafras;
using sim::TensorArithmetic;
using sim::TensorNumber;
using sim::TensorOperand;

namespace {

constexpr std::uint32_t one = 0x3c00;  // FP16

std::vector<TensorNumber> halves(const std::vector<std::uint32_t>& bits) {
    std::vector<TensorNumber> numbers;
    for (const std::uint32_t value : bits) numbers.push_back(sim::tensor_number(value, TensorOperand::half));
    return numbers;
}

float sum(const std::vector<std::uint32_t>& a, float accumulator, TensorArithmetic arithmetic = {}) {
    const std::vector<std::uint32_t> ones(a.size(), one);
    return std::bit_cast<float>(sim::tensor_sum_single(halves(a), halves(ones), TensorOperand::half,
                                                       std::bit_cast<std::uint32_t>(accumulator), arithmetic));
}

}  // namespace

TEST_CASE("what lies more than 25 places below the largest exponent is cut, term by term") {
    const float large = std::ldexp(1.0F, 20);
    const float below = std::ldexp(1.0F, -5);      // 25 places below
    CHECK(sum({0x2800, 0x2800}, large) == large);  // two of 2^-5: 2^-4 is below FP32's last place and cut
    // Four of 2^-5 make the last place of FP32, 2^-3; kept one by one, they count.
    CHECK(sum({0x2800, 0x2800, 0x2800, 0x2800}, large) == large + 4 * below);
    // Eight of 2^-6 make as much, but each is cut.
    CHECK(sum(std::vector<std::uint32_t>(8, 0x2400), large) == large);
    // With 24 places those of 2^-5 go too.
    CHECK(sum({0x2800, 0x2800, 0x2800, 0x2800}, large, {16, 24}) == large);
}

TEST_CASE("results are cut to FP32 towards zero, and rounded to nearest FP16") {
    CHECK(sum({0x0c00, 0x0c00, 0x0c00}, std::ldexp(-1.0F, 12)) == std::ldexp(-1.0F, 12) + 3 * std::ldexp(1.0F, -12));
    // The exact sum is a tie between two FP32 numbers; the one nearer to zero is given.
    CHECK(sum({0x0800}, std::ldexp(-1.0F, 12)) == std::ldexp(-1.0F, 12) + std::ldexp(1.0F, -12));
    const auto half_sum = [](const std::vector<std::uint32_t>& a) {
        return sim::tensor_sum_half(halves(a), halves(std::vector<std::uint32_t>(a.size(), one)), one);
    };
    CHECK(half_sum({0x1000}) == one);             // 1 + 2^-11: a tie, to even
    CHECK(half_sum({0x1000, 0x0400}) == 0x3c01);  // and a little more
}

TEST_CASE("longer sums go on from the rounded sum of the step before") {
    // 2^12, then 2^-12 sixteen times: in one step they add up, in steps of 4 each group is cut to FP32 on its own.
    std::vector<std::uint32_t> terms(16, 0x0c00);
    CHECK(sum(terms, std::ldexp(1.0F, 12)) == std::ldexp(1.0F, 12) + 16 * std::ldexp(1.0F, -12));
    CHECK(sum(terms, std::ldexp(1.0F, 12), {4, 25}) == std::ldexp(1.0F, 12) + 16 * std::ldexp(1.0F, -12));
    CHECK(sum(terms, std::ldexp(1.0F, 13), {2, 25}) == std::ldexp(1.0F, 13));
    CHECK(sum(terms, std::ldexp(1.0F, 13), {4, 25}) == std::ldexp(1.0F, 13) + 16 * std::ldexp(1.0F, -12));
}

TEST_CASE("infinities, NaNs and zeros") {
    CHECK(std::isinf(sum({0x7c00, one}, 1)));
    CHECK(sum({0xfc00, one}, 1) < 0);
    CHECK(std::isnan(sum({0x7c00, 0xfc00}, 1)));
    CHECK(std::isnan(sum({0x7e00}, 1)));
    CHECK_FALSE(std::signbit(sum({0x8000}, -0.0F)));
}

TEST_CASE("each generation adds in its own steps") {
    using isa::Architecture;
    CHECK(sim::tensor_arithmetic(Architecture::sm_90, TensorOperand::half).products_a_step == 16);
    CHECK(sim::tensor_arithmetic(Architecture::sm_90, TensorOperand::tf32).products_a_step == 8);
    CHECK(sim::tensor_arithmetic(Architecture::sm_86, TensorOperand::bfloat).products_a_step == 8);
    CHECK(sim::tensor_arithmetic(Architecture::sm_80, TensorOperand::half).alignment_bits == 24);
    CHECK(sim::tensor_arithmetic(Architecture::sm_75, TensorOperand::half).products_a_step == 4);
}
