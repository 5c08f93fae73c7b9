#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <utility>

#include "cli/commands/commands.hpp"
#include "cli/options/conflict_run.hpp"
#include "cli/options/interruptible.hpp"
#include "cli/options/kernel_options.hpp"
#include "cli/options/option_values.hpp"
#include "cli/options/options.hpp"
#include "cli/options/rule_options.hpp"
#include "core/interrupted.hpp"
#include "core/whole_file.hpp"
#include "study/conflicts/source_text.hpp"
#include "study/kernel/buffer_output.hpp"
#include "study/kernel/kernel_file.hpp"

namespace sassafras::cli {

namespace {

struct LaunchOptions {
    MeasureOptions measure;
    study::KernelOptions kernel;
    bool count_conflicts = false;
    ConflictCommandOptions conflicts;
};

/// What ran, for results, and for how long.
struct Launched {
    nlohmann::ordered_json workload;
    double wall_seconds = 0;
};

Result<Launched> launch_on(sim::Device& device, const LaunchOptions& options, const study::FoundKernel& found) {
    study::KernelOptions kernel = options.kernel;
    kernel.kernel = found.name;
    auto prepared = study::PreparedKernel::make(device, kernel, found.cubin);
    if (!prepared) return prepared.error();
    auto outputs = study::BufferOutputs::open(prepared->buffers());
    if (!outputs) return outputs.error();
    for (const study::PlacedBuffer& buffer : prepared->buffers()) {
        if (auto done = study::PreparedKernel::fill(device, buffer, options.measure.seed); !done) return done.error();
    }
    Launched launched;
    const auto begin = std::chrono::steady_clock::now();
    if (auto done = prepared->run(); !done) return done.error();
    launched.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (auto done = outputs->write(device); !done) return done.error();

    auto contents = nlohmann::ordered_json::array();
    for (const study::PlacedBuffer& buffer : prepared->buffers()) {
        const auto sum = study::checksum(device, buffer.address, buffer.size);
        if (!sum) return sum.error();
        contents.push_back(
            {{"argument", buffer.argument}, {"bytes", buffer.size.count}, {"fnv1a64", fmt::format("{:016x}", *sum)}});
    }
    launched.workload = {{"name", "launch"},
                         {"cubin", options.kernel.cubin},
                         {"kernel", kernel.kernel},
                         {"arguments", options.kernel.arguments},
                         {"buffers", std::move(contents)}};
    return launched;
}

Result<study::FoundKernel> find_in_file(const LaunchOptions& options, isa::ComputeCapability capability) {
    auto file = read_whole_file(options.kernel.cubin, most_code_bytes);
    if (!file) return file.error();
    return study::find_kernel(std::move(*file), options.kernel.cubin, options.kernel.kernel, capability);
}

Result<int> count_conflicts(const LaunchOptions& options, const std::vector<std::string>& command) {
    if (auto checked = check_conflicts_flag(options.measure); !checked) return checked.error();
    auto plan = ConflictPlan::make(options.conflicts, options.measure);
    if (!plan) return plan.error();
    const sim::GpuParameters& gpu = plan->platform().platform.gpu;
    auto found = find_in_file(options, {gpu.compute_capability_major, gpu.compute_capability_minor});
    if (!found) return found.error();
    auto lines = study::lines_of(found->cubin, options.kernel.cubin);
    if (!lines) return lines.error();
    study::add_source_texts(*lines);
    ConflictRun run(std::move(*plan), {}, std::move(*lines));
    auto launched = launch_on(run.device(), options, *found);
    if (!launched) return launched.error();
    ConflictReport report;
    report.workload = std::move(launched->workload);
    report.wall_seconds = launched->wall_seconds;
    if (auto done = run.deliver(std::move(report), command); !done) return done.error();
    return 0;
}

Result<int> run_launch(const LaunchOptions& options, const std::vector<std::string>& command, bool may_be_interrupted) {
    if (options.count_conflicts) return count_conflicts(options, command);
    auto chosen = choose_device(options.measure);
    if (!chosen) return chosen.error();
    sim::Device& device = *chosen->device;
    const auto found = find_in_file(options, device.compute_capability());
    if (!found) return found.error();
    Report report;
    report.command = recorded_command(command);
    report.device = device.name();
    report.platform = std::move(chosen->platform);
    report.workload = {{"name", "launch"}, {"cubin", options.kernel.cubin}, {"kernel", found->name}};
    Result<void> drawn;
    try {
        auto launched = launch_on(device, options, *found);
        if (!launched) return end_with_findings(device, report, options.measure, launched.error());
        report.workload = std::move(launched->workload);
        report.wall_seconds = launched->wall_seconds;
        take_results(device, report, options.measure);
        if (auto ruled = put_rules_of(*chosen, report, options.measure); !ruled) return ruled.error();
        drawn = deliver_html(report, chosen->model ? &*chosen->model : nullptr, options.measure);
    } catch (const Interrupted&) {
        if (!may_be_interrupted) throw;
        return end_interrupted(device, report, options.measure);
    }
    if (auto done = deliver(report, options.measure); !done) return done.error();
    if (!drawn) return drawn.error();
    if (auto written = deliver_timeline(report, options.measure); !written) return written.error();
    return status_of_findings(report);
}

}  // namespace

void add_launch(CLI::App& app, Program& program) {
    auto options = std::make_shared<LaunchOptions>();
    options->measure.console = program.console;
    CLI::App* command = app.add_subcommand("launch", "Launch one kernel of a cubin, without a host program");
    add_kernel_options(*command, options->kernel);
    add_measure_options(*command, options->measure);
    add_check_option(*command, options->measure);
    add_timeline_options(*command, options->measure.timeline);
    add_metrics_options(*command, options->measure.selection);
    add_conflicts_flag(*command, options->count_conflicts, options->conflicts, false);
    add_html_option(*command, options->measure.html);
    command->callback([options, command, &program] {
        options->measure.given = given_options(*command);
        if (!options->count_conflicts) options->measure.html.folder = options->conflicts.svg;
        program.chosen = [options, &program] {
            const Interruptible interruptible(options->measure);
            return run_launch(*options, program.arguments, interruptible.is_ours());
        };
    });
}

}  // namespace sassafras::cli
