// Single-precision arithmetic as the hardware does it: canonical NaNs, flushed denormals, saturation, directed
// rounding.
#pragma once

#include <cstdint>

#include "sim/execute/lanes.hpp"

namespace sassafras::sim {

inline constexpr std::uint32_t float_sign = 0x8000'0000U;
inline constexpr std::uint32_t float_exponent = 0x7f80'0000U;
inline constexpr std::uint32_t float_nan = 0x7fff'ffffU;  ///< what every FP32 operation returns for NaN

[[nodiscard]] inline F32x8 as_float(U32x8 bits) { return (F32x8)bits; }
[[nodiscard]] inline U32x8 as_bits(F32x8 value) { return (U32x8)value; }

[[nodiscard]] inline U32x8 flush(U32x8 value) {
    return value & ~((U32x8)((value & float_exponent) == 0U) & 0x7fff'ffffU);
}
[[nodiscard]] inline U32x8 canonical(U32x8 value) {
    const F32x8 f = as_float(value);
    return select((U32x8)_mm256_cmp_ps((__m256)f, (__m256)f, _CMP_UNORD_Q), broadcast(float_nan), value);
}
/// To [0, 1]; NaN and -0 become +0.
[[nodiscard]] inline U32x8 saturate(U32x8 value) {
    // maxps returns its second operand when one is NaN or both are zero.
    const __m256 low = _mm256_max_ps((__m256)value, _mm256_setzero_ps());
    return (U32x8)_mm256_min_ps(low, _mm256_set1_ps(1.0F));
}

/// Sets the rounding mode of the host for its lifetime. Arithmetic under it must go through memory barriers: see
/// rounded().
class RoundingScope {
  public:
    explicit RoundingScope(unsigned mode) : saved_(_mm_getcsr()) {
        constexpr unsigned to_host[4] = {0, 1, 2, 3};  // nearest, down, up, zero: x86 numbers them alike
        _mm_setcsr((saved_ & ~0x6000U) | to_host[mode & 3U] << 13U);
    }
    ~RoundingScope() { _mm_setcsr(saved_); }
    RoundingScope(const RoundingScope&) = delete;
    RoundingScope& operator=(const RoundingScope&) = delete;

  private:
    unsigned saved_;
};

/// Hides a value from the optimiser, so that arithmetic on it stays between the changes of the rounding mode.
template <class T>
inline void opaque(T& value) {
    asm volatile("" : "+m"(value) : : "memory");
}

}  // namespace sassafras::sim
