// Which lanes of an ATOMS.CAST.SPIN act at all.
#pragma once

#include <cstdint>

#include "sim/access/access_analysis.hpp"

namespace sassafras::sim {

/// Of lanes whose words lie in one bank, served in one group (shared_groups), the lowest acts; the others are told that
/// they stored nothing, whatever their words hold, and try again. On an H200 a loop over 32 lanes takes as many rounds
/// with 32 words of one bank as with one word (validate/records/h200/probes/shared_cas.cu; which lane comes first is
/// not known).
[[nodiscard]] std::uint32_t acting_lanes(const AccessRecord& access, std::uint32_t width, BankGeometry geometry);

}  // namespace sassafras::sim
