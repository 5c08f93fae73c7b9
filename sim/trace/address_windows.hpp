// Where the shared and local windows lie in a program's generic address space. The simulator's own choice: hardware's
// addresses differ from driver to driver, and programs learn them from SR_SWINHI, SR_LWINHI and constant bank 0. Part
// of what a trace means: the addresses of generic accesses are recorded as they are.
#pragma once

#include <cstdint>

namespace sassafras::sim {

inline constexpr std::uint64_t window_bytes = 0x0100'0000;  ///< 16 MiB, as on hardware
/// Initial R1 of every thread: what lies above it is the system's. As on an H200, whose local memory has 576 bytes a
/// thread more than its stack (validate/records/h200/probes/local_map.cu).
inline constexpr std::uint32_t stack_top = 0x00ff'fdc0;
inline constexpr std::uint64_t shared_window =
    0x7e00'0000'0000;  ///< low 32 bits are zero: code forms addresses by the high word
inline constexpr std::uint64_t local_window = 0x7d00'0000'0000;

[[nodiscard]] constexpr bool in_shared_window(std::uint64_t address) { return address - shared_window < window_bytes; }
[[nodiscard]] constexpr bool in_local_window(std::uint64_t address) { return address - local_window < window_bytes; }

}  // namespace sassafras::sim
