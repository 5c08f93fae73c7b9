// Figures that several claims are tested by.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "validate/claims/evidence.hpp"
#include "validate/models/spt/formulas.hpp"
#include "validate/models/spt/model.hpp"

namespace sassafras::validate::claims {

inline constexpr double warp_lanes = 32;
inline constexpr double words_a_sector = 8;

/// Of all launches, wavefronts over those that the words need: 1 without bank conflicts.
[[nodiscard]] double conflicts_of(const RunResult& run);

/// One of Table 4.2's machines.
[[nodiscard]] const spt::Instance& machine(const std::string& name);

/// T of the algorithm there.
[[nodiscard]] spt::Estimate estimate_on(const std::string& machine_name, const spt::Algorithm& algorithm);
/// The same; infinite where the machine has no room for it (M_o < 1).
[[nodiscard]] double cycles_or_no_room(const std::string& machine_name, const spt::Algorithm& algorithm);
/// T_phi / T, percent.
[[nodiscard]] double share_percent(const spt::Estimate& estimate, const std::string& symbol);
/// Which side of max(1 / B, L / M) the operation's first term takes.
[[nodiscard]] spt::Bound bound_of(const spt::Estimate& estimate, const std::string& symbol);

/// T of the formula for a run, with the constants of the run's platform in Table 4.2.
[[nodiscard]] double formula_cycles(const RunSpec& spec, spt::Reading reading);
/// Mean of |T / simulated - 1| over the runs, percent.
[[nodiscard]] double mean_error_percent(const Evidence& evidence, std::span<const RunSpec> runs, spt::Reading reading);
/// The same of given pairs of estimated and measured times.
[[nodiscard]] double mean_error_percent(std::span<const std::pair<double, double>> pairs);

/// The candidate with the least time; the first of equals.
struct Candidate {
    double parameter = 0;
    double time = 0;
};
[[nodiscard]] double best_parameter(std::span<const Candidate> candidates);

/// A sort as a base case and passes: launches before the first whose kernel's name has "merge" or "partition" in it;
/// then each merge with the partition before it, if any.
struct SortPasses {
    double base = 0;
    std::vector<double> passes;
};
[[nodiscard]] SortPasses passes_of(const RunResult& run);
/// Base case and `passes` first passes of `wanted` keys. Time is taken to be linear in the number of keys: a part that
/// each warp takes whatever its keys are (cutting runs, building heaps, launching), and a part that grows with them.
/// `half` and `full` sorted `keys` / 2 and `keys`.
[[nodiscard]] double continued(const RunResult& half, const RunResult& full, double keys, double wanted, double passes);
/// Base case and `passes` times the mean of all passes.
[[nodiscard]] double with_mean_passes(const RunResult& run, double passes);

}  // namespace sassafras::validate::claims
