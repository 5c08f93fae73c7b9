// At which GPC the GPU begins to deal each launch's blocks, by what runs beside it.
//
// What an H200 does (validate/records/h200/probes/dealt_beside.cu), and so does this: blocks go to the emptiest SMs, of
// these to some first (gpu.first_sms). A launch whose first block these get deals the others from the GPC on from which
// the launch before was dealt, any other from the GPC behind that. So launches that find an idle GPU change nothing,
// and idle time does not either.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "cudart/kernel_load.hpp"
#include "sim/trace/dealt_from.hpp"

namespace sassafras::cudart {

class DealtLaunches {
  public:
    DealtLaunches(std::uint32_t first_sms, std::uint32_t gpcs) : first_sms_(first_sms), gpcs_(gpcs) {}

    /// A launch with these places, beside launches that were put before: their commands.
    [[nodiscard]] sim::DealtFrom deal(const KernelLoad& places, std::span<const std::uint64_t> beside);
    /// The launch that was dealt last has this command. Of those before `oldest` none runs any more.
    void put(std::uint64_t command, std::uint64_t oldest);

  private:
    /// SMs that follow one another and get as many warps of a launch.
    struct Run {
        std::size_t first = 0;
        std::size_t count = 0;
        double warps = 0;  ///< of what an SM holds, of each
    };
    using Runs = std::vector<Run>;

    std::uint32_t first_sms_;
    std::uint32_t gpcs_;
    std::uint32_t gpc_ = 0;  ///< from which the last launch was dealt
    Runs last_{};
    std::map<std::uint64_t, Runs> dealt_{};  ///< by command
};

}  // namespace sassafras::cudart
