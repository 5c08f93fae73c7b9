#include <chrono>
#include <memory>
#include <utility>

#include "cli/commands/commands.hpp"
#include "cli/options/conflict_run.hpp"
#include "cli/options/option_values.hpp"

#include "cli/options/workload_options.hpp"
#include "core/value_series.hpp"

namespace sassafras::cli {

namespace {

struct ConflictsOptions {
    MeasureOptions measure;
    WorkloadOptions workload;
    ConflictCommandOptions conflicts;
    std::string sizes;  ///< --sizes
};

/// What --sizes names; error bad_input as parse_series, or if there is no chart to be of it.
Result<std::vector<std::uint64_t>> chosen_sizes(const ConflictsOptions& options) {
    if (options.sizes.empty()) return std::vector<std::uint64_t>();
    if (options.measure.html.file.empty() && !names_folder(options.conflicts.svg))
        return Error{ErrorKind::bad_input, "sizes are for a chart, and there is none", "--sizes", "give --html a file"};
    return parse_series(options.sizes, "--sizes");
}

Result<SizeConflicts> count_size(workloads::WorkloadRequest request, std::uint64_t n, const ConflictPlan& plan,
                                 const study::LinesByKernel& lines) {
    std::vector<sim::LaunchConflicts> launches;
    const auto device =
        sim::make_conflict_device(plan.platform().platform, model_options(plan.measure()), {}, launches);
    request.n = n;
    const auto done = workloads::run_workload(*device, request);
    if (!done) return done.error();
    if (!done->verified) return workloads::wrong_result(*done);
    return SizeConflicts{done->n, study::summarise(launches, workloads::phases_of(request.name), lines).run};
}

Result<int> count(const ConflictsOptions& options, const std::vector<std::string>& command) {
    auto request = workload_request(options.workload, options.measure);
    if (!request) return request.error();
    auto lines = study::embedded_lines();
    if (!lines) return lines.error();
    auto plan = ConflictPlan::make(options.conflicts, options.measure);
    if (!plan) return plan.error();
    // The tables are of the code for sm_90.
    const sim::GpuParameters& gpu = plan->platform().platform.gpu;
    if (!isa::runs_on(isa::Architecture::sm_90, {gpu.compute_capability_major, gpu.compute_capability_minor}))
        lines->clear();
    const auto sizes = chosen_sizes(options);
    if (!sizes) return sizes.error();
    ConflictReport report;
    for (const std::uint64_t n : *sizes) {
        auto counted = count_size(*request, n, *plan, *lines);
        if (!counted) return counted.error();
        report.sizes.push_back(std::move(*counted));
    }
    ConflictRun run(std::move(*plan), workloads::phases_of(request->name), std::move(*lines));

    const auto begin = std::chrono::steady_clock::now();
    auto done = workloads::run_workload(run.device(), *request);
    if (!done) return done.error();
    report.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    report.workload = describe_workload(*done);
    report.verified = done->verified;
    if (auto delivered = run.deliver(std::move(report), command); !delivered) return delivered.error();
    if (done->verified) return 0;
    return workloads::wrong_result(*done);
}

}  // namespace

void add_conflicts(CLI::App& app, Program& program) {
    auto options = std::make_shared<ConflictsOptions>();
    options->measure.console = program.console;
    CLI::App* command =
        app.add_subcommand("conflicts", "Count the bank conflicts of a workload's shared-memory accesses");
    add_workload_options(*command, options->workload);
    add_conflict_options(*command, options->conflicts, true);
    add_html_option(*command, options->measure.html);
    command
        ->add_option("--sizes", options->sizes,
                     "with --html: count at these sizes too, for a chart against n: a,b,c; 2^10..2^16 (doubles)")
        ->type_name("SERIES")
        ->check(not_empty("sizes"));

    add_counting_options(*command, options->measure);
    command->callback([options, command, &program] {
        options->measure.given = given_options(*command);
        take_parameters(*command, options->workload);
        program.check = [options] { return check_workload(options->workload); };
        program.chosen = [options, &program] { return count(*options, program.arguments); };
    });
}

}  // namespace sassafras::cli
