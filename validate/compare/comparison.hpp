// One run three ways: every model's estimate, the simulation, the hardware.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"
#include "sim/device/device.hpp"
#include "validate/compare/attribution.hpp"
#include "validate/compare/cases.hpp"
#include "validate/models/spt/instance.hpp"

namespace sassafras::validate {

/// Cycles of a run on hardware: the sum over its launches.
struct Measurement {
    double cycles = 0;  ///< medians
    double least = 0;
    double most = 0;
};

/// T_g, T_s, T_r and T_y of an estimate.
struct Parts {
    double g = 0;
    double s = 0;
    double r = 0;
    double y = 0;
};

/// The part of an estimate that is farthest from the simulation's.
struct Misjudged {
    std::string symbol;     ///< "g", "s", "r", "y"
    double estimated = 0;   ///< cycles
    double attributed = 0;  ///< cycles
    [[nodiscard]] double difference() const { return estimated - attributed; }
};

struct ModelEstimate {
    std::string model;                    ///< "spt-printed", "spt-reconstructed", "spt-counted", or a rival
    std::optional<double> cycles;         ///< with L_sync for each launch; empty where the model has no time
    std::optional<double> kernel_cycles;  ///< without
    std::string reason;                   ///< why there is none
    std::optional<Parts> parts;           ///< of SPT's three
    std::optional<Misjudged> misjudged;
};

struct Comparison {
    Case run;
    std::uint32_t launches = 0;
    std::vector<ModelEstimate> models;  ///< always the same models in the same order
    std::optional<double> simulated;    ///< cycles; empty: see `failure`
    std::string failure;                ///< why it could not be simulated
    std::optional<Attribution> attribution;
    std::optional<Measurement> measured;

    [[nodiscard]] const ModelEstimate* find(std::string_view model) const;
    /// What estimates are held against: the hardware, or where it is not measured the simulation.
    [[nodiscard]] std::optional<double> reference() const;
    /// "measured" or "simulated"; empty if there is neither.
    [[nodiscard]] std::string reference_name() const;
};

/// SPT's three, then the rivals.
[[nodiscard]] std::vector<std::string> model_names();

/// `launches` are those of the simulated device, whose counts are spt-counted's and the rivals' too. A formula that
/// there is not is a reason, no error. `launch_overhead_cycles` as for attribute(). Errors: bad_input if the run has no
/// counts of its instructions, or the instance lacks an operation.
[[nodiscard]] Result<Comparison> compare_run(const Case& run, std::span<const sim::KernelResult> launches,
                                             const spt::Instance& instance, double launch_overhead_cycles);

/// For a run that could not be simulated: `failure` is why, and only formulas have estimates.
[[nodiscard]] Result<Comparison> without_simulation(const Case& run, const spt::Instance& instance,
                                                    const std::string& failure);

/// Of g, s, r and y the one with the greatest |estimate - attribution|; the first of equal ones.
[[nodiscard]] Misjudged most_misjudged(const Parts& estimated, const Attribution& attributed);

/// 100 (value / reference - 1). The reference is above zero.
[[nodiscard]] double error_percent(double value, double reference);

}  // namespace sassafras::validate
