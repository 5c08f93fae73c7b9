// What worst-case and best-case have to say of an input that they constructed or found.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/device/device.hpp"
#include "study/adversary/construction.hpp"
#include "study/adversary/input_search.hpp"

namespace sassafras::cli {

struct CaseReport {
    std::vector<std::string> command;  ///< as of Report
    study::adversary::Goal goal = study::adversary::Goal::worst;
    std::string subject;      ///< the workload, or the kernel's name
    std::string output;       ///< file of the numbers; empty: they were not kept
    std::string run_with;     ///< the command that runs the input; empty if nothing of its shape is compiled
    std::uint64_t count = 0;  ///< numbers
    ElementType type = ElementType::u32;  ///< of each
    std::optional<study::adversary::Construction> construction;
    std::optional<study::adversary::SearchOutcome> search;
};

[[nodiscard]] std::string to_table(const CaseReport& report);
/// `goal`, `subject`, `input`, and what was constructed (`construction`: what, parts, total) or found (`search`).
[[nodiscard]] std::string to_json(const CaseReport& report);

}  // namespace sassafras::cli
