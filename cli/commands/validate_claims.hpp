// `sassafras validate --claims`: the quantitative claims of the sources, each with a verdict.
#pragma once

#include <string>
#include <vector>

#include "cli/options/options.hpp"
#include "core/result.hpp"
#include "validate/claims/claim.hpp"

namespace sassafras::cli {

struct ClaimOptions {
    MeasureOptions measure;  ///< json, csv, threads; no device or platform: a claim names its own
    validate::claims::Extent extent = validate::claims::Extent::usual;
    std::vector<std::string> only{};  ///< ids of claims; empty: all
};

/// Evaluates every claim and prints the table. The value is the exit status: 0, whatever the verdicts are.
[[nodiscard]] Result<int> run_claims(const ClaimOptions& options, const std::vector<std::string>& command);

}  // namespace sassafras::cli
