// A stable hash of text, for names of content in results. Not for security.
#pragma once

#include <cstdint>
#include <string_view>

namespace sassafras {

/// 64-bit FNV-1a; test vectors at https://datatracker.ietf.org/doc/html/draft-eastlake-fnv.
[[nodiscard]] constexpr std::uint64_t fnv1a_64(std::string_view text) {
    std::uint64_t hash = 0xcbf29ce484222325U;
    for (const char c : text) {
        hash ^= static_cast<unsigned char>(c);
        hash *= 0x100000001b3U;
    }
    return hash;
}

}  // namespace sassafras
