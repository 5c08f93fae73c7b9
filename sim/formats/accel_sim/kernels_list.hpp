// kernelslist.g: what Accel-Sim runs, a command a line, in order. "MemcpyHtoD,0x<address>,<bytes>", or the name of a
// kernel's trace, which begins with "kernel" and lies beside the list; its reader ignores all other lines.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "sim/formats/accel_sim/line_reader.hpp"

namespace sassafras::sim::accel_sim {

struct KernelsList {
    std::vector<std::string> traces;  ///< paths
    std::uint64_t copies = 0;         ///< from the host: they take no time and leave caches as they are
};

/// `lines` is the list; the folder of its name is put before the traces' names. Error bad_input with file and line.
[[nodiscard]] Result<KernelsList> read_kernels_list(LineReader lines);

/// A path that ends in ".traceg" or ".traceg.xz" is a list of that one kernel.
[[nodiscard]] Result<KernelsList> open_kernels_list(const std::string& path);

}  // namespace sassafras::sim::accel_sim
