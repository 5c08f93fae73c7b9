#include <chrono>
#include <memory>
#include <utility>

#include "cli/commands/commands.hpp"
#include "cli/options/conflict_run.hpp"
#include "cli/options/workload_options.hpp"

namespace sassafras::cli {

namespace {

struct ConflictsOptions {
    MeasureOptions measure;
    WorkloadOptions workload;
    ConflictCommandOptions conflicts;
};

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
    ConflictRun run(std::move(*plan), workloads::phases_of(request->name), std::move(*lines));

    const auto begin = std::chrono::steady_clock::now();
    auto done = workloads::run_workload(run.device(), *request);
    if (!done) return done.error();
    ConflictReport report;
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
    add_counting_options(*command, options->measure);
    command->callback([options, command, &program] {
        options->measure.given = given_options(*command);
        take_parameters(*command, options->workload);
        program.check = [options] { return check_workload(options->workload); };
        program.chosen = [options, &program] { return count(*options, program.arguments); };
    });
}

}  // namespace sassafras::cli
