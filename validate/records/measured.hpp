// What a real GPU counted and took, as scripts/record-hardware and scripts/import-hardware left it in
// validate/records/*/measured.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"
#include "sim/metrics/metric_set.hpp"
#include "validate/records/used_for.hpp"

namespace sassafras::validate {

/// The exact columns of Nsight Compute's source page.
enum class Count : std::uint8_t {
    inst_executed,
    thread_inst_executed,
    shared_wavefronts,
    shared_wavefronts_ideal,
    global_sectors
};
inline constexpr std::size_t count_columns = 5;
inline constexpr std::array<std::string_view, count_columns> count_names{
    "inst_executed", "thread_inst_executed", "shared_wavefronts", "shared_wavefronts_ideal", "global_sectors"};
using Counts = std::array<std::uint64_t, count_columns>;  ///< indexed by Count

struct CountRow {
    std::uint64_t pc = 0;  ///< byte offset into the kernel
    Counts counts{};
};

struct MeasuredLaunch {
    std::string kernel;
    double cycles_median = 0;         ///< of sm__cycles_elapsed.max, caches cold
    double time_ns_median = 0;        ///< of gpu__time_duration.sum
    std::uint64_t inst_executed = 0;  ///< smsp__inst_executed.sum, by the hardware's counters
    std::vector<double> cycles;       ///< each repetition
    sim::MetricSet metrics;        ///< medians of the recordings; those that a row of sim/metrics/metric_list.hpp has
    double unmodelled_stalls = 0;  ///< warps for an instruction issued, of the reasons that sim::Stall lacks
    std::vector<CountRow> source;  ///< ascending pc; instructions that never ran may be missing
};

struct MeasuredRun {
    std::string workload;
    std::string variant;
    std::uint64_t n = 0;
    std::vector<MeasuredLaunch> launches;  ///< in order
    UsedFor used_for = UsedFor::model;
};

/// All runs of `folder` (validate/records/h200/measured), in the order of its cycles.csv. A folder with neither
/// metrics.csv nor source has cycles only (scripts/record-cycles): no launch has counts then. Errors: bad_input with
/// file and line for a file that is missing or malformed, or whose launches disagree with another's.
[[nodiscard]] Result<std::vector<MeasuredRun>> read_measured(const std::filesystem::path& folder);

}  // namespace sassafras::validate
