// A drawing of one warp's request to shared memory: lanes, the banks they hit, the passes they take.
#pragma once

#include <string>

#include "cli/conflict_report.hpp"

namespace sassafras::cli {

[[nodiscard]] std::string explain_text(const ExplainedRequest& explained);
[[nodiscard]] std::string explain_svg(const ExplainedRequest& explained);

}  // namespace sassafras::cli
