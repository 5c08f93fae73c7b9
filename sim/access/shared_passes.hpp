// How a shared-memory request is served, lane by lane: which bank, in which pass. For drawings; counting needs no lanes
// (access_analysis.hpp), and a test holds the two together.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/access/access_analysis.hpp"

namespace sassafras::sim {

struct LaneService {
    int lane = 0;
    std::uint32_t pass = 0;        ///< from 0
    std::uint32_t first_bank = 0;  ///< of the neighbouring ones that serve it
    std::uint32_t banks = 1;
    std::uint64_t word = 0;  ///< address / (bytes served as one): equal for lanes that share
    bool shares = false;     ///< an earlier lane has the same word in the same pass
};

struct ServicePlan {
    std::vector<LaneService> lanes;  ///< the active ones, ascending; of a try_swap those that act
    /// Where in `passes` each group of lanes begins that is served apart; two groups that are served together are one.
    std::vector<std::uint32_t> group_begins;
    std::uint32_t passes = 0;  ///< Wavefronts::actual; half of it where lanes compare and swap
};

/// Of the words that a bank must serve, that of the lowest lane goes first. In which order hardware takes them is not
/// known; how many passes there are does not depend on it.
[[nodiscard]] ServicePlan service_plan(const AccessRecord& access, std::uint32_t width, SharedAccessKind kind,
                                       BankGeometry geometry);

}  // namespace sassafras::sim
