#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include <nlohmann/json.hpp>

#include "cli/reports/report.hpp"
#include "cli/reports/result_text.hpp"
#include "cli/reports/validate_report.hpp"
#include "core/json_text.hpp"
#include "validate/compare/summary.hpp"

namespace sassafras::cli {

namespace {

using nlohmann::ordered_json;
using validate::Comparison;
using validate::ModelEstimate;
using validate::RankAgreement;

ordered_json number_or_null(std::optional<double> value) {
    return value ? ordered_json(*value) : ordered_json(nullptr);
}

ordered_json error_of(std::optional<double> cycles, const Comparison& run) {
    const auto reference = run.reference();
    if (!cycles || !reference) return nullptr;
    return validate::error_percent(*cycles, *reference);
}

ordered_json model_json(const ModelEstimate& model, const Comparison& run) {
    ordered_json json{{"model", model.model},
                      {"cycles", number_or_null(model.cycles)},
                      {"cycles_without_sync", number_or_null(model.kernel_cycles)},
                      {"error_percent", error_of(model.cycles, run)}};
    if (!model.reason.empty()) json["reason"] = model.reason;
    if (model.parts)
        json["parts"] = {{"g", model.parts->g}, {"s", model.parts->s}, {"r", model.parts->r}, {"y", model.parts->y}};
    if (model.misjudged)
        json["misjudged"] = {{"part", model.misjudged->symbol},
                             {"estimated", model.misjudged->estimated},
                             {"simulated", model.misjudged->attributed}};
    return json;
}

ordered_json run_json(const Comparison& run) {
    ordered_json json{{"workload", run.run.workload}, {"variant", run.run.variant}, {"n", run.run.n},
                      {"launches", run.launches},     {"measured", nullptr},        {"simulated", nullptr}};
    json["reference"] = run.reference() ? ordered_json(run.reference_name()) : ordered_json(nullptr);
    if (run.measured)
        json["measured"] = {
            {"cycles", run.measured->cycles}, {"least", run.measured->least}, {"most", run.measured->most}};
    if (run.attribution) {
        const auto& parts = *run.attribution;
        json["simulated"] = {{"cycles", *run.simulated},
                             {"error_percent", run.measured ? error_of(run.simulated, run) : ordered_json(nullptr)},
                             {"parts",
                              {{"g", parts.g},
                               {"s", parts.s},
                               {"r", parts.r},
                               {"y", parts.y},
                               {"other", parts.other},
                               {"launch", parts.launch}}}};
    }
    if (!run.failure.empty()) json["failure"] = run.failure;
    auto models = ordered_json::array();
    for (const ModelEstimate& model : run.models) models.push_back(model_json(model, run));
    json["models"] = std::move(models);
    return json;
}

ordered_json rank_json(const RankAgreement& agreement) {
    return {{"spearman", number_or_null(agreement.mean)}, {"groups", agreement.groups}};
}

ordered_json summary_json(const std::vector<Comparison>& runs, bool against_hardware) {
    auto rows = ordered_json::array();
    for (const validate::ModelSummary& model : validate::summarise(runs, against_hardware)) {
        const auto figure = [&](double value) {
            return model.compared > 0 ? ordered_json(value) : ordered_json(nullptr);
        };
        rows.push_back({{"model", model.model},
                        {"compared", model.compared},
                        {"mean_absolute_error_percent", figure(model.mean_absolute_percent)},
                        {"mean_absolute_error_percent_without_sync", figure(model.kernel_mean_absolute_percent)},
                        {"typical_factor", figure(model.typical_factor)},
                        {"rank_over_variants", rank_json(model.over_variants)},
                        {"rank_over_sizes", rank_json(model.over_sizes)}});
    }
    return rows;
}

ordered_json platform_json(const validate::PlatformComparison& platform) {
    auto runs = ordered_json::array();
    for (const Comparison& run : platform.runs) runs.push_back(run_json(run));
    std::vector<Comparison> theses;
    std::copy_if(platform.runs.begin(), platform.runs.end(), std::back_inserter(theses),
                 [](const Comparison& run) { return validate::in_theses(run.run); });
    const bool measured = validate::any_measured(platform.runs);
    auto contests = ordered_json::array();
    for (const validate::Contest& row : validate::contests(platform.runs))
        contests.push_back({{"scope", row.scope},
                            {"compared", row.compared},
                            {"spt_counted_percent", row.spt_percent},
                            {"simulator_percent", row.simulator_percent}});
    return {{"platform", {{"name", platform.platform}, {"hash", platform.hash}}},
            {"instance", own_json(instance_json(platform.instance))},
            {"measured", platform.measured.empty() ? ordered_json(nullptr) : ordered_json(platform.measured)},
            {"reference", measured ? "measured" : "simulated"},
            {"runs", std::move(runs)},
            {"summary", {{"theses", summary_json(theses, measured)}, {"all", summary_json(platform.runs, measured)}}},
            {"simulator_beside_spt", std::move(contests)},
            {"findings", validate::findings(platform.runs)}};
}

}  // namespace

std::string to_json(const ValidateReport& report) {
    auto platforms = ordered_json::array();
    for (const validate::PlatformComparison& platform : report.platforms) platforms.push_back(platform_json(platform));
    return result_text("validation", {{"command", report.command}, {"platforms", std::move(platforms)}});
}

}  // namespace sassafras::cli
