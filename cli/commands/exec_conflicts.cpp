#include "cli/commands/exec_conflicts.hpp"

#include <utility>

#include "cli/commands/program_run.hpp"
#include "cli/options/conflict_run.hpp"
#include "cli/reports/exec_report.hpp"
#include "sim/platform/platform_json.hpp"
#include "study/conflicts/source_text.hpp"

namespace sassafras::cli {

namespace {

/// Kernels of one name can be of several modules: their code tells them apart.
Result<CountedConflicts> counted_in(ProgramRun& run, const std::string& program) {
    CountedConflicts counted;
    std::map<std::uint64_t, study::LinesByKernel> lines;
    for (const auto& [number, cubin] : run.modules) {
        auto of_module = study::lines_of(cubin, program + ", device code " + std::to_string(number));
        if (!of_module) return of_module.error();
        lines[number] = std::move(*of_module);
    }
    for (cudart::ProgramConflicts& conflicts : run.records.conflicts) {
        if (const auto* of_kernel = study::find_lines(lines[conflicts.module], conflicts.launch.kernel))
            conflicts.launch.code_hash = of_kernel->code_hash;
        counted.launches.push_back(std::move(conflicts.launch));
    }
    for (auto& [number, of_module] : lines) counted.lines.merge(of_module);
    study::add_source_texts(counted.lines);
    return counted;
}

}  // namespace

Result<int> exec_conflicts(const std::vector<std::string>& program, const MeasureOptions& measure,
                           const ConflictCommandOptions& conflicts, const std::vector<std::string>& command) {
    if (auto checked = check_conflicts_flag(measure); !checked) return checked.error();
    const auto plan = ConflictPlan::make(conflicts, measure);
    if (!plan) return plan.error();
    cudart::ExecSettings settings;
    settings.device = cudart::ExecSettings::Device::conflicts;
    settings.platform = sim::platform_text(plan->platform());
    settings.threads = measure.threads;
    settings.instruction_limit = measure.instruction_limit;
    settings.explained = plan->choice();
    auto run = run_program(program, settings, *measure.console);
    if (!run) return run.error();
    const auto counted = counted_in(*run, program.front());
    if (!counted) return counted.error();
    ConflictReport report;
    report.workload = describe_program(program, *run);
    report.wall_seconds = run->wall_seconds;
    report.failed = failed_lines(run->records.failed);
    if (auto done = plan->deliver(std::move(report), *counted, command); !done) return done.error();
    return exit_status(program, *run, *measure.console);
}

}  // namespace sassafras::cli
