// Where SMs lie: which GPC an SM is of, and which partition of L2 it speaks to. Neighbouring numbers are of one GPC, as
// blocks that follow one another run on SMs of one (validate/records/h200/probes/who_runs_where.cu), and the SMs of a
// GPC are near to the same partition (slice_map.cu).
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "sim/platform/platform.hpp"
#include "sim/timing/dealt_sms.hpp"

namespace sassafras::sim {

class SmPlacement {
  public:
    static constexpr std::uint64_t all = ~std::uint64_t{0};  ///< blocks: no fewer than SMs

    /// The SMs of a launch of so many blocks: with fewer blocks than SMs number i is the SM that block i runs on, and
    /// there are no others.
    explicit SmPlacement(const Platform& platform, std::uint64_t blocks = all, const DealtFrom& from = {}) {
        const std::uint32_t sms = platform.gpu.sm_count;
        const std::uint32_t partitions = platform.l2.partitions;
        const std::uint32_t whole = std::max(1U, sms / platform.gpu.gpc_sms);
        gpcs_ = std::min((whole + partitions - 1) / partitions * partitions, sms);
        std::vector<std::uint16_t> of_all;
        for (std::uint64_t sm = 0; sm < sms; ++sm) of_all.push_back(static_cast<std::uint16_t>(sm * gpcs_ / sms));
        places_ = dealt_sms(of_all, platform.gpu.first_sms, blocks, from);
        for (const std::uint32_t place : places_) {
            gpc_.push_back(of_all[place]);
            partition_.push_back(static_cast<std::uint8_t>(gpc_.back() % partitions));
        }
    }

    /// As many as fill up with SMs, but so many that all partitions have as many.
    [[nodiscard]] std::uint32_t gpcs() const { return gpcs_; }
    [[nodiscard]] std::uint32_t gpc(std::uint32_t sm) const { return gpc_[sm]; }
    [[nodiscard]] std::uint32_t partition(std::uint32_t sm) const { return partition_[sm]; }
    /// Its number among all SMs, in whose order those of a GPC follow one another.
    [[nodiscard]] std::uint32_t place(std::uint32_t sm) const { return places_[sm]; }
    /// By SM, its GPC.
    [[nodiscard]] const std::vector<std::uint16_t>& gpc_by_sm() const { return gpc_; }

  private:
    std::uint32_t gpcs_ = 1;
    std::vector<std::uint32_t> places_;
    std::vector<std::uint16_t> gpc_;
    std::vector<std::uint8_t> partition_;
};

}  // namespace sassafras::sim
