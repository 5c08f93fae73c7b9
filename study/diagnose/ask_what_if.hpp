// Checks remedies by what-if: times a kernel's launches again, from what was recorded of them, without the cost that a
// remedy would take away.
#pragma once

#include <cstdint>
#include <vector>

#include "core/result.hpp"
#include "sim/device/model_options.hpp"
#include "sim/formats/trace_file/trace_folder.hpp"
#include "sim/platform/platform.hpp"
#include "study/diagnose/diagnosis.hpp"

namespace sassafras::study {

enum class WhatIfScope : std::uint8_t {
    none,
    remedies,  ///< for each kernel those of its remedies
    all,       ///< the whole list for every kernel
};

/// Fills in Diagnosis::what_ifs. `folder` has the launches that were diagnosed, recorded on this platform under these
/// options. Errors as of sim::Replay.
[[nodiscard]] Result<void> ask_what_if(std::vector<Diagnosis>& diagnoses, const sim::TraceFolder& folder,
                                       const sim::Platform& platform, const sim::ModelOptions& options,
                                       WhatIfScope scope);

}  // namespace sassafras::study
