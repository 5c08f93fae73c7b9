#include "cli/commands/validate_claims.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include <fmt/format.h>

#include "cli/reports/claims_report.hpp"
#include "core/spelling.hpp"
#include "validate/claims/execute.hpp"
#include "validate/claims/table.hpp"
#include "validate/records/comparator_runs.hpp"
#include "validate/records/recorded_run.hpp"

namespace sassafras::cli {

namespace {

using namespace validate;

Result<std::vector<claims::Claim>> choose(const std::vector<std::string>& only) {
    std::vector<claims::Claim> all = claims::all_claims();
    if (only.empty()) return all;
    std::vector<std::string> names;
    names.reserve(all.size());
    for (const claims::Claim& claim : all) names.push_back(claim.id);
    for (const std::string& id : only)
        if (std::find(names.begin(), names.end(), id) == names.end())
            return Error{ErrorKind::bad_input, fmt::format("there is no claim \"{}\"", id), "--claim",
                         name_one_of(id, names)};
    std::erase_if(
        all, [&](const claims::Claim& claim) { return std::find(only.begin(), only.end(), claim.id) == only.end(); });
    return all;
}

/// A line on the terminal that says which run has begun; empty where standard error is no terminal.
claims::RunProgress run_progress(const Console& console) {
    if (console.poll) return [poll = console.poll](std::size_t, std::size_t, const claims::RunSpec&) { poll(); };
    if (!console.shows_progress || isatty(STDERR_FILENO) != 1) return {};
    return [](std::size_t begun, std::size_t all, const claims::RunSpec& run) {
        const std::string text = fmt::format("\r\033[K{} of {} runs: {}", begun, all, run.key());
        std::fwrite(text.data(), 1, text.size(), stderr);
        std::fflush(stderr);
    };
}

void end_progress(const claims::RunProgress& progress, const Console& console) {
    if (progress && console.shows_progress) std::fputs("\r\033[K", stderr);
}

}  // namespace

Result<int> run_claims(const ClaimOptions& options, const std::vector<std::string>& command) {
    auto chosen = choose(options.only);
    if (!chosen) return chosen.error();
    const std::vector<claims::RunSpec> needed = claims::needed_runs(*chosen, options.extent);
    const claims::RunProgress progress = run_progress(*options.measure.console);
    auto runs = claims::execute(needed, options.measure.threads, progress);
    end_progress(progress, *options.measure.console);
    if (!runs) return runs.error();
    auto recorded = recorded_runs("h200");
    if (!recorded) return recorded.error();
    auto comparators = comparator_runs();
    if (!comparators) return comparators.error();
    const claims::Evidence evidence{std::move(*runs), claims::recorded_cycles_of(*recorded), std::move(*comparators)};

    ClaimsReport report;
    report.command = recorded_command(command);
    report.extent = options.extent;
    report.findings = claims::evaluate(*chosen, evidence, options.extent);
    const auto text = [&] { return options.measure.csv ? to_csv(report) : to_table(report); };
    if (auto delivered = deliver([&] { return to_json(report); }, text, options.measure); !delivered)
        return delivered.error();
    return 0;
}

}  // namespace sassafras::cli
