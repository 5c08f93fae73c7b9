// Whole runs: Accel-Sim's kernelslist.g with its kernels, and our folder of trace files.
#pragma once

#include <string>

#include "core/result.hpp"
#include "sim/formats/trace_file/trace_folder.hpp"

namespace sassafras::sim::accel_sim {

/// Makes the folder `to` of what `list` (a kernelslist.g, or one .traceg or .traceg.xz) names; TraceFolder::cannot_tell
/// says what the traces lack. Error bad_input or not_modelled, with file and line; `to` is then without index, which no
/// command takes.
[[nodiscard]] Result<TraceFolder> import_folder(const std::string& list, const std::string& to);

/// Makes the folder `to` with kernelslist.g and a kernel-N.traceg of version 5 a launch. Error bad_input if `from` was
/// itself imported.
[[nodiscard]] Result<void> export_folder(const TraceFolder& from, const std::string& to);

}  // namespace sassafras::sim::accel_sim
