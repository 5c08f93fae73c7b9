// Inputs of 32-bit keys, by kind and seed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sassafras::workloads {

/// random: uniform over all 32-bit values. sorted, reverse: the same values in ascending or descending order. equal:
/// one value throughout.
[[nodiscard]] std::vector<std::string> key_input_kinds();

/// Throws InvariantViolation for a kind not in key_input_kinds(): the request was checked before.
[[nodiscard]] std::vector<std::uint32_t> make_keys(std::string_view kind, std::uint64_t count, std::uint64_t seed);

}  // namespace sassafras::workloads
