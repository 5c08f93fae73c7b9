#include "validate/compare/summary.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <utility>

#include "validate/compare/rank_correlation.hpp"

namespace sassafras::validate {

namespace {

constexpr const char* simulator = "simulated";
constexpr const char* spt_of_contest = "spt-counted";
constexpr double least_cycles = 1;  // an estimate of no time at all has no logarithm

struct Values {
    std::optional<double> cycles;
    std::optional<double> kernel_cycles;
};
Values values_of(const Comparison& comparison, const std::string& model) {
    if (model == simulator) return {comparison.simulated, comparison.simulated};
    const ModelEstimate* estimate = comparison.find(model);
    if (estimate == nullptr) return {};
    return {estimate->cycles, estimate->kernel_cycles};
}

struct ModelPair {
    const Case* run = nullptr;
    double estimate = 0;
    double kernel_estimate = 0;
    double reference = 0;
};

std::vector<ModelPair> pairs_of(std::span<const Comparison> comparisons, const std::string& model, bool measured_only) {
    std::vector<ModelPair> pairs;
    for (const Comparison& comparison : comparisons) {
        if (measured_only && !comparison.measured) continue;
        const Values values = values_of(comparison, model);
        const auto reference = comparison.reference();
        if (values.cycles && values.kernel_cycles && reference && *reference > 0)
            pairs.push_back({&comparison.run, *values.cycles, *values.kernel_cycles, *reference});
    }
    return pairs;
}

using Key = std::function<std::string(const Case&)>;

RankAgreement agreement(const std::vector<ModelPair>& pairs, const Key& key) {
    std::map<std::string, std::pair<std::vector<double>, std::vector<double>>> groups;
    for (const ModelPair& pair : pairs) {
        auto& [estimates, references] = groups[key(*pair.run)];
        estimates.push_back(pair.estimate);
        references.push_back(pair.reference);
    }
    RankAgreement result;
    double sum = 0;
    for (const auto& [name, group] : groups)
        if (const auto rho = spearman(group.first, group.second)) {
            ++result.groups;
            sum += *rho;
        }
    if (result.groups > 0) result.mean = sum / static_cast<double>(result.groups);
    return result;
}

ModelSummary summary_of(std::span<const Comparison> comparisons, const std::string& model, bool measured_only) {
    const std::vector<ModelPair> pairs = pairs_of(comparisons, model, measured_only);
    ModelSummary summary;
    summary.model = model;
    summary.compared = pairs.size();
    double logarithms = 0;
    for (const ModelPair& pair : pairs) {
        summary.mean_absolute_percent += std::abs(error_percent(pair.estimate, pair.reference));
        summary.kernel_mean_absolute_percent += std::abs(error_percent(pair.kernel_estimate, pair.reference));
        logarithms += std::abs(std::log(std::max(pair.estimate, least_cycles) / pair.reference));
    }
    if (!pairs.empty()) {
        const auto count = static_cast<double>(pairs.size());
        summary.mean_absolute_percent /= count;
        summary.kernel_mean_absolute_percent /= count;
        summary.typical_factor = std::exp(logarithms / count);
    }
    summary.over_variants =
        agreement(pairs, [](const Case& run) { return run.workload + " " + std::to_string(run.n); });
    summary.over_sizes = agreement(pairs, [](const Case& run) { return run.workload + " " + run.variant; });
    return summary;
}

}  // namespace

bool any_measured(std::span<const Comparison> comparisons) {
    return std::any_of(comparisons.begin(), comparisons.end(),
                       [](const Comparison& one) { return one.measured.has_value(); });
}

std::vector<ModelSummary> summarise(std::span<const Comparison> comparisons, bool against_hardware) {
    std::vector<ModelSummary> rows;
    for (const std::string& model : model_names()) rows.push_back(summary_of(comparisons, model, against_hardware));
    if (against_hardware) rows.push_back(summary_of(comparisons, simulator, true));
    return rows;
}

std::vector<Contest> contests(std::span<const Comparison> comparisons) {
    std::vector<Contest> rows{{"all", 0, 0, 0}};
    for (const Comparison& comparison : comparisons) {
        const ModelEstimate* spt = comparison.find(spt_of_contest);
        if (!comparison.measured || !comparison.simulated || spt == nullptr || !spt->cycles) continue;
        const double spt_error = std::abs(error_percent(*spt->cycles, comparison.measured->cycles));
        const double simulator_error = std::abs(error_percent(*comparison.simulated, comparison.measured->cycles));
        auto own = std::find_if(rows.begin() + 1, rows.end(),
                                [&](const Contest& row) { return row.scope == comparison.run.workload; });
        if (own == rows.end()) own = rows.insert(rows.end(), {comparison.run.workload, 0, 0, 0});
        for (Contest* row : {&rows.front(), &*own}) {
            ++row->compared;
            row->spt_percent += spt_error;
            row->simulator_percent += simulator_error;
        }
    }
    if (rows.front().compared == 0) return {};
    for (Contest& row : rows) {
        row.spt_percent /= static_cast<double>(row.compared);
        row.simulator_percent /= static_cast<double>(row.compared);
    }
    return rows;
}

}  // namespace sassafras::validate
