// A report out of a file: one of ours, or a page of Nsight Compute.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/result.hpp"
#include "study/compare/measured_report.hpp"

namespace sassafras::study {

inline constexpr std::uint64_t most_report_bytes = std::uint64_t{512} << 20U;

/// JSON of the kind "launches" (run, exec, launch, trace replay, import), or CSV as read_ncu_page. Lines of a profiler
/// ("==PROF==") are left out. Error bad_input: it cannot be read, is longer, or is neither.
[[nodiscard]] Result<MeasuredReport> read_report(const std::string& path);
[[nodiscard]] Result<MeasuredReport> report_in(std::string_view text, const std::string& file);

}  // namespace sassafras::study
