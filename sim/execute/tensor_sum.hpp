// How a tensor core adds. Products are exact; those of one step and the accumulator are aligned to the largest exponent
// among them, cut below a fixed place and added as integers. The sum is cut once more to FP32, or rounded to nearest
// FP16. An exponent counts before a product is normalised: it is the sum of its factors'. Source: Fasi, Higham,
// Mikaitis, Pranesh, "Numerical behavior of NVIDIA tensor cores" (2021); Khattak and Mikaitis, "Accurate models of
// NVIDIA tensor cores" (2025); compared with an H200 bit for bit (tests/golden/execute, family tensor).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "isa/sass/architecture.hpp"

namespace sassafras::sim {

/// Formats of the operands. TF32 is the upper 19 bits of FP32; the lower ones do not count.
enum class TensorOperand : std::uint8_t { half, bfloat, tf32 };

/// An operand taken apart: significand * 2^(exponent - fraction bits of the format). Denormals have the least exponent
/// and no leading one.
struct TensorNumber {
    std::uint32_t significand = 0;
    std::int32_t exponent = 0;
    bool negative = false;
    bool infinite = false;
    bool nan = false;
};
[[nodiscard]] TensorNumber tensor_number(std::uint32_t bits, TensorOperand format);

/// What differs between generations.
struct TensorArithmetic {
    std::uint32_t products_a_step = 16;  ///< longer sums go on with the result of the step before as accumulator
    std::int32_t alignment_bits = 25;    ///< kept below the largest exponent
};
/// Of the GPUs that run this code. That of sm_90 is measured, the others are as published: steps of 4 products and 23
/// bits before Ampere, then of 8 products and 24 bits; of TF32 half as many products.
[[nodiscard]] TensorArithmetic tensor_arithmetic(isa::Architecture architecture, TensorOperand format);

/// accumulator + sum of a[i] * b[i], as FP32 bits; `a` and `b` are of equal length. NaN is 0x7fffffff, a sum of nothing
/// but zeros +0.
[[nodiscard]] std::uint32_t tensor_sum_single(std::span<const TensorNumber> a, std::span<const TensorNumber> b,
                                              TensorOperand format, std::uint32_t accumulator,
                                              const TensorArithmetic& arithmetic = {});
/// The same of FP16 operands with an FP16 accumulator and result. NaN is 0x7fff.
[[nodiscard]] std::uint32_t tensor_sum_half(std::span<const TensorNumber> a, std::span<const TensorNumber> b,
                                            std::uint32_t accumulator, const TensorArithmetic& arithmetic = {});

}  // namespace sassafras::sim
