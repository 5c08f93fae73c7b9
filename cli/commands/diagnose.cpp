#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "cli/commands/commands.hpp"
#include "cli/commands/program_run.hpp"
#include "cli/options/options.hpp"
#include "cli/options/temporary_folder.hpp"
#include "cli/options/usage.hpp"
#include "cli/options/workload_options.hpp"
#include "cli/reports/diagnosis_report.hpp"
#include "cli/reports/phi_report.hpp"
#include "sim/device/modelled_devices.hpp"
#include "sim/platform/platform_json.hpp"
#include "sim/platform/platform_reader.hpp"
#include "study/conflicts/source_lines.hpp"
#include "study/diagnose/ask_what_if.hpp"
#include "study/diagnose/read_counters.hpp"
#include "study/rules/apply_rules.hpp"

namespace sassafras::cli {

namespace {

struct DiagnoseOptions {
    MeasureOptions measure;
    WorkloadOptions workload;
    std::vector<std::string> program;  ///< behind --, in place of a workload
    std::string counters;              ///< file, empty for none
    bool no_what_if = false;
    bool all_what_ifs = false;

    [[nodiscard]] study::WhatIfScope scope() const {
        if (no_what_if) return study::WhatIfScope::none;
        return all_what_ifs ? study::WhatIfScope::all : study::WhatIfScope::remedies;
    }
};

/// Where the counters come from: how they are called in errors, the launches, and what there is of the run that gave
/// them.
struct Measured {
    std::string origin;
    std::vector<study::NamedLaunch> launches;
    sim::TraceFolder recorded;                                       ///< its launches, where they can be timed again
    std::optional<Error> wrong;                                      ///< the run's result
    std::optional<int> exit_status = {};                             ///< of the program
    std::map<std::string, std::vector<sim::SourceRow>> source = {};  ///< of each kernel's launches together
};

void take_results(const std::vector<sim::KernelResult>& results, Measured& measured) {
    for (const sim::KernelResult& result : results) {
        measured.launches.push_back(study::named_launch(result));
        study::add_rows(measured.source[result.name], result.source);
    }
}

/// The workloads' tables of lines are of shared-memory instructions of sm_90.
Result<void> locate(Measured& measured) {
    const auto lines = study::embedded_lines();
    if (!lines) return lines.error();
    for (auto& [kernel, rows] : measured.source) {
        const auto known = lines->find(kernel);
        if (known == lines->end()) continue;
        for (sim::SourceRow& row : rows) {
            if (row.shared_wavefronts == 0 || row.instruction.architecture != isa::Architecture::sm_90) continue;
            if (const study::SourceLine* line = known->second.find(row.pc))
                row.location = fmt::format("{}:{}", line->location.file, line->location.line);
        }
    }
    return {};
}

Result<Measured> read_file(const DiagnoseOptions& options) {
    const GivenOptions& given = options.measure.given;
    if (auto checked = given.refuse({"--variant", "--n", "--input", "--input-type", "--seed", "--threads",
                                     "--instruction-limit", "--no-what-if", "--all-what-ifs"},
                                    "nothing runs, the counters are a file's", "leave out --from-counters");
        !checked)
        return checked.error();
    auto launches = study::read_launches(options.counters);
    if (!launches) return launches.error();
    return Measured{options.counters, std::move(*launches), {}, {}};
}

Result<Measured> run_workload(const DiagnoseOptions& options, const sim::Platform& platform,
                              const std::string& folder) {
    auto request = workload_request(options.workload, options.measure);
    if (!request) return request.error();
    Measured measured{options.workload.workload, {}, {}, {}};
    measured.recorded.path = folder;
    const sim::ModelOptions model = model_options(options.measure);
    const auto device = options.no_what_if
                            ? sim::make_simulated_device(platform, model)
                            : sim::make_recording_device(platform, model, {folder, &measured.recorded.launches});
    const auto run = workloads::run_workload(*device, *request);
    if (!run) return run.error();
    if (!run->verified) measured.wrong = workloads::wrong_result(*run);
    take_results(device->results(), measured);
    if (auto located = locate(measured); !located) return located.error();
    return measured;
}

Result<Measured> run_user_program(const DiagnoseOptions& options, const sim::ResolvedPlatform& platform,
                                  const std::string& folder) {
    cudart::ExecSettings settings;
    settings.platform = sim::platform_text(platform);
    settings.threads = options.measure.threads;
    settings.instruction_limit = options.measure.instruction_limit;
    settings.source = true;
    if (!options.no_what_if) settings.trace_folder = folder;
    auto run = run_program(options.program, settings, *options.measure.console);
    if (!run) return run.error();
    Measured measured{
        options.program.front(), {}, {}, {}, exit_status(options.program, *run, *options.measure.console)};
    measured.recorded.path = folder;
    measured.recorded.launches = std::move(run->records.traced);
    take_results(run->records.kernels, measured);
    if (measured.launches.empty() && run->exited)
        return Error{ErrorKind::bad_input, "no kernel of the program came to its end", options.program.front(),
                     "sassafras exec says what it does"};
    return measured;
}

Result<Measured> measure(const DiagnoseOptions& options, const sim::ResolvedPlatform& platform,
                         const std::string& folder) {
    if (!options.counters.empty()) return read_file(options);
    if (!options.program.empty()) return run_user_program(options, platform, folder);
    return run_workload(options, platform.platform, folder);
}

/// As the launches that are timed again were timed: of a program's, one finds in L2 what the one before has left.
sim::ModelOptions model_of(const DiagnoseOptions& options) {
    sim::ModelOptions model = model_options(options.measure);
    model.cold_caches = options.program.empty();
    model.new_process = !options.program.empty();
    return model;
}

Result<void> check_program(const DiagnoseOptions& options) {
    if (options.workload.workload != "exec" && !options.workload.workload.empty())
        return Error{ErrorKind::bad_input, "both a workload and a program are given", options.workload.workload,
                     "give one of them"};
    if (options.measure.json == "-")
        return Error{ErrorKind::bad_input, "the program prints to standard output, too", "--json -",
                     "give --json a file"};
    if (!options.workload.parameters.empty())
        return Error{ErrorKind::bad_input, "parameters are a workload's", options.workload.parameters.front(),
                     "put what is the program's behind it"};
    return options.measure.given.refuse({"--variant", "--n", "--input", "--input-type", "--seed", "--from-counters"},
                                        "a program is run");
}

Result<void> check_options(const DiagnoseOptions& options, const std::vector<std::string>& command) {
    if (auto checked = check_outputs(options.measure); !checked) return checked;
    if (!options.program.empty()) return check_program(options);
    const auto& [workload, parameters] = std::tie(options.workload.workload, options.workload.parameters);
    if (workload == "exec" && !parameters.empty()) return not_behind_dashes(command, parameters.front());
    if (workload.find('/') != std::string::npos) return not_behind_dashes(command, workload);
    if (workload == "exec")
        return Error{ErrorKind::bad_input, "no program is given", "diagnose exec",
                     "name it behind --: sassafras diagnose exec -- ./program"};
    if (options.counters.empty() && options.workload.workload.empty())
        return Error{ErrorKind::bad_input,
                     "there is nothing to diagnose",
                     {},
                     "name a workload, a program behind exec --, or a file of counters with --from-counters"};
    if (!options.counters.empty() && !options.workload.workload.empty())
        return Error{ErrorKind::bad_input, "a workload and --from-counters exclude each other",
                     options.workload.workload, "leave one of them out"};
    return {};
}

Result<int> run_diagnose(const DiagnoseOptions& options, const std::vector<std::string>& command) {
    if (auto checked = check_options(options, command); !checked) return checked.error();
    auto platform = chosen_platform(options.measure);
    if (!platform) return platform.error();
    const auto folder = TemporaryFolder::make();
    if (!folder) return folder.error();
    auto measured = measure(options, *platform, folder->path());
    if (!measured) return measured.error();
    if (measured->launches.empty() && measured->exit_status) return *measured->exit_status;  // it was killed before
    if (study::is_xeon_phi(measured->launches.front().values)) {
        const PhiReport report{recorded_command(command), study::phi_figures(measured->launches.front().values)};
        if (auto delivered =
                deliver([&] { return to_json(report); }, [&] { return to_table(report); }, options.measure);
            !delivered)
            return delivered.error();
        return 0;
    }
    auto kernels = study::counted_kernels(measured->launches, measured->origin);
    if (!kernels) return kernels.error();

    DiagnosisReport report;
    report.command = recorded_command(command);
    report.machine = study::machine_of(platform->platform);
    report.kernels = study::diagnose(std::move(*kernels), report.machine, report.thresholds);
    for (study::Diagnosis& diagnosis : report.kernels)
        if (const auto rows = measured->source.find(diagnosis.kernel.name); rows != measured->source.end())
            diagnosis.hottest = study::hottest_instructions(diagnosis.by_units, rows->second);
    if (!measured->recorded.launches.empty())
        if (auto asked = study::ask_what_if(report.kernels, measured->recorded, platform->platform, model_of(options),
                                            options.scope());
            !asked)
            return asked.error();
    if (auto delivered = deliver([&] { return to_json(report); }, [&] { return to_table(report); }, options.measure);
        !delivered)
        return delivered.error();
    if (measured->wrong) return *measured->wrong;
    return measured->exit_status.value_or(0);
}

}  // namespace

void add_diagnose(CLI::App& app, Program& program) {
    auto options = std::make_shared<DiagnoseOptions>();
    options->measure.console = program.console;
    CLI::App* command = app.add_subcommand("diagnose",
                                           "Say what bounds each kernel, by which numbers, and what to try: of a "
                                           "workload, a CUDA program or a profiler's file");
    add_workload_options(*command, options->workload);
    command->get_option("workload")->required(false);
    command->add_option("--from-counters", options->counters,
                        "a profiler's file: CSV of Nsight Compute or nvprof, names and values, or JSON of `run`");
    auto* none =
        command->add_flag("--no-what-if", options->no_what_if,
                          "do not time the launches again to see what each remedy would bring: several times faster");
    command->add_flag("--all-what-ifs", options->all_what_ifs, "also those that none of a kernel's remedies is like")
        ->excludes(none);
    add_output_options(*command, options->measure);
    add_seed_option(*command, options->measure);
    add_instruction_limit(*command, options->measure);
    command->footer("A CUDA program comes last, behind --:  sassafras diagnose exec -- ./program 1000");
    command->callback([options, command, &program] {
        options->program = std::exchange(program.user_program, {});
        options->measure.given = given_options(*command);
        take_parameters(*command, options->workload);
        program.check = [options] {
            const bool runs_other = !options->program.empty() || !options->counters.empty();
            return runs_other ? Result<void>() : check_workload(options->workload);
        };
        program.chosen = [options, &program] { return run_diagnose(*options, program.arguments); };
    });
}

}  // namespace sassafras::cli
