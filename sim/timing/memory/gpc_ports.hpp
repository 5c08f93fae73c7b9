// What the SMs of a GPC read together passes its port.
//
// Source: validate/records/h200/probes/gpc_port.cu; docs/decisions/0058-a-gpcs-port.md. Slices are simulated apart from
// each other during a round, so what a port has still to pass is known from one round to the next: what was read in a
// round waits for what was left of those before.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/platform/platform.hpp"
#include "sim/timing/cycle_fraction.hpp"

namespace sassafras::sim {

class GpcPorts {
  public:
    GpcPorts(const Platform& platform, std::uint32_t gpcs)
        : cost_(platform.l2.gpc_bytes_per_cycle == 0 ? 0 : byte_cost(platform.l2.gpc_bytes_per_cycle)),
          left_(gpcs, 0),
          wait_(gpcs, 0) {}

    void clear() {
        std::fill(left_.begin(), left_.end(), 0);
        std::fill(wait_.begin(), wait_.end(), 0);
        round_begin_ = 0;
    }

    /// Cycles that what a GPC reads in this round waits for its port.
    [[nodiscard]] std::uint64_t wait(std::uint32_t gpc) const { return wait_[gpc]; }

    /// A GPC has asked for so many bytes since the last round began.
    void add(std::uint32_t gpc, std::uint64_t bytes) { left_[gpc] += bytes * cost_; }
    /// What ports have passed since then is gone.
    void begin_round(std::uint64_t begin) {
        const std::uint64_t passed = (begin - round_begin_) * cycle_fraction;
        round_begin_ = begin;
        for (std::size_t gpc = 0; gpc < left_.size(); ++gpc) {
            left_[gpc] -= std::min(left_[gpc], passed);
            wait_[gpc] = left_[gpc] / cycle_fraction;
        }
    }

  private:
    std::uint64_t cost_;               ///< 2^-20 cycles a byte
    std::vector<std::uint64_t> left_;  ///< by GPC, what it has asked for and not got: 2^-20 cycles
    std::vector<std::uint64_t> wait_;  ///< by GPC, cycles
    std::uint64_t round_begin_ = 0;
};

}  // namespace sassafras::sim
