// Options of the reports about bank conflicts, which `conflicts` and `launch --conflicts` share, and what they lead to.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "cli/options/options.hpp"
#include "cli/reports/conflict_report.hpp"
#include "core/result.hpp"
#include "sim/device/conflict_device.hpp"
#include "study/conflicts/phases.hpp"
#include "study/conflicts/source_lines.hpp"

namespace sassafras::cli {

struct ConflictCommandOptions {
    std::uint32_t banks = 0;       ///< 0: as the platform has
    std::uint32_t bank_width = 0;  ///< bytes; 0: as the platform has
    std::string by = "overview";
    bool explain = false;
    bool chooses_kernel = false;  ///< --kernel is an option of the report, not the kernel that is launched
    std::string kernel;
    std::string pc;
    std::optional<std::uint64_t> request;
    std::string svg;  ///< a file

    [[nodiscard]] ConflictView view() const;
    /// True if some request is to be shown.
    [[nodiscard]] bool explains() const { return explain || !svg.empty(); }
};

/// --banks, --bank-width, --by, --explain, --pc, --request, --svg; --kernel where `with_kernel`.
void add_conflict_options(CLI::App& command, ConflictCommandOptions& options, bool with_kernel);

/// A device that counts conflicts and what it has counted so far.
class ConflictRun {
  public:
    /// Error bad_input: the platform, the memory's geometry, or a choice of request that makes no sense.
    [[nodiscard]] static Result<std::unique_ptr<ConflictRun>> make(const ConflictCommandOptions& options,
                                                                   const MeasureOptions& measure,
                                                                   std::span<const workloads::PhaseRule> rules,
                                                                   study::LinesByKernel lines);

    [[nodiscard]] sim::Device& device() { return *device_; }

    /// Fills in what the device knows (all but the workload, its verdict and the time) and delivers it.
    /// Error bad_input: no request fits the choice, or a file cannot be written.
    [[nodiscard]] Result<void> deliver(ConflictReport report, const std::vector<std::string>& command);

  private:
    ConflictRun(const ConflictCommandOptions& options, const MeasureOptions& measure,
                std::span<const workloads::PhaseRule> rules, study::LinesByKernel lines);
    [[nodiscard]] Result<std::optional<ExplainedRequest>> explained(const study::ConflictSummary& summary) const;

    ConflictCommandOptions options_;
    MeasureOptions measure_;
    ReservedOutput svg_place_;
    std::span<const workloads::PhaseRule> rules_;
    study::LinesByKernel lines_;
    std::vector<sim::LaunchConflicts> launches_;
    nlohmann::ordered_json platform_;
    sim::BankGeometry geometry_;
    std::unique_ptr<sim::Device> device_;
};

}  // namespace sassafras::cli
