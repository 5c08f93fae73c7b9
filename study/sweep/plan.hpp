// The runs of a study, in their order.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/result.hpp"
#include "study/sweep/description.hpp"

namespace sassafras::study::sweep {

struct PlannedRun {
    std::vector<std::string> command;                             ///< words behind the program's name
    std::vector<std::pair<std::string, std::string>> parameters;  ///< name and value of each axis, in their order
};

/// All runs, of one that is split its parts, one behind the other. A value goes where the command has {NAME}, else as
/// --NAME VALUE before what stands behind "--"; a number of the platform as --set NAME=VALUE. Errors: bad_input as
/// check() has them, or more than a million runs.
[[nodiscard]] Result<std::vector<PlannedRun>> plan(const Description& description);

}  // namespace sassafras::study::sweep
