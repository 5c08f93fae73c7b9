// How often a measurement does what it measures: A of the SPT model.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace sassafras::workloads::micro {

/// Operations of one thread in one run of a variant of `micro`, all its kernels together: accesses to global memory
/// (global-copy, kernel-boundaries), accesses to shared memory (shared-loop, shared-loop-indexed), operations in
/// registers (register-loop, register-loop-fp32), barriers (barriers), loads (chase), words of 16 bytes (bandwidth).
/// They are the operations that grow with n: what a kernel does once besides is not counted. `parameters` are those of
/// the finished run (WorkloadRun::parameters). Throws InvariantViolation for a variant that `micro` does not have.
[[nodiscard]] std::uint64_t operations(std::string_view variant, std::uint64_t n,
                                       const std::map<std::string, std::int64_t>& parameters);

/// Kernels, each with a device synchronisation behind it, in one run with n > 0: |K| of the SPT model.
[[nodiscard]] std::uint64_t kernels(std::string_view variant, const std::map<std::string, std::int64_t>& parameters);

}  // namespace sassafras::workloads::micro
