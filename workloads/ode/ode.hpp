// RK4 of a 16-state kinetic scheme, a thread a chromosome: `base` and the steps of its optimisation.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "workloads/phase_rule.hpp"
#include "workloads/workload.hpp"

namespace sassafras::workloads::ode {

[[nodiscard]] WorkloadInfo info();
[[nodiscard]] std::span<const PhaseRule> phases();
[[nodiscard]] Result<WorkloadRun> run(sim::Device& device, const WorkloadRequest& request);

/// The rate constants: the user's own, or what the request's input makes. Error bad_input as run.
[[nodiscard]] Result<std::vector<float>> own_numbers(const WorkloadRequest& request);

/// Rate constants, `parameters` a chromosome, in [0.5, 1.5). random: each its own. equal: those of the first for all.
[[nodiscard]] std::vector<float> make_rates(std::string_view kind, std::size_t chromosomes, std::uint64_t seed);

/// What literals are: of the type that C gives 2.0, or of that of 2.0f.
enum class Literals { doubles, floats };

/// Length of a time step.
constexpr float time_step = 1.0F / 64.0F;

/// The `states` of every chromosome after `steps` steps from "all in R0", with the kernels' roundings.
[[nodiscard]] std::vector<float> reference(const std::vector<float>& rates, std::int64_t steps, Literals literals,
                                           const HostPoll& poll = {});

}  // namespace sassafras::workloads::ode
