// A search over what one buffer of a user's kernel holds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "core/result.hpp"
#include "study/adversary/input_search.hpp"
#include "study/adversary/sort_input.hpp"
#include "study/kernel/prepared_kernel.hpp"

namespace sassafras::study::adversary {

struct KernelSearchPlan {
    Goal goal = Goal::worst;
    KernelOptions kernel;
    std::string vary;        ///< ARGUMENT[:TYPE]: the buffer among the arguments, counted from 0, and its numbers' type
    std::string values;      ///< as SearchPlan
    std::uint64_t seed = 1;  ///< of buffers' random bytes
};

/// Prepares the kernel on `device` to see that it can be launched. Errors: bad_input as PreparedKernel::make, and if
/// `vary` names no buffer of numbers or `values` do not fit it; or what the device reports.
[[nodiscard]] Result<SearchSubject> kernel_subject(sim::Device& device, const KernelSearchPlan& plan,
                                                   std::span<const std::byte> cubin);

}  // namespace sassafras::study::adversary
