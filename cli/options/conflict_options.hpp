// Options of the reports about bank conflicts, which `conflicts`, `launch --conflicts` and `exec --conflicts` share.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <CLI/CLI.hpp>

#include "cli/options/options.hpp"
#include "cli/reports/conflict_report.hpp"
#include "core/result.hpp"

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

/// --conflicts, of a command that can do more than count; and those, which need it.
void add_conflicts_flag(CLI::App& command, bool& counts, ConflictCommandOptions& options, bool with_kernel);
/// Error bad_input if options were given that --conflicts makes nothing of.
[[nodiscard]] Result<void> check_conflicts_flag(const MeasureOptions& measure);

}  // namespace sassafras::cli
