// Values of a warp's loads and stores between host memory and rows of registers.
#pragma once

#include <algorithm>
#include <cstring>

#include "isa/sass/fields.hpp"
#include "sim/execute/handlers.hpp"

namespace sassafras::sim {

using isa::fields::AccessSize;

/// Bytes a lane.
constexpr std::uint32_t bytes_of(AccessSize size) {
    switch (size) {
        case AccessSize::u8:
        case AccessSize::s8: return 1;
        case AccessSize::u16:
        case AccessSize::s16: return 2;
        case AccessSize::b32: return 4;
        case AccessSize::b64: return 8;
        case AccessSize::b128: return 16;
    }
    return 0;
}
constexpr unsigned registers_of(AccessSize size) { return std::max(1U, bytes_of(size) / 4U); }

template <AccessSize size>
inline std::uint32_t load_word(const std::byte* from) {
    if constexpr (size == AccessSize::u8) return static_cast<std::uint8_t>(*from);
    if constexpr (size == AccessSize::s8)
        return static_cast<std::uint32_t>(static_cast<std::int32_t>(static_cast<std::int8_t>(*from)));
    if constexpr (size == AccessSize::u16 || size == AccessSize::s16) {
        std::uint16_t value = 0;
        std::memcpy(&value, from, 2);
        if constexpr (size == AccessSize::u16) return value;
        return static_cast<std::uint32_t>(static_cast<std::int32_t>(static_cast<std::int16_t>(value)));
    }
    std::uint32_t value = 0;
    std::memcpy(&value, from, 4);
    return value;
}

inline const __m128i* vector_at(const std::byte* from) { return reinterpret_cast<const __m128i*>(from); }

/// Reads one value a lane into rows; host(lane) gives where from.
template <AccessSize size, class Host>
inline void gather(U32x8* to, Host host) {
    std::uint32_t* d = words(to);
    if constexpr (size == AccessSize::b128) {
        for (int lane = 0; lane < warp_size; lane += 4) {  // 4 x 4 words, transposed
            const __m128i w0 = _mm_loadu_si128(vector_at(host(lane)));
            const __m128i w1 = _mm_loadu_si128(vector_at(host(lane + 1)));
            const __m128i w2 = _mm_loadu_si128(vector_at(host(lane + 2)));
            const __m128i w3 = _mm_loadu_si128(vector_at(host(lane + 3)));
            const __m128i low01 = _mm_unpacklo_epi32(w0, w1);
            const __m128i low23 = _mm_unpacklo_epi32(w2, w3);
            const __m128i high01 = _mm_unpackhi_epi32(w0, w1);
            const __m128i high23 = _mm_unpackhi_epi32(w2, w3);
            auto* out = reinterpret_cast<__m128i*>(d + lane);
            _mm_store_si128(out, _mm_unpacklo_epi64(low01, low23));
            _mm_store_si128(out + 8, _mm_unpackhi_epi64(low01, low23));
            _mm_store_si128(out + 16, _mm_unpacklo_epi64(high01, high23));
            _mm_store_si128(out + 24, _mm_unpackhi_epi64(high01, high23));
        }
    } else if constexpr (size == AccessSize::b64) {
        for (int lane = 0; lane < warp_size; ++lane) {
            std::uint64_t value = 0;
            std::memcpy(&value, host(lane), 8);
            write_pair(d, lane, value);
        }
    } else {
        for (int lane = 0; lane < warp_size; ++lane) d[lane] = load_word<size>(host(lane));
    }
}

/// Writes what gather() read to the destination under a mask; straight into it under a full one.
template <AccessSize size, class Host>
inline void load_rows(Warp& warp, const MicroOp& op, std::uint32_t mask, Host host) {
    U32x8* d = row(warp, op.d);
    if (mask == full_mask) {
        gather<size>(d, host);
        return;
    }
    Row fresh[registers_of(size)];
    gather<size>(fresh[0].part, host);
    for (unsigned reg = 0; reg < registers_of(size); ++reg)
        for (int part = 0; part < parts; ++part)
            store<false>(d + static_cast<int>(reg) * parts, fresh[reg].part[part], mask, part);
}

template <AccessSize size>
inline void store_lane(std::byte* to, const std::uint32_t* rows, int lane) {
    for (unsigned reg = 0; reg < registers_of(size); ++reg)
        std::memcpy(to + 4 * reg, rows + reg * warp_size + static_cast<unsigned>(lane), std::min(4U, bytes_of(size)));
}

template <AccessSize size, class Host>
inline void store_rows(Warp& warp, const MicroOp& op, std::uint32_t mask, Host host) {
    const std::uint32_t* rows = words(row(warp, op.b));
    if (mask == full_mask) {
        for (int lane = 0; lane < warp_size; ++lane) store_lane<size>(host(lane), rows, lane);
    } else {
        for_each_lane(mask, [&](int lane) { store_lane<size>(host(lane), rows, lane); });
    }
}

}  // namespace sassafras::sim
