// C = A B in FP32.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "workloads/phase_rule.hpp"
#include "workloads/workload.hpp"

namespace sassafras::workloads::gemm {

struct Shape {
    std::size_t rows = 0;     ///< of A and C
    std::size_t columns = 0;  ///< of B and C
    std::size_t inner = 0;    ///< columns of A, rows of B
};

[[nodiscard]] WorkloadInfo info();
[[nodiscard]] std::span<const PhaseRule> phases();
[[nodiscard]] Result<WorkloadRun> run(sim::Device& device, const WorkloadRequest& request);

/// A by rows, then B by rows: the user's own, or what the request's input makes. Error bad_input as run.
[[nodiscard]] Result<std::vector<float>> own_numbers(const WorkloadRequest& request);

/// random: multiples of 2^-23 in [-1, 1). integers: whole numbers from -8 to 8, whose products are exact.
[[nodiscard]] std::vector<float> make_matrix(std::string_view kind, std::size_t elements, std::uint64_t seed);

/// Row-major, each element one chain of fused multiply-adds over ascending k from +0: the order of the kernels.
[[nodiscard]] std::vector<float> reference(const std::vector<float>& a, const std::vector<float>& b, Shape shape,
                                           const HostPoll& poll = {});

}  // namespace sassafras::workloads::gemm
