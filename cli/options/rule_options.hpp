// Rules under the sections of the details page: when they are applied, and what they need of the run.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <CLI/CLI.hpp>

#include "cli/options/options.hpp"
#include "cli/options/temporary_folder.hpp"
#include "cli/reports/report.hpp"
#include "core/result.hpp"
#include "sim/formats/trace_file/trace_folder.hpp"

namespace sassafras::cli {

/// --apply-rules, --no-what-if.
void add_rule_options(CLI::App& command, MeasureOptions& options);

/// Rules are asked for by --apply-rules yes, or by --page details where there is time to speak of; the page that is
/// printed if nobody asks for one is without.
[[nodiscard]] bool prints_rules(const MeasureOptions& options);
/// That, or a page is asked for, which has them unless --apply-rules no is given.
[[nodiscard]] bool wants_rules(const MeasureOptions& options);
/// And each finding is to be timed again: of launches that were timed whole, with all their costs.
[[nodiscard]] bool wants_estimates(const MeasureOptions& options);

/// Error bad_input if an option of rules was given and would have no effect.
[[nodiscard]] Result<void> check_rules(const MeasureOptions& options);

/// What launches did, in a folder that goes with its owner.
struct RecordedRun {
    TemporaryFolder folder;
    sim::TraceFolder traced;

    /// Error bad_input if there is no room for it.
    [[nodiscard]] static Result<std::shared_ptr<RecordedRun>> begin();
};

/// What was recorded beside `launches`, with a place for each of them, also for those that are left out, which have a
/// file only where `options` have all launches timed. None where one of the others is missing, as of a launch that
/// failed: then nothing says which belongs to which.
[[nodiscard]] std::optional<sim::TraceFolder> recorded_beside(const std::vector<sim::KernelResult>& launches,
                                                              const sim::TraceFolder& recorded,
                                                              const MeasureOptions& options);

/// Fills in Report::rules, if they are asked for, of those of `launches` that are not left out. `launches` are all of
/// the run, as what one finds depends on those before; `recorded` has a place for each, or is null: then no finding is
/// timed again. `model` is what timed them.
[[nodiscard]] Result<void> put_rules(Report& report, const std::vector<sim::KernelResult>& launches,
                                     const sim::TraceFolder* recorded, const sim::Platform& platform,
                                     sim::ModelOptions model, const MeasureOptions& options);

/// The same of launches on a chosen device.
[[nodiscard]] Result<void> put_rules_of(const ChosenDevice& chosen, Report& report, const MeasureOptions& options);

}  // namespace sassafras::cli
