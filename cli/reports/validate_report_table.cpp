#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "cli/reports/columns.hpp"
#include "cli/reports/validate_report.hpp"
#include "core/number_text.hpp"
#include "validate/compare/summary.hpp"
#include "validate/models/rivals/compare.hpp"

namespace sassafras::cli {

namespace {

using validate::Comparison;
using validate::ModelEstimate;
using validate::ModelSummary;
using validate::RankAgreement;
using Cells = std::vector<std::string>;

constexpr const char* not_measured = "not measured";
constexpr const char* nothing = "-";

std::string whole_cycles_text(double cycles) { return rounded(std::round(cycles)); }

std::string percent_text(double percent) {
    constexpr double fine = 100;
    return std::abs(percent) < fine ? fmt::format("{:+.1f}", percent) : fmt::format("{:+.0f}", percent);
}

std::string error_text(std::optional<double> cycles, const Comparison& run) {
    const auto reference = run.reference();
    return cycles && reference ? percent_text(validate::error_percent(*cycles, *reference)) : nothing;
}

std::string misjudged_text(const Comparison& run, const ModelEstimate& model) {
    const auto reference = run.reference();
    if (!model.misjudged || !reference) return nothing;
    constexpr double percent = 100;
    return model.misjudged->symbol + " " + percent_text(percent * model.misjudged->difference() / *reference);
}

/// Marks a run whose errors are to the simulation although other runs of the table have a measurement.
constexpr const char* mark = " *";

bool to_be_marked(const Comparison& run, bool measured) { return measured && run.reference_name() == "simulated"; }

std::string size_text(const Comparison& run, bool measured) {
    return grouped(run.run.n) + (to_be_marked(run, measured) ? mark : "");
}

std::string spt_table(const validate::PlatformComparison& platform) {
    const bool measured = validate::any_measured(platform.runs);
    std::vector<Cells> rows{{"Workload", "Variant", "n", "Measured", "Simulated", "Error", "SPT printed", "reconstr.",
                             "counted", "misjudges"}};
    for (const Comparison& run : platform.runs) {
        const std::string simulated_error = run.measured ? error_text(run.simulated, run) : std::string(nothing);
        rows.push_back({run.run.workload, run.run.variant, size_text(run, measured),
                        run.measured ? whole_cycles_text(run.measured->cycles) : std::string(not_measured),
                        run.simulated ? whole_cycles_text(*run.simulated) : std::string(nothing), simulated_error,
                        error_text(run.models[0].cycles, run), error_text(run.models[1].cycles, run),
                        error_text(run.models[2].cycles, run), misjudged_text(run, run.models[2])});
    }
    return aligned(rows, 2);
}

std::string rivals_table(const validate::PlatformComparison& platform) {
    std::vector<std::string> timed;
    for (const std::string& name : validate::rivals::model_names())
        if (std::any_of(platform.runs.begin(), platform.runs.end(),
                        [&](const Comparison& run) { return run.find(name)->cycles.has_value(); }))
            timed.push_back(name);
    if (timed.empty()) return {};
    const bool measured = validate::any_measured(platform.runs);
    Cells head{"Workload", "Variant", "n"};
    head.insert(head.end(), timed.begin(), timed.end());
    std::vector<Cells> rows{head};
    for (const Comparison& run : platform.runs) {
        Cells row{run.run.workload, run.run.variant, size_text(run, measured)};
        for (const std::string& name : timed) row.push_back(error_text(run.find(name)->cycles, run));
        rows.push_back(std::move(row));
    }
    return aligned(rows, 2);
}

std::string rank_text(const RankAgreement& agreement) {
    return agreement.mean ? fmt::format("{:.2f} ({})", *agreement.mean, agreement.groups) : nothing;
}

std::string summary_table(const std::vector<Comparison>& runs, bool against_hardware) {
    std::vector<Cells> rows{{"Model", "Runs", "Mean |error| %", "without L_sync", "Typical factor",
                             "Rank, variants (groups)", "Rank, sizes (groups)"}};
    for (const ModelSummary& model : validate::summarise(runs, against_hardware)) {
        if (model.compared == 0) {
            rows.push_back({model.model, "0", nothing, nothing, nothing, nothing, nothing});
            continue;
        }
        rows.push_back({model.model, std::to_string(model.compared), fmt::format("{:.1f}", model.mean_absolute_percent),
                        fmt::format("{:.1f}", model.kernel_mean_absolute_percent),
                        fmt::format("{:.2f}", model.typical_factor), rank_text(model.over_variants),
                        rank_text(model.over_sizes)});
    }
    return aligned(rows, 1);
}

/// Why cells are empty, each reason once.
std::string notes(const validate::PlatformComparison& platform) {
    std::vector<std::string> lines;
    for (const Comparison& run : platform.runs) {
        if (!run.failure.empty())
            lines.push_back(fmt::format("{} {}, n {}: not simulated: {}", run.run.workload, run.run.variant,
                                        grouped(run.run.n), run.failure));
        for (const ModelEstimate& model : run.models)
            if (!model.cycles && run.failure.empty()) lines.push_back(model.model + ": " + model.reason);
    }
    std::string text;
    std::vector<std::string> seen;
    for (const std::string& line : lines) {
        if (std::find(seen.begin(), seen.end(), line) != seen.end()) continue;
        seen.push_back(line);
        text += "  note: " + line + "\n";
    }
    return text;
}

std::string platform_table(const validate::PlatformComparison& platform) {
    const bool measured = validate::any_measured(platform.runs);
    const bool marks = std::any_of(platform.runs.begin(), platform.runs.end(),
                                   [&](const Comparison& run) { return to_be_marked(run, measured); });
    std::string text = fmt::format("  validate {}, measured: {}; cycles of all launches, errors in % of what is {}{}\n",
                                   platform.platform, measured ? platform.measured : "not measured",
                                   measured ? "measured" : "simulated", marks ? ", * of what is simulated" : "");
    text += spt_table(platform);
    if (const std::string rivals = rivals_table(platform); !rivals.empty()) text += "  rivals, errors in %\n" + rivals;
    if (marks) text += "  * not measured: errors are in % of what is simulated, and are not in the means below\n";
    std::vector<Comparison> theses;
    std::copy_if(platform.runs.begin(), platform.runs.end(), std::back_inserter(theses),
                 [](const Comparison& run) { return validate::in_theses(run.run); });
    if (!theses.empty() && theses.size() < platform.runs.size())
        text += "  algorithms of the theses\n" + summary_table(theses, measured);
    text += "  all runs\n" + summary_table(platform.runs, measured);
    for (const std::string& finding : validate::findings(platform.runs)) text += "  " + finding + "\n";
    return text + notes(platform);
}

}  // namespace

std::string to_table(const ValidateReport& report) {
    std::string text;
    for (const validate::PlatformComparison& platform : report.platforms) text += platform_table(platform);
    return text;
}

}  // namespace sassafras::cli
