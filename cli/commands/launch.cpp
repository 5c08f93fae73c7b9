#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <utility>

#include "cli/commands/commands.hpp"
#include "cli/options/conflict_run.hpp"
#include "cli/options/kernel_options.hpp"
#include "cli/options/option_values.hpp"
#include "cli/options/options.hpp"
#include "cli/options/rule_options.hpp"
#include "core/whole_file.hpp"
#include "study/conflicts/source_text.hpp"

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

Result<Launched> launch_on(sim::Device& device, const LaunchOptions& options, std::span<const std::byte> cubin) {
    auto prepared = study::PreparedKernel::make(device, options.kernel, cubin);
    if (!prepared) return prepared.error();
    for (const study::PlacedBuffer& buffer : prepared->buffers()) {
        if (auto done = study::PreparedKernel::fill(device, buffer, options.measure.seed); !done) return done.error();
    }
    Launched launched;
    const auto begin = std::chrono::steady_clock::now();
    if (auto done = prepared->run(); !done) return done.error();
    launched.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();

    auto contents = nlohmann::ordered_json::array();
    for (const study::PlacedBuffer& buffer : prepared->buffers()) {
        const auto sum = study::checksum(device, buffer.address, buffer.size);
        if (!sum) return sum.error();
        contents.push_back(
            {{"argument", buffer.argument}, {"bytes", buffer.size.count}, {"fnv1a64", fmt::format("{:016x}", *sum)}});
    }
    launched.workload = {{"name", "launch"},
                         {"cubin", options.kernel.cubin},
                         {"kernel", options.kernel.kernel},
                         {"arguments", options.kernel.arguments},
                         {"buffers", std::move(contents)}};
    return launched;
}

Result<int> count_conflicts(const LaunchOptions& options, const std::vector<std::string>& command) {
    if (auto checked = check_conflicts_flag(options.measure); !checked) return checked.error();
    auto plan = ConflictPlan::make(options.conflicts, options.measure);
    if (!plan) return plan.error();
    auto cubin = read_whole_file(options.kernel.cubin, most_code_bytes);
    if (!cubin) return cubin.error();
    auto lines = study::lines_of(*cubin, options.kernel.cubin);
    if (!lines) return lines.error();
    study::add_source_texts(*lines);
    ConflictRun run(std::move(*plan), {}, std::move(*lines));
    auto launched = launch_on(run.device(), options, *cubin);
    if (!launched) return launched.error();
    ConflictReport report;
    report.workload = std::move(launched->workload);
    report.wall_seconds = launched->wall_seconds;
    if (auto done = run.deliver(std::move(report), command); !done) return done.error();
    return 0;
}

Result<int> run_launch(const LaunchOptions& options, const std::vector<std::string>& command) {
    if (options.count_conflicts) return count_conflicts(options, command);
    auto cubin = read_whole_file(options.kernel.cubin, most_code_bytes);
    if (!cubin) return cubin.error();
    auto chosen = choose_device(options.measure);
    if (!chosen) return chosen.error();
    sim::Device& device = *chosen->device;
    Report report;
    report.command = recorded_command(command);
    report.device = device.name();
    report.platform = std::move(chosen->platform);
    auto launched = launch_on(device, options, *cubin);
    if (!launched) return end_with_findings(device, report, options.measure, launched.error());
    report.workload = std::move(launched->workload);
    report.wall_seconds = launched->wall_seconds;
    take_results(device, report, options.measure);
    if (auto ruled = put_rules_of(*chosen, report, options.measure); !ruled) return ruled.error();
    const auto drawn = deliver_html(report, chosen->model ? &*chosen->model : nullptr, options.measure);
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
        program.chosen = [options, &program] { return run_launch(*options, program.arguments); };
    });
}

}  // namespace sassafras::cli
