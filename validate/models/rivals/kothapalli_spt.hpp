// The model of Kothapalli et al. as Karsin 3.2.4 reads it: the SPT model with global and shared memory only, no bound
// by bandwidth (printed B = 0; B = infinity is meant) and M_I = 1.
#pragma once

#include <vector>

#include "validate/models/rivals/launch_view.hpp"
#include "validate/models/spt/oversubscription.hpp"

namespace sassafras::validate::rivals {

/// A L / M_o: `count` accesses of a core, `threads` of it in flight.
[[nodiscard]] inline double unbounded_access_time(double count, double latency, double threads) {
    return count * latency / threads;
}

/// The row of compare(). Queues at banks are in the shared accesses (QRQW); a kernel is a superstep with L_sync.
[[nodiscard]] inline std::vector<Part> kothapalli_spt_of(const LaunchView& view) {
    const double threads = oversubscription(view.launch, view.instance);
    const double cores = view.instance.cores;
    return {{"global", unbounded_access_time(view.blocks_moved() * view.lanes / cores, view.global_latency, threads)},
            {"shared",
             unbounded_access_time(view.launch.shared_wavefronts * view.lanes / cores, view.shared_latency, threads)},
            {"synchronisation", view.instance.sync_cycles}};
}

}  // namespace sassafras::validate::rivals
