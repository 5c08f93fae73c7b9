// Which SMs get blocks when there are fewer blocks than SMs: GPCs get as many, and blocks that follow one another are
// of one GPC.
//
// Source: validate/records/h200/probes/dealt_blocks.txt, grids of 1 to 132 blocks. Some SMs of one GPC come first; then
// every GPC gets a block in turn, first for the TPCs of each, then for their second SMs, and what each has got is
// numbered GPC by GPC, that of the first SMs last. In full grids, where all SMs have a block, an
// H200 keeps to that order, too; here SMs then come by their numbers.
//
// Of launches beside others (small_blocks.cu, dealt_beside.cu): while the first SMs have another launch's blocks they
// come last, and the GPCs are numbered from another one on, which DealtFrom says.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "sim/trace/dealt_from.hpp"

namespace sassafras::sim {

/// The SMs of `blocks` blocks, in order of the blocks, one of an SM at most. `gpcs`: by SM, its GPC, from 0 on without
/// gaps. `first` SMs of GPC 0 come before all others, unless other launches have them.
[[nodiscard]] inline std::vector<std::uint32_t> dealt_sms(std::span<const std::uint16_t> gpcs, std::uint32_t first,
                                                          std::uint64_t blocks, const DealtFrom& from = {}) {
    std::vector<std::vector<std::uint32_t>> of_gpc(*std::max_element(gpcs.begin(), gpcs.end()) + std::size_t{1});
    for (std::uint32_t sm = 0; sm < gpcs.size(); ++sm) of_gpc[gpcs[sm]].push_back(sm);
    std::vector<std::uint32_t> result(gpcs.size());
    std::iota(result.begin(), result.end(), 0U);
    if (blocks >= result.size()) return result;
    const auto leading = std::min(first, static_cast<std::uint32_t>(of_gpc[0].size()));
    const std::uint64_t others = result.size() - leading;
    // The first SMs are the first numbers. While others have them they get what nobody else has a place for.
    const std::uint64_t of_first =
        from.first_sms ? std::min<std::uint64_t>(leading, blocks) : blocks - std::min(blocks, others);
    result.resize(of_first);
    of_gpc[0].erase(of_gpc[0].begin(), of_gpc[0].begin() + leading);
    std::vector<std::size_t> given(of_gpc.size(), 0);
    std::uint64_t left = blocks - result.size();
    for (const bool whole : {false, true}) {
        for (bool any = true; any && left != 0;) {
            any = false;
            for (std::size_t gpc = 0; gpc < of_gpc.size() && left != 0; ++gpc) {
                const std::size_t sms = of_gpc[gpc].size();
                if (given[gpc] == (whole ? sms : (sms + 1) / 2)) continue;
                ++given[gpc];
                --left;
                any = true;
            }
        }
    }
    for (std::size_t i = 0; i < of_gpc.size(); ++i) {
        const std::size_t gpc = (i + from.gpc + (leading == 0 ? 0 : 1)) % of_gpc.size();
        result.insert(result.end(), of_gpc[gpc].begin(), of_gpc[gpc].begin() + static_cast<std::ptrdiff_t>(given[gpc]));
    }
    if (!from.first_sms)
        std::rotate(result.begin(), result.begin() + static_cast<std::ptrdiff_t>(of_first), result.end());
    return result;
}

}  // namespace sassafras::sim
