// XXH64 (Collet), the checksum of zstd and of trace files:
// https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md Finds damage; not for security.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace sassafras {

namespace xxhash64_detail {

inline constexpr std::uint64_t prime_1 = 0x9e3779b185ebca87U;
inline constexpr std::uint64_t prime_2 = 0xc2b2ae3d27d4eb4fU;
inline constexpr std::uint64_t prime_3 = 0x165667b19e3779f9U;
inline constexpr std::uint64_t prime_4 = 0x85ebca77c2b2ae63U;
inline constexpr std::uint64_t prime_5 = 0x27d4eb2f165667c5U;

template <class Word>
std::uint64_t read(const std::byte* at) {
    Word word{};
    std::memcpy(&word, at, sizeof word);
    return word;
}

inline std::uint64_t round(std::uint64_t state, std::uint64_t input) {
    return std::rotl(state + input * prime_2, 31) * prime_1;
}

}  // namespace xxhash64_detail

[[nodiscard]] inline std::uint64_t xxhash64(std::span<const std::byte> bytes, std::uint64_t seed = 0) {
    using namespace xxhash64_detail;
    const std::byte* at = bytes.data();
    std::size_t left = bytes.size();
    std::uint64_t hash = seed + prime_5;
    if (left >= 32) {
        std::uint64_t lanes[4] = {seed + prime_1 + prime_2, seed + prime_2, seed, seed - prime_1};
        for (; left >= 32; left -= 32)
            for (std::uint64_t& lane : lanes) {
                lane = round(lane, read<std::uint64_t>(at));
                at += 8;
            }
        hash = std::rotl(lanes[0], 1) + std::rotl(lanes[1], 7) + std::rotl(lanes[2], 12) + std::rotl(lanes[3], 18);
        for (const std::uint64_t lane : lanes) hash = (hash ^ round(0, lane)) * prime_1 + prime_4;
    }
    hash += bytes.size();
    for (; left >= 8; left -= 8, at += 8)
        hash = std::rotl(hash ^ round(0, read<std::uint64_t>(at)), 27) * prime_1 + prime_4;
    if (left >= 4) {
        hash = std::rotl(hash ^ (read<std::uint32_t>(at) * prime_1), 23) * prime_2 + prime_3;
        left -= 4;
        at += 4;
    }
    for (; left != 0; --left, ++at) hash = std::rotl(hash ^ (read<std::uint8_t>(at) * prime_5), 11) * prime_1;
    hash = (hash ^ (hash >> 33)) * prime_2;
    hash = (hash ^ (hash >> 29)) * prime_3;
    return hash ^ (hash >> 32);
}

}  // namespace sassafras
