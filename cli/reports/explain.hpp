// A drawing of one warp's request to shared memory: lanes, the banks they hit, the passes they take.
#pragma once

#include <string>
#include <vector>

#include "cli/reports/conflict_report.hpp"
#include "sim/access/shared_passes.hpp"

namespace sassafras::cli {

[[nodiscard]] std::string explain_text(const ExplainedRequest& explained);
/// A document of its own: no fonts, scripts or images from elsewhere.
[[nodiscard]] std::string explain_svg(const ExplainedRequest& explained);

/// What both drawings say in words: which request, what it costs, why.
[[nodiscard]] std::string request_title(const ExplainedRequest& explained);
/// Phase and line; empty if neither is known.
[[nodiscard]] std::string request_place(const ExplainedRequest& explained);
[[nodiscard]] std::string request_cost(const ExplainedRequest& explained);
/// "lanes 0-7": those that are served together.
[[nodiscard]] std::string lanes_of_group(const sim::ServicePlan& plan, std::size_t group);
[[nodiscard]] std::vector<std::string> request_reasons(const ExplainedRequest& explained);

}  // namespace sassafras::cli
