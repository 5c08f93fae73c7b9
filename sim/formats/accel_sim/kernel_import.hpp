// A kernel's trace of Accel-Sim as a trace file of ours, which replay times.
//
// The file is read twice. First every line, for the instructions of the kernel: a program is made of them, by pc. Then
// block by block for the records: memory does not grow with the trace, but with what one block does.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "sim/formats/accel_sim/kernel_trace.hpp"
#include "sim/formats/trace_file/traced_launch.hpp"

namespace sassafras::sim::accel_sim {

/// What was found that the trace says too little of, over all kernels.
struct ImportFindings {
    std::set<int> versions;                ///< of the tracer
    std::set<std::uint32_t> binaries;      ///< 80: sm_80
    bool copies_to_shared = false;         ///< LDGSTS
    bool barrier_counts = false;           ///< BAR with a number of threads
    bool generic_without_windows = false;  ///< LD, ST or ATOM where the header does not say where the windows are
    bool special_registers = false;        ///< S2R, CS2R: perhaps a clock
    bool reused_addresses = false;         ///< several functions with the same pcs
    bool ignored_addresses = false;        ///< of CCTL and the like

    /// A sentence each, for people: what such a trace cannot tell, and what is assumed in its place.
    [[nodiscard]] std::vector<std::string> cannot_tell() const;
};

/// Opens a trace, twice for each import.
using OpenLines = std::function<Result<LineReader>()>;

/// Writes `folder`/`file`. Error with file and line: bad_input for what is malformed, not_modelled for operations that
/// have no time. The order of instructions is the trace's; dependences are for the replay to track.
[[nodiscard]] Result<TracedLaunch> import_kernel(const OpenLines& open, const std::string& folder, std::size_t launch,
                                                 ImportFindings& findings);

}  // namespace sassafras::sim::accel_sim
