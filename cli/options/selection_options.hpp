// What of a run is reported, and where: launches, metrics, sums by kernel, a file. As Nsight Compute's options.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "core/result.hpp"
#include "core/staged_file.hpp"
#include "sim/device/launch_selection.hpp"
#include "sim/metrics/metric_list.hpp"

namespace sassafras::cli {

struct MeasureOptions;
struct Report;

struct SelectionOptions {
    sim::LaunchSelection launches;  ///< without its base
    std::string base = "function";  ///< --kernel-name-base
    bool nvtx = false;              ///< --nvtx, which says nothing by itself
    std::string metrics;            ///< --metrics; empty: all
    std::string summary = "none";   ///< --print-summary
    std::string log_file;           ///< --log-file; empty: standard output
    /// From check_selection on, of a pipe or device that --log-file names.
    std::shared_ptr<ReservedOutput> log_place = std::make_shared<ReservedOutput>();

    [[nodiscard]] bool selects() const { return !launches.takes_all(); }
    [[nodiscard]] bool is_per_kernel() const { return summary == "per-kernel"; }
    /// Of LaunchSelector::make.
    [[nodiscard]] sim::LaunchSelection selection() const;
};

/// --kernel-name, --kernel-name-base, --kernel-id, --launch-skip, --launch-skip-before-match, --launch-count; and
/// --print-summary.
void add_selection_options(CLI::App& command, SelectionOptions& options);
/// --nvtx, --nvtx-include.
void add_nvtx_options(CLI::App& command, SelectionOptions& options);
/// --metrics, --log-file.
void add_metrics_options(CLI::App& command, SelectionOptions& options);

/// They say something, have an effect, and the file can be written.
[[nodiscard]] Result<void> check_selection(const MeasureOptions& options);
/// Of --metrics; none: all. Error bad_input if there is no such metric.
[[nodiscard]] Result<std::optional<std::vector<sim::MetricId>>> chosen_metrics(const SelectionOptions& options);

/// Launches find cold caches: --cache-control says so, or says nothing where launches are selected, as what those that
/// are not timed leave in caches is not known.
[[nodiscard]] bool has_cold_caches(const MeasureOptions& options);
/// Others are timed, too, for what they leave in caches.
[[nodiscard]] bool times_unselected(const MeasureOptions& options);

/// A page of --print-summary is one of metrics, as --page asks for.
[[nodiscard]] bool shows_all_metrics(const MeasureOptions& options);

/// Leaves in the report what was selected, and warns if that is nothing; tells it which metrics to show, and of what.
[[nodiscard]] Result<void> put_selection(Report& report, const MeasureOptions& options,
                                         const std::vector<std::string>& failed = {});
/// Writes the report's text to --log-file. Asked only if there is one.
[[nodiscard]] Result<void> write_log(const std::string& text, const MeasureOptions& options);

}  // namespace sassafras::cli
