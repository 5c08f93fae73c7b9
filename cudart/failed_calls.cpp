#include "cudart/failed_calls.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "cudart/error_text.hpp"

namespace sassafras::cudart {

namespace {
constexpr std::size_t most_details = 8;  ///< of calls that are counted together
}

void FailedCalls::add(std::string_view function, cudaError_t error) {
    const std::string detail = std::exchange(detail_, {});
    for (const std::string_view suffix : {"_ptsz", "_ptds"})
        if (function.ends_with(suffix)) function.remove_suffix(suffix.size());
    const auto [known, is_new] = known_.try_emplace({std::string(function), error}, findings_.size());
    if (!is_new) {
        sim::Finding& finding = findings_[known->second];
        ++finding.count;
        const bool is_new_detail =
            std::find(finding.details.begin(), finding.details.end(), detail) == finding.details.end();
        if (!detail.empty() && is_new_detail && finding.details.size() < most_details)
            finding.details.push_back(detail);
        return;
    }
    sim::Finding finding;
    finding.tool = sim::FindingTool::memcheck;
    finding.what = fmt::format("Program hit {} (error {}) due to \"{}\" on CUDA API call to {}.", error_name(error),
                               static_cast<int>(error), error_text(error), function);
    if (!detail.empty()) finding.details.push_back(detail);
    findings_.push_back(std::move(finding));
}

}  // namespace sassafras::cudart
