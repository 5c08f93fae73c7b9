// 32-bit values of the 32 lanes of a warp, as four AVX2 vectors; masks of lanes as bits.
#pragma once

#include <immintrin.h>

#include <array>
#include <cstdint>

#include "core/types.hpp"

namespace sassafras::sim {

using U32x8 = std::uint32_t __attribute__((vector_size(32), may_alias));
using S32x8 = std::int32_t __attribute__((vector_size(32), may_alias));
using F32x8 = float __attribute__((vector_size(32), may_alias));
using U64x4 = std::uint64_t __attribute__((vector_size(32), may_alias));
using S64x4 = long long __attribute__((vector_size(32), may_alias));

inline constexpr std::uint32_t full_mask = 0xffffffffU;
inline constexpr int parts = 4;  ///< vectors in a row

/// One register of a warp: lane i is word i.
struct alignas(64) Row {
    U32x8 part[parts];
};
static_assert(sizeof(Row) == 128);

[[nodiscard]] inline std::uint32_t* words(U32x8* row) { return reinterpret_cast<std::uint32_t*>(row); }
[[nodiscard]] inline const std::uint32_t* words(const U32x8* row) {
    return reinterpret_cast<const std::uint32_t*>(row);
}

[[nodiscard]] inline U32x8 broadcast(std::uint32_t value) { return U32x8{} + value; }

/// All ones in the lanes of part `part` that are set in `mask`.
[[nodiscard]] inline U32x8 expand(std::uint32_t mask, int part) {
    constexpr U32x8 bit{1, 2, 4, 8, 16, 32, 64, 128};
    const U32x8 spread = broadcast(mask >> (8 * part));
    return (U32x8)((spread & bit) == bit);
}

[[nodiscard]] inline U32x8 select(U32x8 mask, U32x8 yes, U32x8 no) {
    return (U32x8)_mm256_blendv_epi8((__m256i)no, (__m256i)yes, (__m256i)mask);
}

/// The sign bits of eight lanes.
[[nodiscard]] inline std::uint32_t collect(U32x8 mask) {
    return static_cast<std::uint32_t>(_mm256_movemask_ps((__m256)mask));
}

[[nodiscard]] inline U32x8 shift_left(U32x8 value, U32x8 count) {  // counts of 32 and more give 0
    return (U32x8)_mm256_sllv_epi32((__m256i)value, (__m256i)count);
}
[[nodiscard]] inline U32x8 shift_right(U32x8 value, U32x8 count) {
    return (U32x8)_mm256_srlv_epi32((__m256i)value, (__m256i)count);
}
[[nodiscard]] inline U32x8 shift_right_signed(U32x8 value, U32x8 count) {  // counts of 32 and more give the sign
    return (U32x8)_mm256_srav_epi32((__m256i)value, (__m256i)count);
}
[[nodiscard]] inline U32x8 minimum(U32x8 a, U32x8 b) { return (U32x8)_mm256_min_epu32((__m256i)a, (__m256i)b); }
[[nodiscard]] inline U32x8 maximum(U32x8 a, U32x8 b) { return (U32x8)_mm256_max_epu32((__m256i)a, (__m256i)b); }
[[nodiscard]] inline U32x8 minimum_signed(U32x8 a, U32x8 b) { return (U32x8)_mm256_min_epi32((__m256i)a, (__m256i)b); }
[[nodiscard]] inline U32x8 maximum_signed(U32x8 a, U32x8 b) { return (U32x8)_mm256_max_epi32((__m256i)a, (__m256i)b); }
[[nodiscard]] inline U32x8 less(U32x8 a, U32x8 b) { return (U32x8)(a < b); }

/// Lanes of two registers as 64-bit values: even lanes and odd lanes of eight.
struct Wide {
    U64x4 even;
    U64x4 odd;
};
[[nodiscard]] inline Wide join(U32x8 low, U32x8 high) {
    constexpr int odd_words = 0xaa;
    const auto high_up = _mm256_slli_epi64((__m256i)high, 32);
    const auto low_down = _mm256_srli_epi64((__m256i)low, 32);
    return {(U64x4)_mm256_blend_epi32((__m256i)low, high_up, odd_words),
            (U64x4)_mm256_blend_epi32(low_down, (__m256i)high, odd_words)};
}
[[nodiscard]] inline U32x8 low_half(Wide value) {
    return (U32x8)_mm256_blend_epi32((__m256i)value.even, _mm256_slli_epi64((__m256i)value.odd, 32), 0xaa);
}
[[nodiscard]] inline U32x8 high_half(Wide value) {
    return (U32x8)_mm256_blend_epi32(_mm256_srli_epi64((__m256i)value.even, 32), (__m256i)value.odd, 0xaa);
}

/// 32 x 32 -> 64 bit products.
template <bool is_signed>
[[nodiscard]] inline Wide multiply_wide(U32x8 a, U32x8 b) {
    const auto a_odd = _mm256_srli_epi64((__m256i)a, 32);
    const auto b_odd = _mm256_srli_epi64((__m256i)b, 32);
    if constexpr (is_signed)
        return {(U64x4)_mm256_mul_epi32((__m256i)a, (__m256i)b), (U64x4)_mm256_mul_epi32(a_odd, b_odd)};
    else
        return {(U64x4)_mm256_mul_epu32((__m256i)a, (__m256i)b), (U64x4)_mm256_mul_epu32(a_odd, b_odd)};
}

/// Calls f(lane) for every lane in the mask, in lane order.
template <class F>
inline void for_each_lane(std::uint32_t mask, F&& f) {
    while (mask != 0) {
        f(std::countr_zero(mask));
        mask &= mask - 1;
    }
}

}  // namespace sassafras::sim
