// Metrics that a table treats apart, by their names in a report.
#pragma once

namespace sassafras::study::sweep {

inline constexpr const char* cycles_metric = "sm__cycles_elapsed.max";
inline constexpr const char* time_metric = "gpu__time_duration.sum";

}  // namespace sassafras::study::sweep
