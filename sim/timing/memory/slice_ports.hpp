// When the slices of L2 are free. Each has two ports, one for what it gives and one for what it takes: loads and stores
// of lines that L2 has do not hold each other up, stores and what DRAM brings do
// (validate/records/h200/probes/copy_mix.cu). Times are cycles, costs 2^-20 cycles.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/timing/cycle_fraction.hpp"

namespace sassafras::sim {

class SlicePorts {
  public:
    /// A byte that is read takes a slice for `byte_cost`, a request for `request_cost` at least.
    SlicePorts(std::size_t slices, std::uint64_t byte_cost, std::uint64_t request_cost)
        : gives_(slices, 0),
          takes_(slices, 0),
          stores_(slices, 0),
          byte_cost_(byte_cost),
          request_cost_(request_cost) {}

    void clear() {
        for (auto* times : {&gives_, &takes_, &stores_}) std::fill(times->begin(), times->end(), 0);
    }

    /// When a slice would serve a read that arrives then. Loads wait behind what an SM stored (l2_wait.cu), but not
    /// behind what DRAM brings, which a slice takes beside what it serves (hot_lines.cu).
    [[nodiscard]] std::uint64_t free_for(std::uint32_t slice, std::uint64_t arrival) const {
        return begins(slice, arrival) / cycle_fraction;
    }
    /// The cycle at which a slice serves what takes it for as long as `bytes` read.
    std::uint64_t give(std::uint32_t slice, std::uint64_t arrival, std::uint64_t bytes) {
        const std::uint64_t start = begins(slice, arrival);
        gives_[slice] = start + std::max(bytes * byte_cost_, request_cost_);
        return start / cycle_fraction;
    }
    /// The cycle at which a slice begins with updates that occupy it for so long.
    std::uint64_t update(std::uint32_t slice, std::uint64_t arrival, std::uint64_t cost) {
        const std::uint64_t start = std::max(gives_[slice], arrival * cycle_fraction);
        gives_[slice] = start + cost;
        return start / cycle_fraction;
    }
    /// The cycle at which a slice takes what occupies it for as long as `bytes` read.
    std::uint64_t take(std::uint32_t slice, std::uint64_t time, std::uint64_t bytes) {
        const std::uint64_t start = std::max(takes_[slice], time * cycle_fraction);
        takes_[slice] = start + bytes * byte_cost_;
        return start / cycle_fraction;
    }
    /// As take(), for what an SM brings.
    std::uint64_t take_store(std::uint32_t slice, std::uint64_t time, std::uint64_t bytes) {
        const std::uint64_t taken = take(slice, time, bytes);
        stores_[slice] = takes_[slice];
        return taken;
    }
    /// A slice takes nothing before `cycle`, and what SMs bring holds up loads until then.
    void hold_up(std::uint32_t slice, std::uint64_t cycle) {
        takes_[slice] = std::max(takes_[slice], cycle * cycle_fraction);
        stores_[slice] = std::max(stores_[slice], cycle * cycle_fraction);
    }

  private:
    [[nodiscard]] std::uint64_t begins(std::uint32_t slice, std::uint64_t arrival) const {
        return std::max({gives_[slice], stores_[slice], arrival * cycle_fraction});
    }

    // By slice, 2^-20 cycles.
    std::vector<std::uint64_t> gives_;   ///< when it can give data again
    std::vector<std::uint64_t> takes_;   ///< when it can take some
    std::vector<std::uint64_t> stores_;  ///< when it has taken what an SM stored last
    std::uint64_t byte_cost_ = 0;
    std::uint64_t request_cost_ = 0;
};

}  // namespace sassafras::sim
