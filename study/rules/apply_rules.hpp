// Applies the rules to the launches of a run, and times each launch again for what its findings would bring.
#pragma once

#include <string>
#include <vector>

#include "core/result.hpp"
#include "sim/device/device.hpp"
#include "sim/device/model_options.hpp"
#include "sim/formats/trace_file/trace_folder.hpp"
#include "sim/platform/platform.hpp"
#include "study/diagnose/read_counters.hpp"
#include "study/rules/rule.hpp"

namespace sassafras::study {

/// The metrics of a launch by their names, as counters are read from files.
[[nodiscard]] NamedLaunch named_launch(const sim::KernelResult& result);

/// One entry a launch, with the shares of Speed Of Light where the launches have the full set of metrics: `launches`
/// are all of the process, also those that are left out, which have nothing to say. `recorded` has the same launches,
/// timed on this platform under these options, and for what is left out a file only where caches stay warm; null:
/// nothing is timed again. Where caches stay warm each what-if times all launches in order, without the cost in any, as
/// what a launch finds in L2 comes of those before; where they are cold, each launch that is asked about by itself.
/// Errors as of sim::Replay.
[[nodiscard]] Result<std::vector<LaunchRules>> apply_rules(const std::vector<sim::KernelResult>& launches,
                                                           const sim::TraceFolder* recorded,
                                                           const sim::Platform& platform,
                                                           const sim::ModelOptions& options);

}  // namespace sassafras::study
