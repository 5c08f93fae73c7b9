// 7-point stencil of a heat equation on a box: `base`, a thread a point; `tiled`, coarsened and tiled in shared memory.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "workloads/phase_rule.hpp"
#include "workloads/workload.hpp"

namespace sassafras::workloads::stencil {

/// Points along each axis; x is the fastest in memory.
struct Box {
    std::size_t nx = 0;
    std::size_t ny = 0;
    std::size_t nz = 0;
};

[[nodiscard]] WorkloadInfo info();
[[nodiscard]] std::span<const PhaseRule> phases();
[[nodiscard]] Result<WorkloadRun> run(sim::Device& device, const WorkloadRequest& request);

/// The points: the user's own, or what the request's input makes. Error bad_input as run.
[[nodiscard]] Result<std::vector<float>> own_numbers(const WorkloadRequest& request);

/// random: multiples of 2^-23 in [-1, 1). equal: one such value. point: zero but for a one in the middle.
[[nodiscard]] std::vector<float> make_points(std::string_view kind, Box box, std::uint64_t seed);

/// The points after `iterations` Jacobi steps; those on the surface stay. The kernels' order of additions.
[[nodiscard]] std::vector<float> reference(std::vector<float> points, Box box, std::int64_t iterations,
                                           const HostPoll& poll = {});

}  // namespace sassafras::workloads::stencil
