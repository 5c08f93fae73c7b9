#include <fmt/format.h>

#include <cmath>

#include "cli/reports/report.hpp"

namespace sassafras::cli {

std::string version() { return SASSAFRAS_VERSION; }

std::string extents(const Dim3& size) { return fmt::format("({}, {}, {})", size.x, size.y, size.z); }

std::string number_text(double value) {
    constexpr double largest_exact_integer = 9007199254740992.0;  // 2^53
    if (value == std::trunc(value) && std::abs(value) <= largest_exact_integer)
        return fmt::format("{}", static_cast<std::int64_t>(value));
    return fmt::format("{}", value);
}

std::string metric_unit(const std::string& metric) {
    const auto has = [&](const char* part) { return metric.find(part) != std::string::npos; };
    if (has(".pct") || has("_pct")) return "%";
    if (has("inst_executed.avg.per_cycle")) return "inst/cycle";
    if (has(".per_cycle") || has("_per_issue") || has(".ratio")) return "";
    if (has("time_duration")) return "nsecond";
    if (has("cycles")) return "cycle";
    if (has("bytes")) return "byte";
    if (has("t_sectors") || has("_sectors")) return "sector";
    if (has("thread_inst_executed") || has("inst_executed") || has("inst_issued")) return "inst";
    if (has("t_requests")) return "request";
    if (has("warps")) return "warp";
    return "";
}

}  // namespace sassafras::cli
