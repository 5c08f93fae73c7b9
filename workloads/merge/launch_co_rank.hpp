// Launching the merge by co-ranks with chosen, default or tuned parameters.
#pragma once

#include <functional>

#include "sim/device/device.hpp"
#include "workloads/merge/co_rank.hpp"
#include "workloads/selection.hpp"
#include "workloads/workload.hpp"

namespace sassafras::workloads::merge {

/// No default is greater. CUDA programming guide, technical specifications: of the GPUs that a block may have most on
/// (compute capability 9.0, 10.0), 227 KiB.
inline constexpr std::int64_t most_shared_bytes = std::int64_t{227} * 1024;

/// S if it is not given: room for 17 keys a thread, or as many, an odd number, as fit in most_shared_bytes.
[[nodiscard]] std::int64_t default_shared_bytes(const CoRankVariant& variant, std::int64_t threads);

/// Launches the variant's kernel; nothing if selection.n is 0. `launch` has the module, the kernel and the arguments up
/// to the output; x is added here. Sets the parameters blocks, b and (if the variant stages keys) S in the selection to
/// what was used. With tune = 1 it launches the kernel with every combination of candidates and then once more with the
/// best: the least gpu__time_duration.sum, or on a device without time the fewest warp instructions; `tuning` hears of
/// it. Errors: bad_input
/// if S is too little for one key; what the device reports.
[[nodiscard]] Result<void> launch_by_co_ranks(sim::Device& device, const sim::Launch& launch,
                                              const CoRankVariant& variant, Selection& selection,
                                              const std::function<void(const TuneProgress&)>& tuning);

}  // namespace sassafras::workloads::merge
