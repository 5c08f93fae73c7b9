#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <set>
#include <utility>

#include "cli/commands/commands.hpp"
#include "cli/commands/program_run.hpp"
#include "cli/options/option_values.hpp"
#include "cli/options/options.hpp"
#include "cli/options/rule_options.hpp"
#include "cli/options/usage.hpp"
#include "cli/options/workload_options.hpp"
#include "cli/reports/trace_report.hpp"
#include "core/printable.hpp"
#include "sim/device/capturing_device.hpp"
#include "sim/device/replay.hpp"
#include "sim/formats/accel_sim/folders.hpp"
#include "sim/formats/trace_file/new_trace_folder.hpp"
#include "sim/formats/trace_file/trace_folder.hpp"
#include "sim/platform/platform_json.hpp"
#include "sim/platform/platform_reader.hpp"

namespace sassafras::cli {

namespace {

struct CaptureOptions {
    WorkloadOptions workload;
    MeasureOptions measure;
    std::string folder;
    std::vector<std::string> user_program;  ///< in place of a workload
};

struct FolderOptions {
    MeasureOptions measure;
    std::string folder;
};

/// What is in the folder now, in the forms that are asked for.
Result<void> deliver_summary(const sim::TraceFolder& folder, const MeasureOptions& measure) {
    const TraceSummary summary{folder, {}};
    return deliver([&] { return to_json(summary); }, [&] { return to_table(summary); }, measure);
}

/// The launches before a program's own fault, or before what is not modelled, are its launches. Where this process or
/// its machine could not have what the capture takes, as room for its files, the trace is none.
bool is_worth_keeping(const cudart::ExecRecords& records) {
    return !records.traced.empty() &&
           std::none_of(records.troubles.begin(), records.troubles.end(), [](const auto& trouble) {
               return trouble.cut_short && trouble.exit_status == static_cast<int>(ErrorKind::bad_input);
           });
}

Result<int> capture_program(const CaptureOptions& options) {
    if (!options.workload.workload.empty())
        return Error{ErrorKind::bad_input, "both a workload and a program are given", options.workload.workload,
                     "give one of them"};
    if (auto checked = options.measure.given.refuse({"--seed"}, "the program makes its own inputs"); !checked)
        return checked.error();
    auto resolved = chosen_platform(options.measure);
    if (!resolved) return resolved.error();
    auto place = sim::NewTraceFolder::make(options.folder);
    if (!place) return place.error();
    cudart::ExecSettings settings;
    settings.device = cudart::ExecSettings::Device::capture;
    settings.platform = sim::platform_text(*resolved);
    settings.instruction_limit = options.measure.instruction_limit;
    settings.trace_folder = std::filesystem::absolute(options.folder).string();
    auto run = run_program(options.user_program, settings, *options.measure.console);
    if (!run) return run.error();
    const int status = exit_status(options.user_program, *run, *options.measure.console);
    if (status != 0 && !is_worth_keeping(run->records)) return status;
    sim::TraceFolder folder;
    folder.path = options.folder;
    folder.launches = std::move(run->records.traced);
    // Nobody but the program knows whether its results are right: `verified` stays empty.
    folder.workload = describe_program(options.user_program, *run);
    if (auto written = sim::write_trace_folder(folder); !written) return written.error();
    std::set<std::string> whole;
    for (const sim::TracedLaunch& launch : folder.launches) whole.insert(launch.file);
    place->keep(whole);
    if (auto delivered = deliver_summary(folder, options.measure); !delivered) return delivered.error();
    return status;
}

Result<int> capture(const CaptureOptions& options, const std::vector<std::string>& command) {
    if (auto checked = check_outputs(options.measure); !checked) return checked.error();
    if (!options.user_program.empty()) return capture_program(options);
    if (options.workload.workload.find('/') != std::string::npos)
        return not_behind_dashes(command, options.workload.workload);
    if (options.workload.workload.empty())
        return Error{ErrorKind::bad_input, "neither a workload nor a program is given", "trace capture",
                     "name a workload that sassafras list shows, or a program behind --"};
    auto request = workload_request(options.workload, options.measure);
    if (!request) return request.error();
    auto resolved = chosen_platform(options.measure);
    if (!resolved) return resolved.error();
    auto place = sim::NewTraceFolder::make(options.folder);
    if (!place) return place.error();
    sim::TraceFolder folder;
    folder.path = options.folder;
    const auto device =
        sim::make_capturing_device(resolved->platform, model_options(options.measure), options.folder, folder.launches);
    auto done = workloads::run_workload(*device, *request);
    if (!done) return done.error();
    folder.workload = describe_workload(*done);
    folder.verified = done->verified;
    if (auto written = sim::write_trace_folder(folder); !written) return written.error();
    place->keep();
    if (auto delivered = deliver_summary(folder, options.measure); !delivered) return delivered.error();
    if (done->verified) return 0;
    return workloads::wrong_result(*done);
}

Result<int> info(const FolderOptions& options) {
    if (auto checked = check_outputs(options.measure); !checked) return checked.error();
    auto folder = sim::read_trace_folder(options.folder);
    if (!folder) return folder.error();
    auto summary = inspect(std::move(*folder));
    if (!summary) return summary.error();
    if (auto delivered =
            deliver([&] { return to_json(*summary); }, [&] { return to_table(*summary); }, options.measure);
        !delivered)
        return delivered.error();
    return 0;
}

struct ImportOptions {
    MeasureOptions measure;
    std::string list;
    std::string folder;
};

struct ExportOptions {
    std::string folder;
    std::string format;
    std::string output;
};

Result<int> import_trace(const ImportOptions& options) {
    if (auto checked = check_outputs(options.measure); !checked) return checked.error();
    auto folder = sim::accel_sim::import_folder(options.list, options.folder);
    if (!folder) return folder.error();
    const TraceSummary summary{std::move(*folder), {}};
    if (auto delivered = deliver([&] { return to_json(summary); }, [&] { return to_table(summary); }, options.measure);
        !delivered)
        return delivered.error();
    return 0;
}

Result<int> export_trace(const ExportOptions& options, const Console& console) {
    const auto folder = sim::read_trace_folder(options.folder);
    if (!folder) return folder.error();
    if (auto done = sim::accel_sim::export_folder(*folder, options.output); !done) return done.error();
    return end_with(
        console,
        fmt::format("{}: kernelslist.g and {} kernels, version 5 of Accel-Sim's tracer\n"
                    "without copies from the host, predicates, uniform registers and control codes, which it has no "
                    "place for, and without where LDGSTS stores\n",
                    for_terminal(options.output), folder->launches.size()));
}

/// Where a trace has no control codes, hardware has to track dependences.
void track_registers(sim::ResolvedPlatform& resolved) {
    resolved.platform.sm.dependence_tracking = sim::DependenceTracking::scoreboard;
    resolved.hash = sim::platform_hash(resolved.platform);
    for (sim::ParameterOrigin& parameter : resolved.parameters)
        if (parameter.pointer == "/sm/dependence_tracking")
            parameter = {parameter.pointer, sim::Provenance::assumed, "an imported trace has no control codes"};
}

Result<int> replay(const FolderOptions& options, const std::vector<std::string>& command) {
    const MeasureOptions& measure = options.measure;
    if (auto checked = check_outputs(measure); !checked) return checked.error();
    if (measure.device == "cuda")
        return Error{ErrorKind::bad_input, "a trace holds no data, so no real GPU can run it", "--device cuda",
                     "replay it with --device simulated or functional, or use sassafras run"};
    if (measure.device == "functional")
        if (auto checked = measure.given.refuse({"--cache-control"}, "the functional device has no caches"); !checked)
            return checked.error();
    if (auto checked = check_what_if(measure); !checked) return checked.error();
    if (auto checked = check_rules(measure); !checked) return checked.error();
    if (auto checked = check_sampling(measure); !checked) return checked.error();
    if (auto checked = check_selection(measure); !checked) return checked.error();
    const auto launches = chosen_launches(measure);
    if (!launches) return launches.error();
    auto folder = sim::read_trace_folder(options.folder);
    if (!folder) return folder.error();
    auto resolved = chosen_platform(measure);
    if (!resolved) return resolved.error();
    if (folder->is_imported()) track_registers(*resolved);
    const bool with_timing = measure.device == "simulated";
    sim::ModelOptions model = model_options(measure);
    model.new_process = folder->workload.contains("program");
    sim::Replay replay(resolved->platform, model, with_timing);
    Report report;
    const auto begin = std::chrono::steady_clock::now();
    std::uint64_t clock_reads = 0;
    for (const sim::TracedLaunch& launch : folder->launches) {
        clock_reads += launch.clock_reads;
        sim::Launch asked;
        asked.kernel = launch.kernel;
        const bool is_selected = !model.selects || model.selects(asked);
        if ((*launches && !(*launches)->has(report.kernels.size())) || (!is_selected && !model.times_unselected)) {
            replay.leave_out(launch);
            report.kernels.emplace_back().left_out = true;
            report.kernels.back().name = launch.kernel;
            continue;
        }
        auto result = replay.run(folder->path_of(launch), launch);
        if (!result) return result.error();
        result->left_out = !is_selected;
        report.kernels.push_back(std::move(*result));
    }
    report.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (auto ruled = put_rules(report, report.kernels, wants_estimates(measure) ? &*folder : nullptr,
                               resolved->platform, model, measure);
        !ruled)
        return ruled.error();
    if (!measure.measures_full_set()) drop_full_set(report);
    if (*launches) keep_part(report, **launches);
    report.compute_capability = capability_text(
        {resolved->platform.gpu.compute_capability_major, resolved->platform.gpu.compute_capability_minor});
    if (auto done = put_selection(report, measure); !done) return done.error();
    report.command = recorded_command(command);
    report.device = resolved->platform.name +
                    (with_timing ? " (simulated, from a trace" : " (functional, from a trace") +
                    (measure.what_if.empty() ? ")" : ", what if: " + measure.what_if + ")");
    report.platform = {
        {"name", resolved->platform.name}, {"hash", resolved->hash}, {"resolved", sim::platform_json(*resolved)}};
    report.workload = folder->workload;
    report.workload["trace"] = {{"folder", options.folder}, {"clock_reads", clock_reads}};
    if (folder->is_imported()) {
        report.workload["cannot_tell"] = folder->cannot_tell;
        if (with_timing)
            measure.console->note(
                "sassafras: note: an imported trace, without control codes: registers are tracked as GPUs before "
                "Volta did; sassafras trace info says what else it lacks\n");
    }
    if (clock_reads != 0)
        measure.console->note(
            fmt::format("sassafras: note: this trace has {} reads of a clock. What the program made of them is of the "
                        "capture, where the clock counts instructions; it may run otherwise on this platform\n",
                        clock_reads));
    const auto drawn = deliver_html(report, &resolved->platform, measure);
    if (auto delivered = deliver(report, measure); !delivered) return delivered.error();
    if (!drawn) return drawn.error();
    return 0;
}

void add_capture(CLI::App& trace, Program& program) {
    auto options = std::make_shared<CaptureOptions>();
    options->measure.console = program.console;
    CLI::App* command = trace.add_subcommand(
        "capture", "Execute a workload, or a CUDA program behind --, and write what its warps did to a folder");
    add_workload_options(*command, options->workload);
    command->get_option("workload")->required(false);
    command->add_option("-o,--output", options->folder, "the folder; it is made, or is empty")->required();
    command
        ->add_option("--platform", options->measure.platform,
                     "the GPU that the program sees: its number of SMs and its limits; replay may choose any other")
        ->capture_default_str();
    add_setting_option(*command, options->measure.settings);
    add_json_option(*command, options->measure);
    add_seed_option(*command, options->measure);
    add_instruction_limit(*command, options->measure);
    command->callback([options, command, &program] {
        options->measure.given = given_options(*command);
        options->user_program = std::exchange(program.user_program, {});
        take_parameters(*command, options->workload);
        program.check = [options] { return check_workload(options->workload); };
        program.chosen = [options, &program] { return capture(*options, program.arguments); };
    });
}

void add_info(CLI::App& trace, Program& program) {
    auto options = std::make_shared<FolderOptions>();
    options->measure.console = program.console;
    CLI::App* command = trace.add_subcommand("info", "Say what is in a captured folder, and check every byte of it");
    command->add_option("folder", options->folder, "what trace capture or import wrote")->required();
    add_json_option(*command, options->measure);
    command->callback([options, &program] { program.chosen = [options] { return info(*options); }; });
}

void add_trace_import(CLI::App& trace, Program& program) {
    auto options = std::make_shared<ImportOptions>();
    options->measure.console = program.console;
    CLI::App* command = trace.add_subcommand("import", "Make a folder of a trace of Accel-Sim, for info and replay");
    command->add_option("list", options->list, "its kernelslist.g, or one .traceg or .traceg.xz")->required();
    command->add_option("-o,--output", options->folder, "the folder; it is made, or is empty")->required();
    add_json_option(*command, options->measure);
    command->callback([options, &program] { program.chosen = [options] { return import_trace(*options); }; });
}

void add_export(CLI::App& trace, Program& program) {
    auto options = std::make_shared<ExportOptions>();
    CLI::App* command = trace.add_subcommand("export", "Write a captured folder as another simulator reads it");
    command->add_option("folder", options->folder, "what trace capture wrote")->required();
    command->add_option("--format", options->format, "accel-sim: kernelslist.g and .traceg, version 5")
        ->required()
        ->check(one_of({"accel-sim"}));
    command->add_option("-o,--output", options->output, "the folder; it is made, or is empty")->required();
    command->callback([options, &program] {
        program.chosen = [options, &program] { return export_trace(*options, *program.console); };
    });
}

void add_replay(CLI::App& trace, Program& program) {
    auto options = std::make_shared<FolderOptions>();
    options->measure.console = program.console;
    CLI::App* command = trace.add_subcommand("replay", "Time a captured folder's launches on a platform");
    command->add_option("folder", options->folder, "what trace capture or import wrote")->required();
    add_replay_options(*command, options->measure);
    add_html_options(*command, options->measure.html);
    add_sample_options(*command, options->measure);
    add_launches_option(*command, options->measure);
    add_selection_options(*command, options->measure.selection);
    add_metrics_options(*command, options->measure.selection);
    command->callback([options, command, &program] {
        options->measure.given = given_options(*command);
        program.chosen = [options, &program] { return replay(*options, program.arguments); };
    });
}

}  // namespace

void add_trace(CLI::App& app, Program& program) {
    CLI::App* command = app.add_subcommand("trace", "Capture what a workload's warps do, and time it on any platform");
    command->require_subcommand(1);
    add_capture(*command, program);
    add_info(*command, program);
    add_replay(*command, program);
    add_trace_import(*command, program);
    add_export(*command, program);
}

}  // namespace sassafras::cli
