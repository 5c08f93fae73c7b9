#include <chrono>
#include <memory>
#include <optional>
#include <utility>

#include "cli/commands/commands.hpp"
#include "cli/options/interruptible.hpp"
#include "cli/options/option_values.hpp"
#include "cli/options/options.hpp"
#include "cli/options/rule_options.hpp"
#include "cli/options/workload_options.hpp"
#include "core/interrupted.hpp"

namespace sassafras::cli {

namespace {

struct RunOptions {
    MeasureOptions measure;
    WorkloadOptions workload;
    std::uint32_t repeat = 1;
};

Result<int> run(const RunOptions& options, const std::vector<std::string>& command, bool may_be_interrupted) {
    auto request = workload_request(options.workload, options.measure);
    if (!request) return request.error();
    auto chosen = choose_device(options.measure);
    if (!chosen) return chosen.error();

    Report report;
    report.command = recorded_command(command);
    report.device = chosen->device->name();
    report.platform = std::move(chosen->platform);
    report.workload = {{"name", options.workload.workload}};
    const auto begin = std::chrono::steady_clock::now();
    const auto take_time = [&] {
        report.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    };
    std::optional<workloads::WorkloadRun> done;
    Result<void> drawn;
    try {
        auto ran = workloads::run_workload(*chosen->device, *request);
        for (std::uint32_t repetition = 1; ran && repetition < options.repeat && ran->verified; ++repetition)
            ran = workloads::run_workload(*chosen->device, *request);
        take_time();
        if (!ran) return end_with_findings(*chosen->device, report, options.measure, ran.error());
        done = std::move(*ran);
        report.workload = describe_workload(*done);
        report.verified = done->verified;
        take_results(*chosen->device, report, options.measure);
        if (auto ruled = put_rules_of(*chosen, report, options.measure); !ruled) return ruled.error();
        drawn = deliver_html(report, chosen->model ? &*chosen->model : nullptr, options.measure);
    } catch (const Interrupted&) {
        if (!may_be_interrupted) throw;
        if (!done) take_time();
        return end_interrupted(*chosen->device, report, options.measure);
    }
    if (auto delivered = deliver(report, options.measure); !delivered) return delivered.error();
    if (!drawn) return drawn.error();
    if (auto written = deliver_timeline(report, options.measure); !written) return written.error();
    if (done->verified) return status_of_findings(report);
    return workloads::wrong_result(*done);
}

}  // namespace

void add_run(CLI::App& app, Program& program) {
    auto options = std::make_shared<RunOptions>();
    options->measure.console = program.console;
    CLI::App* command =
        app.add_subcommand("run", "Run a workload on a device and check its result against a CPU reference");
    add_workload_options(*command, options->workload);
    command
        ->add_option("--repeat", options->repeat,
                     "runs of the whole workload, one after the other; the report lists every launch")
        ->transform(whole_number(1, 1'000'000))
        ->capture_default_str();
    add_measure_options(*command, options->measure);
    add_check_option(*command, options->measure);
    add_sample_options(*command, options->measure);
    add_timeline_options(*command, options->measure.timeline);
    add_html_options(*command, options->measure.html);
    add_selection_options(*command, options->measure.selection);
    add_metrics_options(*command, options->measure.selection);
    command->callback([options, command, &program] {
        options->measure.given = given_options(*command);
        take_parameters(*command, options->workload);
        program.check = [options] { return check_workload(options->workload); };
        program.chosen = [options, &program] {
            const Interruptible interruptible(options->measure);
            return run(*options, program.arguments, interruptible.is_ours());
        };
    });
}

}  // namespace sassafras::cli
