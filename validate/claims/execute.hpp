// Makes the runs that claims rest on.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>

#include "core/result.hpp"
#include "validate/claims/evidence.hpp"

namespace sassafras::validate::claims {

/// Called before each run begins, one call at a time.
using RunProgress = std::function<void(std::size_t begun, std::size_t all, const RunSpec& run)>;

/// `threads` runs at a time; results do not depend on it. Errors: check_failed if a result is wrong, or whatever the
/// workload or the platform reports; then the remaining runs are not begun.
[[nodiscard]] Result<std::map<std::string, RunResult>> execute(std::span<const RunSpec> runs, std::uint32_t threads,
                                                               const RunProgress& progress);

}  // namespace sassafras::validate::claims
