// A hash for places whose real order is not published. Any that spreads neighbours and strides evenly would do; it is
// fixed, so that results are reproducible.
#pragma once

#include <cstdint>

namespace sassafras::sim {

[[nodiscard]] constexpr std::uint64_t mix(std::uint64_t number) {
    number ^= number >> 17U;
    number *= 0xed5ad4bbac4c1b51ULL;
    number ^= number >> 29U;
    number *= 0x31848babac4c1b51ULL;
    return number ^ (number >> 32U);
}

}  // namespace sassafras::sim
