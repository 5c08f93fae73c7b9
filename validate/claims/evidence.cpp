#include "validate/claims/evidence.hpp"

#include <fmt/format.h>

namespace sassafras::validate::claims {

std::string RunSpec::key() const {
    if (kind == RunKind::curves || kind == RunKind::curve_ends)
        return platform + " microbench --spt" + (kind == RunKind::curve_ends ? " --quick" : "");
    std::string text = fmt::format("{} {} {} --n {}", platform, workload, variant, n);
    for (const auto& [name, value] : parameters) text += fmt::format(" --{} {}", name, value);
    if (!input.empty()) text += " --input " + input;
    if (kind == RunKind::conflicts) text += " (conflicts)";
    if (kind == RunKind::counted) text += " (counted)";
    return text;
}

RunSpec RunSpec::on(std::string_view other_platform) const {
    RunSpec other = *this;
    other.platform = other_platform;
    return other;
}

const RunResult& Evidence::run(const RunSpec& spec) const {
    const auto found = runs.find(spec.key());
    if (found == runs.end()) throw InvariantViolation("a claim's test did not ask for its run: " + spec.key());
    return found->second;
}

double Evidence::recorded_cycles(const std::string& workload, const std::string& variant, std::uint64_t n) const {
    const auto found = recorded.find(recorded_key(workload, variant, n));
    if (found == recorded.end()) throw InvariantViolation("no such recording: " + recorded_key(workload, variant, n));
    return found->second;
}

std::map<std::string, double> Evidence::sorts_of(const std::string& platform, std::uint64_t n) const {
    std::map<std::string, double> sorts;
    for (const ComparatorRun& run : comparators)
        if (run.platform == platform && run.n == n) sorts.emplace(run.sort, run.cycles);
    if (sorts.empty()) throw InvariantViolation(fmt::format("no sorts of {} keys were run on {}", n, platform));
    return sorts;
}

std::string recorded_key(const std::string& workload, const std::string& variant, std::uint64_t n) {
    return fmt::format("{} {} {}", workload, variant, n);
}

std::map<std::string, double> recorded_cycles_of(std::span<const RecordedRun> runs) {
    std::map<std::string, double> cycles;
    for (const RecordedRun& run : runs) cycles.emplace(recorded_key(run.workload, run.variant, run.n), run.cycles);
    return cycles;
}

}  // namespace sassafras::validate::claims
