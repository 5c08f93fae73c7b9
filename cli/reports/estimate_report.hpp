// What `sassafras estimate` prints, in its three forms.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "validate/models/rivals/compare.hpp"
#include "validate/models/spt/instance.hpp"
#include "validate/models/spt/model.hpp"

namespace sassafras::cli {

struct EstimateReport {
    std::vector<std::string> command;
    validate::spt::Instance instance;
    nlohmann::ordered_json workload;
    std::string reading;           ///< "printed", "reconstructed"
    std::string counts;            ///< "formula", "measured"
    std::optional<bool> verified;  ///< of the functional run, where there was one
    std::string algorithm;
    std::vector<std::string> notes;
    std::optional<validate::spt::Estimate> spt;  ///< empty if only other models were asked for
    std::vector<validate::rivals::RivalEstimate> rivals;
};

/// A line a term, then the sum; a line a rival; the notes.
[[nodiscard]] std::string to_table(const EstimateReport& report);
/// A row a term, one for L_sync, one for the total, one a rival. Columns that do not apply are empty.
[[nodiscard]] std::string to_csv(const EstimateReport& report);
[[nodiscard]] std::string to_json(const EstimateReport& report);

}  // namespace sassafras::cli
