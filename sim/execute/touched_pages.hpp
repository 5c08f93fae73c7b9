// Pages of the host that nothing has touched since they were mapped or given back: they read as zeros, and need not be
// read to know it; and getting many of them at once.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sassafras::sim {

/// Of `size` bytes of private anonymous memory, how many from the first on the host has no memory behind. 0 as well
/// where it does not say (Linux does, in /proc/self/pagemap).
[[nodiscard]] std::uint64_t untouched_bytes(const std::byte* begin, std::uint64_t size);

/// Asks the host for what is about to be written: all its pages in one call, where each would else fault by itself.
/// What they hold stays. Does nothing if the range is small or the host cannot (Linux can from 5.14 on).
void get_pages(std::byte* begin, std::uint64_t size);

}  // namespace sassafras::sim
