// Whether parts of a launch that executed at the same time could have seen each other.
#pragma once

#include <cstdint>
#include <span>

#include "sim/execute/concurrent/access_log.hpp"

namespace sassafras::sim {

/// Part `part` stopped; or accessed words that another has changed, beside reductions of both; or read, without a
/// record, a region that was changed for the first time in this epoch. What it did is then not what it would have done
/// in order. `logs`: of all parts, by number.
[[nodiscard]] bool has_conflict(std::size_t part, std::span<const AccessLog> logs, const LineOwners& owners,
                                const Regions& regions, std::uint32_t epoch);

}  // namespace sassafras::sim
