// One estimate: of a workload of one size, by the models that were asked for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/options/options.hpp"
#include "cli/options/workload_options.hpp"
#include "cli/reports/estimate_report.hpp"
#include "core/result.hpp"

namespace sassafras::cli {

struct EstimateOptions {
    MeasureOptions measure;
    WorkloadOptions workload;
    std::string size;  ///< --n as given: a number or a series
    std::string instance = "h200";
    std::string reading = "printed";
    std::string counts = "formula";
    std::string model = "spt";
    double search_beta = 0;  ///< 0: not given
    double merge_beta = 0;
};

/// What --model may be: spt, all, a model's name, or what stands before the first dash of several.
[[nodiscard]] std::vector<std::string> model_words();
/// Whether --model's word means this model.
[[nodiscard]] bool is_meant(const std::string& word, const std::string& model);
/// Whether the choice of --model and --counts needs a functional run.
[[nodiscard]] bool needs_run(const EstimateOptions& options);

struct EstimatePoint {
    EstimateReport report;
    std::optional<workloads::WorkloadRun> run;  ///< the functional one, if it was needed; its result may be wrong
};

/// Errors: bad_input for a workload, parameter or machine that there is not, for a choice that has no effect, or a
/// model that has nothing to say of the workload.
[[nodiscard]] Result<EstimatePoint> estimate_point(const EstimateOptions& options, const WorkloadOptions& workload,
                                                   const validate::spt::Instance& instance);

}  // namespace sassafras::cli
