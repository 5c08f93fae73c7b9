// Functional execution of a kernel launch: 32 lanes at a time, bit-exact with hardware, no notion of time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "core/result.hpp"
#include "isa/program/program.hpp"
#include "sim/access/access_analysis.hpp"
#include "sim/execute/memory_image.hpp"
#include "sim/trace/trace_source.hpp"

namespace sassafras::sim {

class ExecutionObserver;

/// A loaded module: its programs, its constant banks, its variables placed in a MemoryImage.
struct LoadedKernel {
    std::shared_ptr<const isa::Program> program;
    std::vector<std::vector<std::byte>> constant_banks;  ///< by bank number; relocated; bank 0 is completed at launch
    std::uint64_t constant_variables = 0;  ///< address of the copy of bank 3 in memory, for pointers to its variables
};

/// Where a kernel's text goes to: printf's to output, failed assertions to error.
enum class TextStream : std::uint8_t { output, error };
using TextSink = std::function<void(TextStream, std::string_view)>;

class DeviceHeap;
struct ConcurrentMemory;

struct LaunchRequest {
    LoadedKernel kernel;
    LaunchShape shape;
    std::vector<std::byte> parameters;  ///< the parameter area, laid out as Kernel::parameters says
    /// Shared memory's, which decides how many lanes of an ATOMS.CAST.SPIN act. No banks: all of them do.
    BankGeometry banks;
    std::uint32_t sm_count = 1;  ///< visible to the program; whoever has a platform gives its own
    std::uint64_t instruction_limit =
        0;                       ///< warp instructions a warp may run before it counts as a runaway; 0: no limit
    TextSink print;              ///< called as the kernel executes; empty: text is dropped
    DeviceHeap* heap = nullptr;  ///< of malloc(), which gives null where there is none; must outlive the source
    /// Address of what cooperative groups' grid keeps in memory: the bytes that it has (32 bits), then the barrier, 0
    /// at the start. 0: none.
    std::uint64_t grid_workspace = 0;
    Bytes stack{1024};  ///< of a thread of a kernel that has one, at least: cudaLimitStackSize
    /// What the clocks showed when the launch began: they go on from one launch of a device to the next.
    Cycle clock_begin{};
    double nanoseconds_begin = 0;
    std::uint32_t global_timer_step = 1;  ///< nanoseconds
    /// Contended instructions (isa::contended_instructions) wait for their turn, which whoever consumes the trace gives
    /// in the order of its time. Otherwise they are executed like any other.
    bool in_time_order = false;
    /// With it, parts may advance at the same time (TraceSource::begin_parts); must outlive the source.
    ConcurrentMemory* concurrent = nullptr;
    ExecutionObserver* observer = nullptr;  ///< told of accesses and barriers; must outlive the source
};

/// The program reads LaunchRequest::grid_workspace.
[[nodiscard]] bool names_grid_workspace(const isa::Program& program);
/// Whether the kernel reads %globaltimer.
[[nodiscard]] bool reads_global_timer(const isa::Program& program);

/// For launches on `memory`, which must outlive it.
[[nodiscard]] std::shared_ptr<ConcurrentMemory> make_concurrent_memory(const MemoryImage& memory);

/// Checks the launch against the kernel's limits (threads, parameters) and prepares execution. The image must outlive
/// the source.
[[nodiscard]] Result<std::unique_ptr<TraceSource>> make_executor(LaunchRequest request, MemoryImage& memory);

}  // namespace sassafras::sim
