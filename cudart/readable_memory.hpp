// How far memory can be read: a program hands over pointers to what its file says is there.
#pragma once

#include <cstdint>

namespace sassafras::cudart {

/// Bytes from `address` on that can be read without leaving what is mapped, by /proc/self/maps; 0 if it is not mapped.
/// Where there is no such file nothing is known, and all can be read.
[[nodiscard]] std::uint64_t readable_bytes(const void* address);

}  // namespace sassafras::cudart
