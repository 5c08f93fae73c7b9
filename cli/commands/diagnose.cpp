#include <memory>
#include <utility>

#include "cli/commands/commands.hpp"
#include "cli/options/options.hpp"
#include "cli/options/workload_options.hpp"
#include "cli/reports/diagnosis_report.hpp"
#include "cli/reports/phi_report.hpp"
#include "sim/platform/platform_reader.hpp"
#include "study/diagnose/read_counters.hpp"

namespace sassafras::cli {

namespace {

struct DiagnoseOptions {
    MeasureOptions measure;
    WorkloadOptions workload;
    std::string counters;  ///< file, empty for none
};

/// Where the counters come from: how they are called in errors, the launches, and the run that gave them if one did.
struct Measured {
    std::string origin;
    std::vector<study::NamedLaunch> launches;
    std::optional<workloads::WorkloadRun> run;
};

Result<Measured> read_file(const DiagnoseOptions& options) {
    const GivenOptions& given = options.measure.given;
    if (!options.workload.workload.empty())
        return Error{ErrorKind::bad_input, "a workload and --from-counters exclude each other",
                     options.workload.workload, "leave one of them out"};
    if (auto checked = given.refuse({"--variant", "--n", "--input", "--input-type", "--seed", "--threads",
                                     "--cache-control", "--instruction-limit"},
                                    "nothing runs, the counters are a file's", "leave out --from-counters");
        !checked)
        return checked.error();
    auto launches = study::read_launches(options.counters);
    if (!launches) return launches.error();
    return Measured{options.counters, std::move(*launches), {}};
}

Result<Measured> run_workload(const DiagnoseOptions& options) {
    auto request = workload_request(options.workload, options.measure.seed);
    if (!request) return request.error();
    auto chosen = choose_device(options.measure);
    if (!chosen) return chosen.error();
    auto run = workloads::run_workload(*chosen->device, *request);
    if (!run) return run.error();
    Measured measured{options.workload.workload, {}, std::move(*run)};
    for (const sim::KernelResult& result : chosen->device->results()) {
        study::NamedLaunch launch{result.name, {}};
        for (const auto& [id, value] : result.metrics.all())
            launch.values.emplace(std::string(sim::row_of(id).name), value);
        measured.launches.push_back(std::move(launch));
    }
    return measured;
}

Result<int> run_diagnose(const DiagnoseOptions& options, const std::vector<std::string>& command) {
    if (auto checked = check_outputs(options.measure); !checked) return checked.error();
    if (options.counters.empty() && options.workload.workload.empty())
        return Error{ErrorKind::bad_input,
                     "there is nothing to diagnose",
                     {},
                     "name a workload, or a file of counters with --from-counters"};
    auto platform = sim::load_platform(options.measure.platform);
    if (!platform) return platform.error();
    auto measured = options.counters.empty() ? run_workload(options) : read_file(options);
    if (!measured) return measured.error();
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
    if (auto delivered = deliver([&] { return to_json(report); }, [&] { return to_table(report); }, options.measure);
        !delivered)
        return delivered.error();
    if (measured->run && !measured->run->verified) return workloads::wrong_result(*measured->run);
    return 0;
}

}  // namespace

void add_diagnose(CLI::App& app, Program& program) {
    auto options = std::make_shared<DiagnoseOptions>();
    CLI::App* command = app.add_subcommand(
        "diagnose",
        "Say what bounds each kernel, by which numbers, and what to try: of a workload or a profiler's file");
    add_workload_options(*command, options->workload);
    command->get_option("workload")->required(false);
    command->add_option("--from-counters", options->counters,
                        "a profiler's file: CSV of Nsight Compute or nvprof, names and values, or JSON of `run`");
    add_output_options(*command, options->measure);
    add_seed_option(*command, options->measure);
    add_instruction_limit(*command, options->measure);
    command->callback([options, command, &program] {
        options->measure.given = given_options(*command);
        take_parameters(*command, options->workload);
        program.chosen = [options, &program] { return run_diagnose(*options, program.arguments); };
    });
}

}  // namespace sassafras::cli
