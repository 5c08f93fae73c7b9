// Times a launch's records and says what they did in Nsight Compute's terms.
#pragma once

#include "sim/device/device.hpp"
#include "sim/device/model_options.hpp"
#include "sim/platform/platform.hpp"
#include "sim/timing/simulate.hpp"
#include "sim/trace/trace_source.hpp"

namespace sassafras::sim {

/// Adds metrics and source rows to `result`. `nanoseconds_begin`: what the global timer shows when the launch begins.
[[nodiscard]] Result<void> run_timed(TimingGpu& gpu, TraceSource& source, const Launch& launch,
                                     const Platform& platform, const ModelOptions& options, double nanoseconds_begin,
                                     KernelResult& result);

}  // namespace sassafras::sim
