// XXH64 (Collet), the checksum of zstd and of trace files. Finds damage; not for security.
#pragma once

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cstddef>
#include <cstdint>
#include <span>

namespace sassafras {

[[nodiscard]] inline std::uint64_t xxhash64(std::span<const std::byte> bytes) {
    return XXH64(bytes.data(), bytes.size(), 0);
}

}  // namespace sassafras
