// Metrics by the names that a user gives.
#pragma once

#include <string>
#include <vector>

#include "core/result.hpp"
#include "sim/metrics/metric_list.hpp"

namespace sassafras::cli {

/// Names with commas between them: a metric's; what is before a dot of some, for all of these; or regex:EXPRESSION, for
/// those with a part that matches. In the order of the list of metrics, each once. Error bad_input if something names
/// none.
[[nodiscard]] Result<std::vector<sim::MetricId>> parse_metrics(const std::string& text);

}  // namespace sassafras::cli
