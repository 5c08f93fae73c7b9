// What the kernels of tests/fixtures/hardware compute on a device, from seeded inputs, as one digest a column of
// results.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "sim/device/device.hpp"

namespace sassafras::test {

inline constexpr std::uint32_t result_threads = 2048;  ///< of every launch, in blocks of 256
inline constexpr std::uint32_t result_columns = 200;   ///< the most that a kernel may write

struct KernelName {
    std::string family;  ///< name of the cubin without its ending
    std::string kernel;
};

/// One result of every thread.
struct Column {
    std::uint32_t number = 0;
    std::uint64_t digest = 0;
    std::vector<std::uint64_t> words;
};

/// The three inputs of a kernel: a function of its name alone.
struct Inputs {
    std::vector<std::uint64_t> a, b, c;
};
[[nodiscard]] Inputs inputs_of(const std::string& kernel);

/// Every kernel of the cubins in `folder`, by family and name.
[[nodiscard]] Result<std::vector<KernelName>> list_kernels(const std::string& folder);

/// Runs one kernel and reads the columns that it wrote to.
[[nodiscard]] Result<std::vector<Column>> run_kernel(sim::Device& device, const std::string& folder,
                                                     const KernelName& name);

}  // namespace sassafras::test
