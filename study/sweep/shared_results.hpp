// Results of other studies: a run that one of them has made need not be made again.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>

#include "core/result.hpp"
#include "study/sweep/local_runs.hpp"
#include "study/sweep/run_store.hpp"

namespace sassafras::study::sweep {

/// Copies what the study in `other` (its folder, or the JSON file beside it) has for the tasks: records of runs that
/// are done, have their checksum and are of the same key, that is of the same version, command, inputs and platform.
/// Each then has the command and parameters of the task, which may be spelt otherwise. How many. Errors: bad_input if
/// there is no such folder, or if a result cannot be written.
[[nodiscard]] Result<std::uint64_t> take_results(std::span<const Task> tasks, const RunStore& store,
                                                 const std::filesystem::path& other);

}  // namespace sassafras::study::sweep
