// Options that every command which measures has, and the device that they ask for.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "cli/options/console.hpp"
#include "cli/options/details_options.hpp"
#include "cli/options/given_options.hpp"
#include "cli/options/html_options.hpp"
#include "cli/options/selection_options.hpp"
#include "cli/options/source_options.hpp"
#include "cli/options/timeline_options.hpp"
#include "cli/reports/report.hpp"
#include "core/part.hpp"
#include "core/result.hpp"
#include "core/staged_file.hpp"
#include "sim/device/device.hpp"
#include "sim/device/model_options.hpp"
#include "sim/platform/platform_reader.hpp"

namespace sassafras::cli {

struct MeasureOptions {
    std::string device = "simulated";
    std::string platform = "h200";
    std::vector<std::string> settings;   ///< --set: of the platform, and names of sets of metrics where has_sets
    bool has_sets = false;               ///< the command takes `--set basic` and `--set full`, too
    const char* json_option = "--json";  ///< what the user calls it
    std::string json;                    ///< file, "-" for standard output, empty for none
    bool csv = false;
    std::string page = "details";
    std::uint32_t threads = 1;
    bool sample = false;
    std::optional<double> stop_when;  ///< per cent
    std::uint64_t seed = 1;
    std::string cache_control = "all";
    std::string launches;  ///< --launches
    /// Warp instructions a warp may run before the kernel counts as a runaway; 0: no limit. A warp that issues in every
    /// cycle reaches this in 50 ms of an H200; the simulator takes seconds to find such a kernel, minutes with timing.
    std::uint64_t instruction_limit = 100'000'000;
    bool check = false;  ///< --check
    TimelineOptions timeline;
    HtmlOptions html;
    SelectionOptions selection;
    SourceOptions source;
    DetailsOptions details;
    std::string what_if;      ///< name of a cost that timing leaves out; empty for none
    std::string apply_rules;  ///< yes or no; empty: as wants_rules says
    bool no_what_if = false;  ///< rules without estimates
    /// From check_outputs on, of a pipe or device that --json names.
    std::shared_ptr<ReservedOutput> json_place = std::make_shared<ReservedOutput>();
    const Console* console = &process_console();
    GivenOptions given;  ///< those that the user gave; commands that refuse some fill it in after parsing

    [[nodiscard]] Page page_kind() const;
    /// What the last set of metrics that --set names has.
    [[nodiscard]] Detail detail() const;
    /// That is more than the basic set, or --metrics asks for something that only the full one has.
    [[nodiscard]] bool wants_full_set() const;
    /// That, or a page is asked for, which shows it unless --set basic is given, or sections are printed, which show
    /// some of it.
    [[nodiscard]] bool measures_full_set() const;
    /// Sections of the details page are printed, of launches.
    [[nodiscard]] bool prints_sections() const;
    /// --set without names of sets of metrics.
    [[nodiscard]] std::vector<std::string> platform_settings() const;
    /// As sim::ModelOptions has it.
    [[nodiscard]] std::optional<double> narrow() const {
        return stop_when ? std::optional<double>(*stop_when / 100) : std::nullopt;
    }
};

/// --set, of a command that has --platform.
CLI::Option* add_setting_option(CLI::App& command, std::vector<std::string>& settings);
/// The GPU that --platform and --set ask for. Errors as sim::load_platform has them.
[[nodiscard]] Result<sim::ResolvedPlatform> chosen_platform(const MeasureOptions& options);
/// --json.
void add_json_option(CLI::App& command, MeasureOptions& options);
/// --seed.
void add_seed_option(CLI::App& command, MeasureOptions& options);
/// --instruction-limit.
void add_instruction_limit(CLI::App& command, MeasureOptions& options);
/// --platform, --json, --threads.
void add_output_options(CLI::App& command, MeasureOptions& options);
/// Those, --csv, --seed and --instruction-limit: of commands that execute without timing.
void add_counting_options(CLI::App& command, MeasureOptions& options);
/// Error bad_input if --what-if was given for a device that is not timed by the model.
[[nodiscard]] Result<void> check_what_if(const MeasureOptions& options);
/// What --set takes where has_sets.
void describe_sets(CLI::App& command);
/// --platform, --json, --threads, --device.
void add_device_options(CLI::App& command, MeasureOptions& options);
/// Those, --csv, --page, --cache-control and --what-if: all about timing what is known.
void add_replay_options(CLI::App& command, MeasureOptions& options);
/// --sample, --stop-when.
void add_sample_options(CLI::App& command, MeasureOptions& options);
/// They have an effect.
[[nodiscard]] Result<void> check_sampling(const MeasureOptions& options);
/// --launches.
void add_launches_option(CLI::App& command, MeasureOptions& options);
/// What --launches says; none if it is not given. Error bad_input, also where what a launch takes depends on those
/// before it.
[[nodiscard]] Result<std::optional<Part>> chosen_launches(const MeasureOptions& options);
/// --check.
void add_check_option(CLI::App& command, MeasureOptions& options);
/// Those, --seed and --instruction-limit.
void add_measure_options(CLI::App& command, MeasureOptions& options);

struct RecordedRun;

struct ChosenDevice {
    std::unique_ptr<sim::Device> device;
    nlohmann::ordered_json platform;  ///< name, hash, resolved; hash and resolved are null for a real GPU
    /// Another one, as `device` was before anything ran on it; empty for a real GPU.
    std::function<std::unique_ptr<sim::Device>()> make_another;
    std::optional<sim::Platform> model = {};     ///< what is modelled; none for a real GPU
    std::shared_ptr<RecordedRun> recorded = {};  ///< what its launches do, where rules time them again
};

/// Error bad_input if two forms of the result would go to one place, or if the JSON file cannot be written. Asked
/// before anything runs.
[[nodiscard]] Result<void> check_outputs(const MeasureOptions& options);

/// Error bad_input as check_outputs and as the device or the platform fails.
[[nodiscard]] Result<ChosenDevice> choose_device(const MeasureOptions& options);

/// What the options choose about a modelled GPU, with progress on a terminal.
[[nodiscard]] sim::ModelOptions model_options(const MeasureOptions& options);

/// The command line as the JSON records it: without the options that say where output goes or how many threads compute
/// it
/// (--json, --threads, --timeline, --interval-csv), so that the same question gives the same bytes.
[[nodiscard]] std::vector<std::string> recorded_command(const std::vector<std::string>& arguments);

/// A command's last act: prints for people, and gives status 0 where that worked.
[[nodiscard]] Result<int> end_with(const Console& console, std::string_view text);

/// Writes the report in the forms asked for: JSON to its file, a table or CSV to standard output (unless JSON goes
/// there); or JSON alone, to a console that takes it.
[[nodiscard]] Result<void> deliver(const Report& report, const MeasureOptions& options);
/// The report as text: a table or CSV, of launches or, with --print-summary, of kernels.
[[nodiscard]] std::string report_text(const Report& report, const MeasureOptions& options);
/// CSV has a row a metric or an instruction: what --check has found goes to standard error then. deliver(report) does
/// it.
void print_findings_beside_csv(const Report& report, const MeasureOptions& options);
/// The same as deliver(report) for any result: `json` and `text` make the two forms when they are needed.
[[nodiscard]] Result<void> deliver(const std::function<std::string()>& json, const std::function<std::string()>& text,
                                   const MeasureOptions& options);

/// Delivers what there is of the report of a run that `error` has ended, if --check has found something, and returns
/// the error.
[[nodiscard]] Error end_with_findings(const sim::Device& device, Report& report, const MeasureOptions& options,
                                      Error error);
/// 0, or 1 if --check has found something.
[[nodiscard]] int status_of_findings(const Report& report);

/// Results are taken from the device once it is idle.
void take_results(const sim::Device& device, Report& report, const MeasureOptions& options);

}  // namespace sassafras::cli
