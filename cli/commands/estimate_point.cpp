#include "cli/commands/estimate_point.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "validate/models/rivals/bounds.hpp"
#include "validate/models/rivals/compare.hpp"
#include "validate/models/spt/measured_counts.hpp"
#include "validate/models/spt/workload_formula.hpp"
#include "workloads/selection.hpp"

namespace sassafras::cli {

namespace {

using namespace validate;

struct Counted {
    std::vector<KernelProfile> launches;
    workloads::WorkloadRun run;
};

/// A functional run, each launch's counts. A wrong result is in `run`.
Result<Counted> count(const EstimateOptions& options, const workloads::WorkloadRequest& request) {
    auto chosen = choose_device(options.measure);
    if (!chosen) return chosen.error();
    auto run = workloads::run_workload(*chosen->device, request);
    if (!run) return run.error();
    Counted counted;
    counted.run = std::move(run).value();
    for (const sim::KernelResult& result : chosen->device->results()) {
        auto profile = profile_of(result);
        if (!profile) return profile.error();
        counted.launches.push_back(std::move(profile).value());
    }
    return counted;
}

/// Whether some term of the formula has the beta: its counts at two values of it differ.
bool has_effect(std::optional<double> spt::Betas::*beta, const std::string& workload,
                const workloads::Selection& selection, const spt::Instance& instance, spt::Reading reading) {
    const auto counts = [&](double value) {
        spt::Betas betas;
        betas.*beta = value;
        std::vector<double> found;
        if (const auto formula = spt::formula_of(workload, selection, instance, reading, betas))
            for (const spt::Kernel& kernel : formula->kernels)
                for (const spt::OperationCount& operation : kernel.operations) found.push_back(operation.count);
        return found;
    };
    return counts(2) != counts(3);
}

/// A beta that the formula of this variant has not.
Result<void> check_betas(const EstimateOptions& options, const workloads::Selection& selection,
                         const spt::Instance& instance, spt::Reading reading) {
    const std::string& workload = options.workload.workload;
    for (const auto& [name, beta] :
         {std::pair{"--beta1", &spt::Betas::search}, std::pair{"--beta2", &spt::Betas::merge}}) {
        if (!options.measure.given.has(name) || has_effect(beta, workload, selection, instance, reading)) continue;
        return options.measure.given.refuse(
            {name}, fmt::format("no term of the formula for {} {} has it", workload, selection.variant), "");
    }
    return {};
}

bool means_spt(const EstimateOptions& options) { return options.model == "spt" || options.model == "all"; }

/// The bounds that were asked for; --model all asks for those that there are.
Result<std::vector<rivals::RivalEstimate>> chosen_bounds(const EstimateOptions& options, const std::string& workload,
                                                         const workloads::Selection& selection,
                                                         const spt::Instance& instance) {
    std::vector<rivals::RivalEstimate> chosen;
    for (rivals::RivalEstimate& bound : rivals::bounds_of(workload, selection, instance))
        if (is_meant(options.model, bound.model)) chosen.push_back(std::move(bound));
    const std::vector<std::string> names = rivals::bound_names();
    if (chosen.empty() && std::find(names.begin(), names.end(), options.model) != names.end())
        return Error{ErrorKind::bad_input, fmt::format("{} has nothing to say of {}", options.model, workload),
                     "--model " + options.model,
                     "PEM bounds scan, sort and search, AGPU bounds sort; leave --model out for SPT's estimate"};
    return chosen;
}

Result<void> estimate_by_spt(const EstimateOptions& options, const Result<spt::Algorithm>& formula,
                             const std::vector<KernelProfile>& launches, EstimateReport& report) {
    const bool measured = options.counts == "measured";
    if (!formula && !measured) return formula.error();
    spt::Algorithm algorithm =
        measured ? spt::measured_counts(launches, report.instance, formula ? &*formula : nullptr) : *formula;
    auto estimate = spt::estimate(algorithm, report.instance);
    if (!estimate) return estimate.error();
    report.spt = std::move(estimate).value();
    report.notes = std::move(algorithm.notes);
    return {};
}

}  // namespace

bool is_meant(const std::string& word, const std::string& model) {
    return word == "all" || model == word || model.starts_with(word + "-");
}

std::vector<std::string> model_words() {
    std::vector<std::string> words{"spt", "all"};
    std::vector<std::string> models = rivals::model_names();
    for (const std::string& bound : rivals::bound_names()) models.push_back(bound);
    const auto add = [&](const std::string& word) {
        if (std::find(words.begin(), words.end(), word) == words.end()) words.push_back(word);
    };
    for (const std::string& model : models) {
        const std::string family = model.substr(0, model.find('-'));
        const auto relatives =
            std::count_if(models.begin(), models.end(), [&](const auto& other) { return is_meant(family, other); });
        if (relatives > 1) add(family);
        add(model);
    }
    return words;
}

bool needs_run(const EstimateOptions& options) {
    if (options.counts == "measured") return true;
    const std::vector<std::string> names = rivals::model_names();
    return std::any_of(names.begin(), names.end(),
                       [&](const std::string& name) { return is_meant(options.model, name); });
}

Result<EstimatePoint> estimate_point(const EstimateOptions& options, const WorkloadOptions& workload,
                                     const spt::Instance& instance) {
    auto request = workload_request(workload, options.measure);
    if (!request) return request.error();
    const auto info = workloads::find(workload.workload);
    if (!info) return info.error();
    const bool runs = needs_run(options);
    const auto selection =
        workloads::select(*info, *request, runs ? workloads::Limits::of_kernels : workloads::Limits::none);
    if (!selection) return selection.error();

    EstimatePoint point;
    EstimateReport& report = point.report;
    report.reading = options.reading;
    report.counts = options.counts;
    report.workload = describe_workload(workloads::start_run(*info, *selection));
    report.instance = instance;
    report.algorithm = info->name + " " + selection->variant;

    const auto reading = options.reading == "printed" ? spt::Reading::printed : spt::Reading::reconstructed;
    if (auto checked = check_betas(options, *selection, instance, reading); !checked) return checked.error();
    spt::Betas betas;
    if (options.search_beta > 0) betas.search = options.search_beta;
    if (options.merge_beta > 0) betas.merge = options.merge_beta;
    const auto formula = spt::formula_of(info->name, *selection, instance, reading, betas);
    if (!formula && means_spt(options) && options.counts != "measured") return formula.error();

    std::vector<KernelProfile> launches;
    if (runs) {
        auto counted = count(options, *request);
        if (!counted) return counted.error();
        launches = std::move(counted->launches);
        point.run = std::move(counted->run);
        report.verified = point.run->verified;
        report.workload = describe_workload(*point.run);
    }
    if (means_spt(options))
        if (auto estimated = estimate_by_spt(options, formula, launches, report); !estimated) return estimated.error();
    if (runs && options.model != "spt") {
        auto rivals = rivals::compare(launches, instance);
        if (!rivals) return rivals.error();
        for (rivals::RivalEstimate& rival : *rivals)
            if (is_meant(options.model, rival.model)) report.rivals.push_back(std::move(rival));
    }
    auto bounds = chosen_bounds(options, info->name, *selection, instance);
    if (!bounds) return bounds.error();
    for (rivals::RivalEstimate& bound : *bounds) report.rivals.push_back(std::move(bound));
    return point;
}

}  // namespace sassafras::cli
