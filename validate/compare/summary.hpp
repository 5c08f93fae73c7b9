// How good each model is over many runs of one platform.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "validate/compare/comparison.hpp"

namespace sassafras::validate {

/// The mean of Spearman's rho over groups of three runs and more.
struct RankAgreement {
    std::optional<double> mean;
    std::size_t groups = 0;
};

struct ModelSummary {
    std::string model;                        ///< as in Comparison; or "simulated"
    std::size_t compared = 0;                 ///< runs with an estimate and a reference
    double mean_absolute_percent = 0;         ///< of estimates with L_sync for each launch
    double kernel_mean_absolute_percent = 0;  ///< without
    /// Geometric mean of max(estimate / reference, reference / estimate), with L_sync. Unlike the mean error it does
    /// not favour models that estimate too little, which cannot be more than 100 % off.
    double typical_factor = 0;
    RankAgreement over_variants;  ///< groups: runs of one workload and n
    RankAgreement over_sizes;     ///< groups: runs of one workload and variant
};

[[nodiscard]] bool any_measured(std::span<const Comparison> comparisons);

/// A row for each model of the comparisons. `against_hardware`: over runs that are measured only, and a last row for
/// the simulator; else over all, each against its own reference.
[[nodiscard]] std::vector<ModelSummary> summarise(std::span<const Comparison> comparisons, bool against_hardware);
/// Against the hardware where something is measured, else against the simulation.
[[nodiscard]] inline std::vector<ModelSummary> summarise(std::span<const Comparison> comparisons) {
    return summarise(comparisons, any_measured(comparisons));
}

/// SPT with counted A beside the simulator, over runs that are measured.
struct Contest {
    std::string scope;  ///< "all", or a workload's name
    std::size_t compared = 0;
    double spt_percent = 0;  ///< mean absolute errors
    double simulator_percent = 0;
    /// How many times the simulator's error is SPT's.
    [[nodiscard]] bool simulator_wins(double factor) const { return simulator_percent * factor <= spt_percent; }
};

/// All runs together, then a row for each workload; empty if nothing is measured.
[[nodiscard]] std::vector<Contest> contests(std::span<const Comparison> comparisons);

/// In words, from the figures: whether the simulator's mean error is half of SPT's or less, on which workloads and
/// runs it is not, and why: whether SPT's parts agree with the simulation's, or miss it and cancel. A sentence each;
/// empty if nothing is measured.
[[nodiscard]] std::vector<std::string> findings(std::span<const Comparison> comparisons);

}  // namespace sassafras::validate
