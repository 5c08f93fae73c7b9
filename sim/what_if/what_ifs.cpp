#include <algorithm>
#include <array>
#include <string>

#include "sim/what_if/effects.hpp"

namespace sassafras::sim {

namespace {

constexpr auto what_if_rows = std::to_array<WhatIf>({
    {.name = "no-bank-conflicts",
     .removes = "bank conflicts: accesses to shared memory take the wavefronts that their lanes need at least",
     .make_rewriter = without_bank_conflicts},
    {.name = "perfect-coalescing",
     .removes = "scattered accesses: each access to global memory touches the sectors that its bytes need at least",
     .make_rewriter = in_least_sectors},
    {.name = "infinite-l2",
     .removes =
         "limits of L2: what it has had once it has for the rest of the launch, so only first accesses go to DRAM",
     .l2_keeps_all = true},
    {.name = "no-spills",
     .removes = "local memory: its loads and stores are not issued",
     .drops = accesses_local_memory},
    {.name = "fp64-as-fp32",
     .removes = "FP64: its instructions are those of FP32, and conversions between the two are not issued",
     .replaces = become_fp32,
     .drops = converts_to_or_from_fp64},
    {.name = "full-occupancy",
     .removes = "limits of occupancy: SMs hold as many warps as they have places for",
     .change = hold_all_warps},
    {.name = "no-barrier-waits",
     .removes = "waits at barriers: the warps of a block pass them without the others",
     .skips = is_block_barrier},
    {.name = "no-atomic-contention",
     .removes = "atomics of many lanes on one word of global memory: each lane has a word of its own, which L2 holds",
     .make_rewriter = without_atomic_contention},
});

}  // namespace

std::span<const WhatIf> what_ifs() { return what_if_rows; }

Result<const WhatIf*> find_what_if(std::string_view name) {
    const auto found =
        std::find_if(what_if_rows.begin(), what_if_rows.end(), [&](const WhatIf& row) { return row.name == name; });
    if (found != what_if_rows.end()) return &*found;
    std::string names;
    for (const WhatIf& row : what_if_rows) names.append(names.empty() ? "" : ", ").append(row.name);
    return Error{ErrorKind::bad_input, "there is no such what-if", std::string(name), "choose one of " + names};
}

}  // namespace sassafras::sim
