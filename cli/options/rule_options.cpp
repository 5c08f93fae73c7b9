#include "cli/options/rule_options.hpp"

#include <utility>

#include "cli/options/option_values.hpp"
#include "study/rules/apply_rules.hpp"

namespace sassafras::cli {

void add_rule_options(CLI::App& command, MeasureOptions& options) {
    command
        .add_option(
            "--apply-rules", options.apply_rules,
            "yes: say what bounds each kernel and what would help, under the sections and in the JSON; no: not. "
            "If not given, with --page details")
        ->check(one_of({"yes", "no"}));
    command.add_flag("--no-what-if", options.no_what_if,
                     "rules do not time launches again to see what each remedy would bring: several times faster");
}

bool prints_rules(const MeasureOptions& options) {
    if (options.device != "simulated" || options.apply_rules == "no") return false;
    if (!options.selection.metrics.empty() || options.selection.is_per_kernel()) return false;  // no place for them
    return options.apply_rules == "yes" || (options.given.has("--page") && options.page == "details");
}

bool wants_rules(const MeasureOptions& options) {
    const bool has_page = options.html.is_asked() && options.device == "simulated" && options.apply_rules != "no";
    return has_page || prints_rules(options);
}

bool wants_estimates(const MeasureOptions& options) {
    return wants_rules(options) && !options.no_what_if && options.what_if.empty() && !options.sample &&
           options.launches.empty();
}

Result<void> check_rules(const MeasureOptions& options) {
    if (options.device != "simulated")
        return options.given.refuse({"--apply-rules", "--no-what-if"}, "rules are about time that is simulated",
                                    "choose --device simulated");
    if (!wants_rules(options))
        return options.given.refuse({"--no-what-if"}, "no rules are applied",
                                    "add --page details or --apply-rules yes");
    return {};
}

Result<std::shared_ptr<RecordedRun>> RecordedRun::begin() {
    auto folder = TemporaryFolder::make();
    if (!folder) return folder.error();
    sim::TraceFolder traced;
    traced.path = folder->path();
    return std::make_shared<RecordedRun>(RecordedRun{std::move(*folder), std::move(traced)});
}

std::optional<sim::TraceFolder> recorded_beside(const std::vector<sim::KernelResult>& launches,
                                                const sim::TraceFolder& recorded, const MeasureOptions& options) {
    const bool has_all = times_unselected(options);
    sim::TraceFolder beside;
    beside.path = recorded.path;
    auto next = recorded.launches.begin();
    for (const sim::KernelResult& launch : launches) {
        if (launch.left_out && !has_all) {
            beside.launches.emplace_back();
            continue;
        }
        if (next == recorded.launches.end()) return std::nullopt;
        beside.launches.push_back(*next++);
    }
    if (next != recorded.launches.end()) return std::nullopt;
    return beside;
}

Result<void> put_rules(Report& report, const std::vector<sim::KernelResult>& launches, const sim::TraceFolder* recorded,
                       const sim::Platform& platform, sim::ModelOptions model, const MeasureOptions& options) {
    if (!wants_rules(options)) return {};
    model.check = false;
    model.full_metrics = false;
    model.profile_interval = 0;
    model.blocks_of_launch = std::nullopt;
    auto rules = study::apply_rules(launches, recorded, platform, model);
    if (!rules) return rules.error();
    report.rules.clear();
    for (std::size_t i = 0; i < launches.size(); ++i)
        if (!launches[i].left_out) report.rules.push_back(std::move((*rules)[i]));
    return {};
}

Result<void> put_rules_of(const ChosenDevice& chosen, Report& report, const MeasureOptions& options) {
    if (!chosen.model) return {};
    const std::vector<sim::KernelResult>& launches = chosen.device->results();
    std::optional<sim::TraceFolder> recorded;
    if (chosen.recorded) recorded = recorded_beside(launches, chosen.recorded->traced, options);
    return put_rules(report, launches, recorded ? &*recorded : nullptr, *chosen.model, model_options(options), options);
}

}  // namespace sassafras::cli
