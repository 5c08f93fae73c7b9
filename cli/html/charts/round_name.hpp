// How charts of conflicts name a round.
#pragma once

#include <cstddef>
#include <string>

#include <fmt/format.h>

#include "cli/reports/conflict_report.hpp"
#include "cli/reports/kernel_name.hpp"

namespace sassafras::cli::charts {

/// The first rounds are drawn; a table with --by round has all.
inline constexpr std::size_t most_rounds_shown = 64;

[[nodiscard]] inline std::string round_name(const ConflictReport& report, std::size_t index) {
    const study::RoundConflicts& round = report.summary.rounds[index];
    const std::string trip = round.round == 0 ? "" : fmt::format(", round {}", round.round);
    return fmt::format("{}: {}{}", round.launch, kernel_name(round.kernel), trip);
}

}  // namespace sassafras::cli::charts
