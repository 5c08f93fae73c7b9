// What an atomic operation computes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "sim/execute/atomic_shape.hpp"

namespace sassafras::sim {

/// The words of one lane's operand or result; AtomicShape says how many count.
using AtomicDatum = std::array<std::uint32_t, 4>;

/// Reads, modifies and writes what is at `host`; returns what the instruction returns. `second`: what a swap stores.
AtomicDatum update(const AtomicShape& shape, std::byte* host, const AtomicDatum& operand, const AtomicDatum& second);

}  // namespace sassafras::sim
