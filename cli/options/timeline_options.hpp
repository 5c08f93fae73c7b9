// --timeline and what goes with it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "core/result.hpp"
#include "core/staged_file.hpp"

namespace sassafras::sim {
struct ModelOptions;
}

namespace sassafras::cudart {
struct TimelineEntry;
}

namespace sassafras::cli {

struct MeasureOptions;
struct Report;

struct TimelineOptions {
    std::string file;                     ///< --timeline
    std::uint64_t most_events = 200'000;  ///< --timeline-events
    std::optional<std::uint64_t> blocks;  ///< --timeline-blocks
    std::uint64_t interval = 0;           ///< --interval
    std::string interval_csv;             ///< --interval-csv
    /// From check_timeline on, of a pipe or device that is named.
    std::shared_ptr<std::vector<ReservedOutput>> places = std::make_shared<std::vector<ReservedOutput>>();
};

void add_timeline_options(CLI::App& command, TimelineOptions& options);
/// They have an effect, and their files can be written.
[[nodiscard]] Result<void> check_timeline(const MeasureOptions& options);
void put_profile_options(const TimelineOptions& options, sim::ModelOptions& model);
/// Writes the files that are asked for, and notes what has no room in them. Without a `timeline`, launches follow one
/// another.
[[nodiscard]] Result<void> deliver_timeline(const Report& report, const MeasureOptions& options,
                                            const std::vector<cudart::TimelineEntry>* timeline = nullptr);

}  // namespace sassafras::cli
