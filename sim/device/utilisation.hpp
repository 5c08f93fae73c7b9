// How busy the units of the GPU were, in percent of what each takes at most.
#pragma once

#include "isa/program/program.hpp"
#include "sim/metrics/metric_set.hpp"
#include "sim/platform/platform.hpp"
#include "sim/timing/simulate.hpp"

namespace sassafras::sim {

/// Adds the share of each unit, over the whole launch and all SMs: pipes by the issue intervals of what they executed,
/// shared memory by its wavefronts, L1 by the lines that are looked up, L2 by the bytes of its slices. `metrics` has
/// the counts already.
void put_utilisation(MetricSet& metrics, const isa::Program& program, const TimingResult& timing,
                     const Platform& platform);

}  // namespace sassafras::sim
