// What there is to say of a metric: a row of the list in metric_list.hpp.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace sassafras::sim {

/// Number of a metric's row. "sm__cycles_elapsed.max"_metric makes one at compile time, find_metric at run time.
struct MetricId {
    std::uint16_t index = 0;
    friend auto operator<=>(const MetricId&, const MetricId&) = default;
};

/// What a device must do to know a metric.
enum class KnownBy : std::uint8_t {
    execution,  ///< run the instructions
    timing,     ///< simulate or measure time as well
    ratio,      ///< have the metrics that it is computed from
    set,        ///< be asked for the full set (ModelOptions::full_metrics); what a device lacks for it, it leaves out
};

/// What launches together have.
enum class Merge : std::uint8_t {
    sum,    ///< the sum of the launches' values
    parts,  ///< the ratio of what they together have of its parts
    none,   ///< nothing: the value describes one launch
};

/// The sections of Nsight Compute's details page, in its order.
enum class Section : std::uint8_t {
    none,
    speed_of_light,
    compute,
    memory,
    scheduler,
    warp_state,
    instructions,
    launch,
    occupancy,
    distribution,
    source
};
inline constexpr std::array<std::string_view, 11> section_names{"",
                                                                "GPU Speed Of Light Throughput",
                                                                "Compute Workload Analysis",
                                                                "Memory Workload Analysis",
                                                                "Scheduler Statistics",
                                                                "Warp State Statistics",
                                                                "Instruction Statistics",
                                                                "Launch Statistics",
                                                                "Occupancy",
                                                                "GPU and Memory Workload Distribution",
                                                                "Source Counters"};

/// What `--section` calls them, as `ncu --list-sections` does.
inline constexpr std::array<std::string_view, 11> section_identifiers{"",
                                                                      "SpeedOfLight",
                                                                      "ComputeWorkloadAnalysis",
                                                                      "MemoryWorkloadAnalysis",
                                                                      "SchedulerStats",
                                                                      "WarpStateStats",
                                                                      "InstructionStats",
                                                                      "LaunchStats",
                                                                      "Occupancy",
                                                                      "WorkloadDistribution",
                                                                      "SourceCounters"};

[[nodiscard]] constexpr std::string_view name_of(Section section) {
    return section_names[static_cast<std::size_t>(section)];
}

/// Where the details page shows a metric. Warp states are shown by size, those that are 0 left out.
struct DetailsPlace {
    Section section = Section::none;
    std::uint8_t position = 0;  ///< within the section, ascending
    std::string_view label{};
    std::string_view unit{};  ///< where that page shows another than the metric's
};

/// scale * (sum of parts) / (sum of wholes); 0 where the wholes are 0. Names of other rows; empty ones count nothing.
inline constexpr std::size_t most_parts = 6;
struct Ratio {
    double scale = 1;
    std::array<std::string_view, most_parts> parts{};
    std::array<std::string_view, most_parts> wholes{};
};

struct MetricRow {
    std::string_view name{};  ///< Nsight Compute's
    std::string_view unit{};  ///< as Nsight Compute prints it; empty for a bare number
    KnownBy known_by = KnownBy::timing;
    Merge merge = Merge::sum;
    DetailsPlace details{};
    Ratio ratio{};  ///< of KnownBy::ratio
    /// Only there for ratios: kept with the others, and not printed.
    bool is_part = false;
    std::string_view meaning{};  ///< one line: what is counted, or what the value says
};

}  // namespace sassafras::sim
