// What the host knows of pages that nothing has touched since they were mapped or given back: they read as zeros, and
// need not be read to know it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sassafras::sim {

/// Of `size` bytes of private anonymous memory, how many from the first on the host has no memory behind. 0 as well
/// where it does not say (Linux does, in /proc/self/pagemap).
[[nodiscard]] std::uint64_t untouched_bytes(const std::byte* begin, std::uint64_t size);

}  // namespace sassafras::sim
