// Profiles of launches: counters and blocks as tracks of a timeline, and counters as CSV.
#pragma once

#include <cstdint>
#include <string>

#include "cli/reports/report.hpp"
#include "cli/reports/timeline_events.hpp"
#include "sim/device/device.hpp"

namespace sassafras::cli {

/// What of the platform turns counts into rates.
struct ProfileScale {
    explicit ProfileScale(const Report& report);

    double sms = 0;
    double sector_bytes = 0;
    double nanoseconds_a_cycle = 0;
};

/// Counter tracks of the GPU `process`, of a launch that begins at `begin` nanoseconds; zeros at its end.
void add_counters(TimelineEvents& events, std::uint64_t process, const sim::KernelResult& kernel, double begin,
                  const ProfileScale& scale);
/// A process for each SM with a thread for each block that it holds at a time.
void add_blocks(TimelineEvents& events, const sim::KernelResult& kernel, std::size_t launch, double begin,
                double nanoseconds_a_cycle);

/// A row an interval of each launch.
[[nodiscard]] std::string intervals_csv(const Report& report);

}  // namespace sassafras::cli
