// The checked-in cubins, embedded in the program at build time (see cubins.cmake), so that nothing is read at run time.
#pragma once

#include <cstddef>
#include <span>

namespace sassafras::workloads::cubins {

[[nodiscard]] std::span<const std::byte> gemm();
[[nodiscard]] std::span<const std::byte> search();
[[nodiscard]] std::span<const std::byte> search_shared();
[[nodiscard]] std::span<const std::byte> search_global();
[[nodiscard]] std::span<const std::byte> merge();
[[nodiscard]] std::span<const std::byte> sort();
[[nodiscard]] std::span<const std::byte> micro();

}  // namespace sassafras::workloads::cubins
