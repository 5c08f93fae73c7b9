#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "cli/commands/commands.hpp"
#include "cli/options/choose_instance.hpp"
#include "cli/options/option_values.hpp"
#include "cli/options/options.hpp"
#include "cli/options/workload_options.hpp"
#include "cli/reports/estimate_report.hpp"
#include "validate/models/rivals/compare.hpp"
#include "validate/models/spt/measured_counts.hpp"
#include "validate/models/spt/workload_formula.hpp"
#include "workloads/selection.hpp"

namespace sassafras::cli {

namespace {

using namespace validate;

struct EstimateOptions {
    MeasureOptions measure;
    WorkloadOptions workload;
    std::string instance = "algoparc";
    std::string reading = "printed";
    std::string counts = "formula";
    std::string model = "spt";
    double search_beta = 0;  ///< 0: not given
    double merge_beta = 0;
};

/// Whether --model's word means this rival: its name, or what stands before the last dash of several ("agpu").
bool is_meant(const std::string& word, const std::string& rival) {
    return word == "all" || rival == word || rival.starts_with(word + "-");
}

std::vector<std::string> model_words() {
    std::vector<std::string> words{"spt", "all"};
    const std::vector<std::string> rivals = rivals::model_names();
    for (const std::string& rival : rivals) {
        const std::string family = rival.substr(0, rival.rfind('-'));
        const auto relatives =
            std::count_if(rivals.begin(), rivals.end(), [&](const auto& other) { return is_meant(family, other); });
        const std::string& word = relatives > 1 ? family : rival;
        if (std::find(words.begin(), words.end(), word) == words.end()) words.push_back(word);
    }
    return words;
}

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

/// What would have no effect.
Result<void> check_choices(const EstimateOptions& options) {
    const GivenOptions& given = options.measure.given;
    if (options.model == "spt" && options.counts == "formula")
        return given.refuse({"--platform", "--threads", "--instruction-limit"},
                            "nothing runs, the counts are a formula's", "add --counts measured or --model all");
    if (options.model != "spt" && options.model != "all")
        return given.refuse({"--counts", "--reading", "--beta1", "--beta2"}, "rivals take what a run counted",
                            "choose --model spt or all");
    if (options.counts == "measured")
        return given.refuse({"--beta1", "--beta2"}, "conflicts are in what a run counted",
                            "leave out --counts measured");
    return {};
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

Result<int> run_estimate(const EstimateOptions& options, const std::vector<std::string>& command) {
    if (auto checked = check_outputs(options.measure); !checked) return checked.error();
    if (auto checked = check_choices(options); !checked) return checked.error();
    auto request = workload_request(options.workload, options.measure.seed);
    if (!request) return request.error();
    const auto info = workloads::find(options.workload.workload);
    if (!info) return info.error();
    const auto selection = workloads::select(*info, *request);
    if (!selection) return selection.error();
    auto instance = choose_instance(options.instance);
    if (!instance) return instance.error();

    EstimateReport report;
    report.command = recorded_command(command);
    report.reading = options.reading;
    report.counts = options.counts;
    report.workload = describe_workload(workloads::start_run(*info, *selection));
    report.instance = *instance;
    const bool wants_spt = options.model == "spt" || options.model == "all";
    const bool wants_rivals = options.model != "spt";
    const bool measured = options.counts == "measured";

    const auto reading = options.reading == "printed" ? spt::Reading::printed : spt::Reading::reconstructed;
    if (auto checked = check_betas(options, *selection, *instance, reading); !checked) return checked.error();
    spt::Betas betas;
    if (options.search_beta > 0) betas.search = options.search_beta;
    if (options.merge_beta > 0) betas.merge = options.merge_beta;
    auto formula = spt::formula_of(info->name, *selection, *instance, reading, betas);
    if (!formula && wants_spt && !measured) return formula.error();

    std::optional<Counted> counted;
    if (measured || wants_rivals) {
        auto run = count(options, *request);
        if (!run) return run.error();
        counted = std::move(run).value();
        report.verified = counted->run.verified;
        report.workload = describe_workload(counted->run);
    }
    report.algorithm = info->name + " " + selection->variant;
    if (wants_spt) {
        spt::Algorithm algorithm =
            measured ? spt::measured_counts(counted->launches, *instance, formula ? &*formula : nullptr) : *formula;
        auto estimate = spt::estimate(algorithm, *instance);
        if (!estimate) return estimate.error();
        report.spt = std::move(estimate).value();
        report.notes = std::move(algorithm.notes);
    }
    if (wants_rivals) {
        auto rivals = rivals::compare(counted->launches, *instance);
        if (!rivals) return rivals.error();
        for (rivals::RivalEstimate& rival : *rivals)
            if (is_meant(options.model, rival.model)) report.rivals.push_back(std::move(rival));
    }
    const auto text = [&] { return options.measure.csv ? to_csv(report) : to_table(report); };
    if (auto delivered = deliver([&] { return to_json(report); }, text, options.measure); !delivered)
        return delivered.error();
    if (counted && !counted->run.verified) return workloads::wrong_result(counted->run);
    return 0;
}

constexpr double most_beta = 1024;  ///< no bank has more lanes to serve

}  // namespace

void add_estimate(CLI::App& app, Program& program) {
    auto options = std::make_shared<EstimateOptions>();
    options->measure.device = "functional";
    CLI::App* command = app.add_subcommand(
        "estimate", "Predict a workload's time by a formula, term by term: the SPT model, and its rivals");
    add_workload_options(*command, options->workload);
    command
        ->add_option("--instance", options->instance,
                     "the machine's L, B and sizes: a name that `sassafras list` shows, or a JSON file (docs/spt.md)")
        ->capture_default_str();
    command->add_option("--reading", options->reading, "of formulas whose print contradicts itself")
        ->check(one_of({"printed", "reconstructed"}))
        ->capture_default_str();
    command
        ->add_option("--counts", options->counts,
                     "formula: counts as the formula has them; measured: counted in a functional run")
        ->check(one_of({"formula", "measured"}))
        ->capture_default_str();
    command->add_option("--model", options->model, "spt, a rival, or all; rivals always need a functional run")
        ->check(one_of(model_words()))
        ->capture_default_str();
    command->add_option("--beta1", options->search_beta, "accesses a request of searches in shared memory")
        ->check(real_number(1, most_beta));
    command->add_option("--beta2", options->merge_beta, "accesses a request of merges in shared memory")
        ->check(real_number(1, most_beta));
    add_counting_options(*command, options->measure);
    command->callback([options, command, &program] {
        options->measure.given = given_options(*command);
        take_parameters(*command, options->workload);
        program.chosen = [options, &program] { return run_estimate(*options, program.arguments); };
    });
}

}  // namespace sassafras::cli
