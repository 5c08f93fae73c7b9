// The way of loads of constants (LDC) through the SM's constant cache.
#pragma once

#include <algorithm>
#include <cstdint>

#include "sim/platform/platform.hpp"

namespace sassafras::sim {

/// Lanes that want different addresses are served one after the other: a warp's results are eleven cycles apart on an
/// H200, of several warps the SM serves one every two cycles (validate/records/h200/probes/constant_lanes.cu).
class ConstantPort {
  public:
    explicit ConstantPort(const LsuParameters& lsu)
        : address_cycles_(lsu.constant_address_cycles), interval_(lsu.constant_interval_cycles) {}

    /// A load whose line is `there`, of so many addresses: the cycle from which its latency counts.
    std::uint64_t read(std::uint64_t there, std::uint32_t addresses) {
        const std::uint64_t begin = std::max(there, free_);
        // Loads of one address come no closer than they enter the memory unit.
        if (addresses > 1) free_ = begin + std::uint64_t{addresses} * interval_;
        return begin + std::uint64_t{addresses - 1} * address_cycles_;
    }

  private:
    std::uint32_t address_cycles_;
    std::uint32_t interval_;
    std::uint64_t free_ = 0;
};

}  // namespace sassafras::sim
