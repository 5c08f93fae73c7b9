// What the kernels of the microbenchmarks count in. They are the same on every device, a real one included, whose lines
// and sectors nobody can ask for: a record of one is comparable with a record of another only if both moved the same
// bytes.
#pragma once

#include <cstdint>

namespace sassafras::workloads::micro {

/// A line in samples.cuh and probes.cuh, which have it as a number because a recorded kernel's source stays as it is.
/// Every GPU since Fermi has such lines of L1.
inline constexpr std::uint64_t kernel_line_bytes = 128;
/// Rates of scattered accesses are in these: what a GPU since Maxwell moves at least between L1 and L2, and the unit of
/// Nsight Compute's sectors.
inline constexpr std::uint64_t counted_sector_bytes = 32;
/// Of a warp in each trip of the loops of probes.cuh and chosen_warps.cuh.
inline constexpr int accesses_each_trip = 8;
inline constexpr int stores_each_trip = 32;

}  // namespace sassafras::workloads::micro
