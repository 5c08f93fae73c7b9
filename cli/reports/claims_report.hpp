// What `sassafras validate --claims` has to say.
#pragma once

#include <string>
#include <vector>

#include "validate/claims/claim.hpp"

namespace sassafras::cli {

struct ClaimsReport {
    std::vector<std::string> command;
    validate::claims::Extent extent = validate::claims::Extent::usual;
    std::vector<validate::claims::Finding> findings;  ///< their claims outlive the report
};

/// A claim: its verdict, what it says, each test with its value, why.
[[nodiscard]] std::string to_table(const ClaimsReport& report);
/// A row a test; a claim without one has a row too.
[[nodiscard]] std::string to_csv(const ClaimsReport& report);
[[nodiscard]] std::string to_json(const ClaimsReport& report);

}  // namespace sassafras::cli
