// What charts are made from: the values that tables and JSON come from, too.
#pragma once

#include <vector>

#include "cli/reports/report.hpp"
#include "cudart/protocol/timeline_record.hpp"
#include "sim/platform/platform.hpp"

namespace sassafras::cli {

/// One launch of a report.
struct LaunchSource {
    const sim::KernelResult& kernel;
    const sim::Platform* platform = nullptr;  ///< null for a real GPU
};

/// All of it. Without a timeline of the program's, launches follow one another.
struct RunSource {
    const Report& report;
    const sim::Platform* platform = nullptr;
    const std::vector<cudart::TimelineEntry>* timeline = nullptr;
};

}  // namespace sassafras::cli
