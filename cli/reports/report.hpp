// What a command that measures has to say, and the forms in which it says it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "cli/reports/details_view.hpp"
#include "core/part.hpp"
#include "sim/device/device.hpp"
#include "study/rules/rule.hpp"

namespace sassafras::cli {

/// Of a report that has some of the launches: --launches, --kernel-name and its like.
struct LaunchPart {
    std::optional<Part> part;            ///< none: those that were selected
    std::uint64_t all = 0;               ///< launches, those of other parts included
    std::vector<std::uint64_t> numbers;  ///< of the report's own, from 0
};

/// When a launch of a program was, in simulated nanoseconds.
struct LaunchTime {
    std::string stream;  ///< empty: none is known, as a signal ended the program while it was under way
    double start_ns = 0;
    double end_ns = 0;
};

struct Report {
    std::vector<std::string>
        command;         ///< the command line, without the options that cannot change a result (see recorded_command)
    std::string device;  ///< the device's name
    nlohmann::ordered_json platform;  ///< name, hash, resolved
    nlohmann::ordered_json workload;
    std::optional<bool> verified;
    std::vector<sim::KernelResult> kernels;
    double wall_seconds = 0;
    std::optional<std::vector<sim::Finding>> findings;       ///< of --check; none without it
    std::vector<study::LaunchRules> rules;                   ///< of each kernel; empty: none were asked for
    std::optional<LaunchPart> part;                          ///< none: all launches are here
    bool stopped_early = false;                              ///< there was more to run, and to check
    std::vector<LaunchTime> launch_times = {};               ///< by kernel; empty where streams have no time
    std::optional<std::vector<sim::MetricId>> metrics = {};  ///< of --metrics; none: all
    std::string compute_capability = "9.0";
    bool is_per_kernel = false;                ///< the JSON has kernels_json(), too
    nlohmann::ordered_json time = {};          ///< how the program's time is made up; null for none
    DetailsView view = {};                     ///< what the details page shows of each launch
    std::vector<sim::MetricSet> details = {};  ///< metrics of that page by kernel; empty: the kernels' own

    [[nodiscard]] const sim::MetricSet& details_of(std::size_t kernel) const {
        return details.empty() ? kernels[kernel].metrics : details[kernel];
    }

    /// As sim::total_of.
    [[nodiscard]] std::optional<double> total(sim::MetricId metric) const { return sim::total_of(kernels, metric); }
};

enum class Page : std::uint8_t { details, raw, source };

/// Takes the kernels that are left out off the report, and says which are there.
void keep_part(Report& report, const std::optional<Part>& part);

/// Takes off the metrics of the full set, where nobody but a page or rules have asked for them.
void drop_full_set(Report& report);

/// How a launch was made, as pages say it which are measured without the full set.
struct LaunchFact {
    sim::MetricId metric;
    double value = 0;
};
/// Those that are not among the launch's metrics.
[[nodiscard]] std::vector<LaunchFact> launch_facts(const sim::KernelResult& result);

/// What a page shows of a launch: metrics that are reported, or all that --metrics names.
struct ShownMetric {
    sim::MetricId metric;
    std::optional<double> value;  ///< none: it is asked for and not known
};
[[nodiscard]] std::vector<ShownMetric> shown_metrics(const sim::KernelResult& result,
                                                     const std::optional<std::vector<sim::MetricId>>& chosen);

/// "9.0"
[[nodiscard]] std::string capability_text(const isa::ComputeCapability& capability);

/// The JSON of shared results, two spaces of indentation and a newline at the end. Whole numbers are written without a
/// fraction. Only total.wall_seconds and total.warp_instructions_per_second differ between two runs of one command.
[[nodiscard]] std::string to_json(const Report& report, bool with_source);

/// What that has of one kernel, and of one finding of --check.
[[nodiscard]] nlohmann::ordered_json kernel_json(const sim::KernelResult& result, bool with_source,
                                                 const std::optional<std::vector<sim::MetricId>>& chosen = {});
[[nodiscard]] nlohmann::ordered_json finding_json(const sim::Finding& finding);

/// Nsight Compute's CSV pages: `details` has a row a metric, `raw` a row a kernel (after a row of units), `source` a
/// row an instruction.
[[nodiscard]] std::string to_csv(const Report& report, Page page);

/// For people: rounded, grouped, in units of fitting size. `details` has Nsight Compute's sections and labels, `raw`
/// every metric by its name, `source` a row an instruction.
[[nodiscard]] std::string to_table(const Report& report, Page page);

/// What the table has below all kernels: their number, cycles, time, the verdict.
[[nodiscard]] std::string to_totals(const Report& report);

/// A line for each kernel that names more registers than a thread of the GPU has; empty if there is none.
[[nodiscard]] std::string register_notes(std::span<const sim::KernelResult> kernels);

/// A whole number without a fraction, any other with the digits that tell it from its neighbours.
[[nodiscard]] std::string number_text(double value);

/// "(4, 2, 1)", as Nsight Compute writes the size of a grid or a block.
[[nodiscard]] std::string extents(const Dim3& size);

[[nodiscard]] std::string version();

}  // namespace sassafras::cli
