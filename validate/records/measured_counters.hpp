// The counters of a record: what Nsight Compute read of each launch, in one recording or in several.
#pragma once

#include <filesystem>
#include <vector>

#include "core/result.hpp"
#include "validate/records/measured.hpp"

namespace sassafras::validate {

/// Puts the counters of `folder`'s metrics.csv into the launches of `runs`. Where the launches were recorded again, in
/// other processes, files metrics_again*.csv have the same rows with some of the columns: each metric is then the
/// median of its recordings, since one of them holds what only that process met, such as the other traffic of L2
/// (docs/counters.md). Errors: bad_input with file and line, also if a file's launches are not those of `runs`.
[[nodiscard]] Result<void> read_counters(const std::filesystem::path& folder, std::vector<MeasuredRun>& runs);

}  // namespace sassafras::validate
