// Functional execution of a kernel launch: 32 lanes at a time, bit-exact with hardware, no notion of time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/result.hpp"
#include "isa/program/program.hpp"
#include "sim/execute/memory_image.hpp"
#include "sim/trace/trace_source.hpp"

namespace sassafras::sim {

/// A loaded module: its programs, its constant banks, its variables placed in a MemoryImage.
struct LoadedKernel {
    std::shared_ptr<const isa::Program> program;
    std::vector<std::vector<std::byte>> constant_banks;  ///< by bank number; relocated; bank 0 is completed at launch
    std::uint64_t constant_variables = 0;  ///< address of the copy of bank 3 in memory, for pointers to its variables
};

struct LaunchRequest {
    LoadedKernel kernel;
    LaunchShape shape;
    std::vector<std::byte> parameters;  ///< the parameter area, laid out as Kernel::parameters says
    std::uint32_t sm_count = 132;       ///< visible to the program
    std::uint64_t instruction_limit =
        0;  ///< warp instructions a warp may run before it counts as a runaway; 0: no limit
};

/// Checks the launch against the kernel's limits (threads, parameters) and prepares execution. The image must outlive
/// the source.
[[nodiscard]] Result<std::unique_ptr<TraceSource>> make_executor(LaunchRequest request, MemoryImage& memory);

}  // namespace sassafras::sim
