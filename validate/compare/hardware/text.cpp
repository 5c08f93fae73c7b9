#include "validate/compare/hardware/text.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/demangle.hpp"
#include "core/number_text.hpp"
#include "isa/program/program.hpp"

namespace sassafras::validate {

namespace {

std::string counts_text(const Counts& counts) { return fmt::format("{}", fmt::join(counts, " ")); }

std::string differing_columns(const CountDifference& difference) {
    std::string names;
    for (std::size_t i = 0; i < count_columns; ++i)
        if (difference.measured[i] != difference.modelled[i])
            names += (names.empty() ? "" : ", ") + std::string(count_names[i]);
    return names;
}

/// Of values in ascending order, the one that `share` of them do not exceed (nearest rank).
double percentile(std::span<const double> ascending, double share) {
    const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(ascending.size())));
    return ascending.empty() ? 0 : ascending[std::max<std::size_t>(rank, 1) - 1];
}

double share_of(std::size_t part, std::size_t whole) {
    return whole == 0 ? 0 : 100 * static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

std::string counts_table(const MeasuredRun& run, std::span<const KernelCounts> kernels, std::size_t shown) {
    std::string text;
    for (const KernelCounts& kernel : kernels) {
        text += fmt::format("{:8} {:12} {:>9}  {:28} x{:<3} agree {} of {}{}{}\n", run.workload, run.variant, run.n,
                            demangled(kernel.kernel), kernel.launches, kernel.agreeing, kernel.instructions,
                            kernel.launches_by_counter == kernel.launches
                                ? ""
                                : fmt::format(", sum equals the hardware's counter in {} of {} launches",
                                              kernel.launches_by_counter, kernel.launches),
                            kernel.differences.empty() ? "" : "  DIFFERENT");
        for (std::size_t i = 0; i < std::min(shown, kernel.differences.size()); ++i) {
            const CountDifference& difference = kernel.differences[i];
            text += fmt::format(
                "    launch {} pc {:#06x} {:44} hardware {}  model {}  ({})\n", difference.launch, difference.pc,
                difference.instruction ? isa::print(*difference.instruction, difference.pc) : "",
                counts_text(difference.measured), counts_text(difference.modelled), differing_columns(difference));
        }
    }
    return text;
}

std::string cycles_csv(std::span<const CycleComparison> comparisons) {
    std::string text =
        "workload,variant,n,used_for,kernel,first_launch,launches,measured,least,most,simulated,error_percent\n";
    for (const CycleComparison& c : comparisons)
        text += fmt::format("{},{},{},{},{},{},{},{:.1f},{:.0f},{:.0f},{:.0f},{:.2f}\n", c.workload, c.variant, c.n,
                            used_for_name(c.used_for), c.kernel, c.first_launch, c.launches, c.measured, c.least,
                            c.most, c.simulated, c.error_percent());
    return text;
}

std::string cycles_table(std::span<const CycleComparison> comparisons) {
    const auto whole = [](double value) { return rounded(std::round(value)); };
    std::string text =
        fmt::format("{:8} {:12} {:>9}  {:8} {:28} {:>8} {:>11} {:>21} {:>11} {:>8}\n", "workload", "variant", "n",
                    "used for", "kernel", "launches", "measured", "least..most", "simulated", "error %");
    for (const CycleComparison& c : comparisons)
        text +=
            fmt::format("{:8} {:12} {:>9}  {:8} {:28} {:>8} {:>11} {:>21} {:>11} {:>+8.1f}\n", c.workload, c.variant,
                        c.n, used_for_name(c.used_for), demangled(c.kernel), c.launches, whole(c.measured),
                        whole(c.least) + ".." + whole(c.most), whole(c.simulated), c.error_percent());
    return text;
}

std::string metrics_table(std::span<const MetricComparison> metrics) {
    std::string text = fmt::format("{:64} {:>8} {:>8} {:>9} {:>9} {:>8} {:>9}  {}\n", "metric", "launches", "equal",
                                   "within 5 %", "median %", "p90 %", "greatest %", "where");
    std::size_t values = 0;
    std::size_t within = 0;
    for (const MetricComparison& metric : metrics) {
        std::vector<double> errors;
        for (const MetricPair& pair : metric.launches) errors.push_back(std::abs(pair.error_percent()));
        const auto greatest = std::max_element(errors.begin(), errors.end()) - errors.begin();
        const std::string where = metric.launches[static_cast<std::size_t>(greatest)].where;
        std::sort(errors.begin(), errors.end());
        const auto no_more_than = [&](double limit) {
            return static_cast<std::size_t>(std::upper_bound(errors.begin(), errors.end(), limit) - errors.begin());
        };
        values += errors.size();
        within += no_more_than(metric_tolerance_percent);
        text +=
            fmt::format("{:64} {:>8} {:>8} {:>9.1f}% {:>9.2f} {:>8.1f} {:>10.1f}  {}\n", sim::name_of(metric.metric),
                        errors.size(), no_more_than(0), share_of(no_more_than(metric_tolerance_percent), errors.size()),
                        percentile(errors, 0.5), percentile(errors, 0.9), errors.back(), where);
    }
    return text + fmt::format("metrics: {} of {} values within {:g} % ({:.1f} %)\n", within, values,
                              metric_tolerance_percent, share_of(within, values));
}

std::string metrics_csv(std::span<const MetricComparison> metrics) {
    std::string text = "metric,where,measured,simulated,error_percent\n";
    for (const MetricComparison& metric : metrics)
        for (const MetricPair& pair : metric.launches)
            text += fmt::format("{},\"{}\",{},{},{:.2f}\n", sim::name_of(metric.metric), pair.where, pair.measured,
                                pair.simulated, pair.error_percent());
    return text;
}

std::string stalls_table(std::span<const StallShares> launches) {
    if (launches.empty()) return "no stall reasons compared\n";
    std::string text =
        fmt::format("{:22} {:>10} {:>10} {:>14}\n", "stall reason", "measured %", "simulated %", "mean apart %");
    const auto count = static_cast<double>(launches.size());
    for (std::size_t reason = 0; reason < launches.front().reasons.size(); ++reason) {
        double measured = 0;
        double simulated = 0;
        double apart = 0;
        for (const StallShares& launch : launches) {
            const StallShare& share = launch.reasons[reason];
            measured += share.measured / count;
            simulated += share.simulated / count;
            apart += std::abs(share.simulated - share.measured) / count;
        }
        text += fmt::format("{:22} {:>10.2f} {:>11.2f} {:>14.2f}\n", launches.front().reasons[reason].reason, measured,
                            simulated, apart);
    }
    std::vector<double> moved;
    for (const StallShares& launch : launches) moved.push_back(launch.moved_percent());
    const auto greatest = std::max_element(moved.begin(), moved.end()) - moved.begin();
    double mean = 0;
    for (const double part : moved) mean += part / count;
    const double most = moved[static_cast<std::size_t>(greatest)];
    std::sort(moved.begin(), moved.end());
    return text + fmt::format(
                      "stalls: {} launches, {:.1f} % of warp time under another reason in the mean, p90 {:.1f} "
                      "%, greatest {:.1f} % ({})\n",
                      launches.size(), mean, percentile(moved, 0.9), most,
                      launches[static_cast<std::size_t>(greatest)].where);
}

std::string stalls_csv(std::span<const StallShares> launches) {
    std::string text = "reason,where,measured_percent,simulated_percent\n";
    for (const StallShares& launch : launches)
        for (const StallShare& share : launch.reasons)
            text +=
                fmt::format("{},\"{}\",{:.3f},{:.3f}\n", share.reason, launch.where, share.measured, share.simulated);
    return text;
}

std::string summary_line(std::span<const CycleComparison> comparisons, const std::string& called) {
    if (comparisons.empty()) return "no " + called + " compared\n";
    const CycleErrors errors = summarise(comparisons);
    const CycleComparison& worst = comparisons[errors.greatest];
    return fmt::format("{} {}: mean absolute error {:.1f} %, greatest {:.1f} % ({} {}, n {}, {}, launch {})\n",
                       errors.compared, called, errors.mean_absolute_percent, errors.greatest_absolute_percent,
                       worst.workload, worst.variant, worst.n, demangled(worst.kernel), worst.first_launch);
}

}  // namespace sassafras::validate
