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

// A program's memory may be accessed by several threads at a time (concurrent/), and its blocks may race: what a load
// reads then is not used, but must be a defined read. On x86 these are the same instructions as plain accesses.

template <class Value>
[[nodiscard]] inline Value read_memory(const std::byte* from) {
    return __atomic_load_n(reinterpret_cast<const Value*>(from), __ATOMIC_RELAXED);
}
template <class Value>
inline void write_memory(std::byte* to, Value value) {
    __atomic_store_n(reinterpret_cast<Value*>(to), value, __ATOMIC_RELAXED);
}
/// 16 bytes at once, which no atomic is.
[[gnu::no_sanitize_thread, nodiscard]] inline __m128i read_vector(const std::byte* from) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
}

/// `from` is aligned to words, `to` is nobody else's.
inline void copy_memory(std::byte* to, const std::byte* from, std::uint32_t bytes) {
    for (; bytes >= 4; bytes -= 4, to += 4, from += 4) {
        const auto word = read_memory<std::uint32_t>(from);
        std::memcpy(to, &word, sizeof word);
    }
    for (; bytes != 0; --bytes) *to++ = std::byte{read_memory<std::uint8_t>(from++)};
}

template <AccessSize size>
inline std::uint32_t load_word(const std::byte* from) {
    if constexpr (size == AccessSize::u8) return read_memory<std::uint8_t>(from);
    if constexpr (size == AccessSize::s8)
        return static_cast<std::uint32_t>(static_cast<std::int32_t>(read_memory<std::int8_t>(from)));
    if constexpr (size == AccessSize::u16) return read_memory<std::uint16_t>(from);
    if constexpr (size == AccessSize::s16)
        return static_cast<std::uint32_t>(static_cast<std::int32_t>(read_memory<std::int16_t>(from)));
    return read_memory<std::uint32_t>(from);
}

/// The low bytes of a word, as many as `size` has a register.
template <AccessSize size>
inline void store_word(std::byte* to, std::uint32_t value) {
    if constexpr (bytes_of(size) == 1)
        write_memory(to, static_cast<std::uint8_t>(value));
    else if constexpr (bytes_of(size) == 2)
        write_memory(to, static_cast<std::uint16_t>(value));
    else
        write_memory(to, value);
}

/// Reads one value a lane into rows; host(lane) gives where from.
template <AccessSize size, class Host>
inline void gather(U32x8* to, Host host) {
    std::uint32_t* d = words(to);
    if constexpr (size == AccessSize::b128) {
        for (int lane = 0; lane < warp_size; lane += 4) {  // 4 x 4 words, transposed
            const __m128i w0 = read_vector(host(lane));
            const __m128i w1 = read_vector(host(lane + 1));
            const __m128i w2 = read_vector(host(lane + 2));
            const __m128i w3 = read_vector(host(lane + 3));
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
            write_pair(d, lane, read_memory<std::uint64_t>(host(lane)));
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
        store_word<size>(to + 4 * reg, rows[reg * warp_size + static_cast<unsigned>(lane)]);
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
