// What the options of bank conflicts lead to: a plan that is checked before anything runs, a device that counts, and
// the report of what was counted.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/options/conflict_options.hpp"
#include "cli/reports/conflict_report.hpp"
#include "core/result.hpp"
#include "sim/device/conflict_device.hpp"
#include "sim/platform/platform_reader.hpp"
#include "study/conflicts/phases.hpp"
#include "study/conflicts/source_lines.hpp"

namespace sassafras::cli {

/// What launches did, and what is known of their code.
struct CountedConflicts {
    std::vector<sim::LaunchConflicts> launches;
    std::span<const workloads::PhaseRule> rules;
    study::LinesByKernel lines;
};

class ConflictPlan {
  public:
    /// Error bad_input: the platform, the memory's geometry, a file that cannot be written, or a choice of request that
    /// makes no sense.
    [[nodiscard]] static Result<ConflictPlan> make(ConflictCommandOptions options, MeasureOptions measure);

    /// With the memory that is counted for.
    [[nodiscard]] const sim::ResolvedPlatform& platform() const { return platform_; }
    [[nodiscard]] const sim::RequestChoice& choice() const { return choice_; }
    [[nodiscard]] const MeasureOptions& measure() const { return measure_; }

    /// Fills in all but the workload, its verdict and the time, and delivers it.
    /// Error bad_input: no request fits the choice, or a file cannot be written.
    [[nodiscard]] Result<void> deliver(ConflictReport report, const CountedConflicts& counted,
                                       const std::vector<std::string>& command) const;

  private:
    ConflictPlan() = default;
    [[nodiscard]] Result<std::optional<ExplainedRequest>> explained(const std::vector<sim::LaunchConflicts>& launches,
                                                                    const study::ConflictSummary& summary) const;

    ConflictCommandOptions options_;
    MeasureOptions measure_;
    ReservedOutput svg_place_;
    sim::ResolvedPlatform platform_;
    nlohmann::ordered_json platform_json_;  ///< as it was named
    sim::RequestChoice choice_;
};

/// A device that counts conflicts and what it has counted so far.
class ConflictRun {
  public:
    ConflictRun(ConflictPlan plan, std::span<const workloads::PhaseRule> rules, study::LinesByKernel lines);
    ConflictRun(const ConflictRun&) = delete;
    ConflictRun& operator=(const ConflictRun&) = delete;

    [[nodiscard]] sim::Device& device() { return *device_; }
    /// As ConflictPlan::deliver.
    [[nodiscard]] Result<void> deliver(ConflictReport report, const std::vector<std::string>& command) const {
        return plan_.deliver(std::move(report), counted_, command);
    }

  private:
    ConflictPlan plan_;
    CountedConflicts counted_;
    std::unique_ptr<sim::Device> device_;
};

}  // namespace sassafras::cli
