// Where SMs lie: which GPC an SM is of, and which partition of L2 it speaks to. Neighbouring numbers are of one GPC, as
// blocks that follow one another run on SMs of one (validate/records/h200/probes/who_runs_where.cu), and the SMs of a
// GPC are near to the same partition (slice_map.cu).
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sim/platform/platform.hpp"

namespace sassafras::sim {

class SmPlacement {
  public:
    explicit SmPlacement(const Platform& platform) {
        const std::uint32_t sms = platform.gpu.sm_count;
        const std::uint32_t partitions = platform.l2.partitions;
        const std::uint32_t whole = std::max(1U, sms / platform.gpu.gpc_sms);
        gpcs_ = std::min((whole + partitions - 1) / partitions * partitions, sms);
        for (std::uint64_t sm = 0; sm < sms; ++sm) {
            gpc_.push_back(static_cast<std::uint16_t>(sm * gpcs_ / sms));
            partition_.push_back(static_cast<std::uint8_t>(gpc_.back() % partitions));
        }
    }

    /// As many as fill up with SMs, but so many that all partitions have as many.
    [[nodiscard]] std::uint32_t gpcs() const { return gpcs_; }
    [[nodiscard]] std::uint32_t gpc(std::uint32_t sm) const { return gpc_[sm]; }
    [[nodiscard]] std::uint32_t partition(std::uint32_t sm) const { return partition_[sm]; }

  private:
    std::uint32_t gpcs_ = 1;
    std::vector<std::uint16_t> gpc_;
    std::vector<std::uint8_t> partition_;
};

}  // namespace sassafras::sim
