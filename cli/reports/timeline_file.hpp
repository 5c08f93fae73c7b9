// A timeline in the Trace Event Format, for Perfetto and chrome://tracing: docs/timeline.md,
// configs/timeline.schema.json.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "cli/reports/report.hpp"
#include "cudart/protocol/timeline_record.hpp"
#include "sim/device/device.hpp"

namespace sassafras::cli {

struct TimelineFile {
    std::string text;
    std::uint64_t events = 0;
    std::uint64_t left_out = 0;  ///< beyond the most
};

/// What `report` says of itself becomes the file's metadata. The first `most_events` are in it: work and ranges in the
/// order of the program's calls, then counters, then blocks.
[[nodiscard]] TimelineFile timeline_file(const Report& report, const std::vector<cudart::TimelineEntry>& timeline,
                                         std::uint64_t most_events);

/// Of launches that follow one another with nothing between them.
[[nodiscard]] std::vector<cudart::TimelineEntry> timeline_of(std::span<const sim::KernelResult> kernels);

}  // namespace sassafras::cli
