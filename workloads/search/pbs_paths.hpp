// The ways that queries take through Algorithm 1 (PBS), and which 32 of them conflict most.
#pragma once

#include <cstdint>
#include <vector>

namespace sassafras::workloads::search {

/// For each of Algorithm 1's reads among N > 0 keys: the most places of one bank that it can be of. A warp's read costs
/// no more accesses than that, nor more than it has lanes.
[[nodiscard]] std::vector<std::uint32_t> pbs_bounds(std::uint32_t key_count);

/// One target a lane that together read many different places of one bank in every read, by a climb over the bank of
/// each read. For given banks the ways form a tree, whose nodes in these banks count one each, and the 32 ways that
/// cover most of it follow from cutting it into chains (exact but where ways that parted meet again, at the clamped
/// ends). Seeded, so that equal N give equal targets. N > 0.
[[nodiscard]] std::vector<std::uint32_t> climbed_pbs_targets(std::uint32_t key_count);

}  // namespace sassafras::workloads::search
