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

std::string summary_line(std::span<const CycleComparison> comparisons, const std::string& called) {
    if (comparisons.empty()) return "no " + called + " compared\n";
    const CycleErrors errors = summarise(comparisons);
    const CycleComparison& worst = comparisons[errors.greatest];
    return fmt::format("{} {}: mean absolute error {:.1f} %, greatest {:.1f} % ({} {}, n {}, {}, launch {})\n",
                       errors.compared, called, errors.mean_absolute_percent, errors.greatest_absolute_percent,
                       worst.workload, worst.variant, worst.n, demangled(worst.kernel), worst.first_launch);
}

}  // namespace sassafras::validate
