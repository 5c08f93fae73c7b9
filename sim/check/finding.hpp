// What --check has found, in the words of compute-sanitizer (CUDA 13.0; docs/checks.md).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/types.hpp"

namespace sassafras::sim {

/// The tool of compute-sanitizer that looks for it.
enum class FindingTool : std::uint8_t { memcheck, racecheck, initcheck, synccheck };

/// One access or barrier that takes part in a finding.
struct FindingPlace {
    std::string action;    ///< of a race: "Read", "Write" or "Atomic"
    std::uint64_t pc = 0;  ///< byte offset into the kernel
    std::string sass;      ///< the instruction
    std::string file;      ///< its name without folders; empty if the cubin does not say
    std::uint32_t line = 0;
    std::vector<std::string> called_at;  ///< "file:line" of the calls that were inlined here, innermost first
    Dim3 thread;
    Dim3 block;
};

struct Finding {
    FindingTool tool = FindingTool::memcheck;
    bool is_warning = false;           ///< a race of lanes of one warp: compute-sanitizer's severity
    std::string kernel;                ///< as c++filt prints it; empty where a call of the runtime failed
    std::string what;                  ///< "Invalid __global__ write of size 4 bytes"
    std::vector<std::string> details;  ///< "Access to 0x7f0000001000 is out of bounds", ...
    std::vector<FindingPlace> places;  ///< of a race two, the earlier first; of a call of the runtime none
    /// How often: threads that made the access, bytes that raced (racecheck counts them so), threads that came to the
    /// barrier, calls that failed.
    std::uint64_t count = 1;
};

[[nodiscard]] const char* tool_name(FindingTool tool);

/// Compute-sanitizer's report, its lines without the "========= " before them; below each place the instruction.
[[nodiscard]] std::vector<std::string> report_lines(const Finding& finding);

/// All reports and the summary, as compute-sanitizer prints them; ends with a newline. Of a run that was stopped before
/// its end the summary says so.
[[nodiscard]] std::string sanitizer_report(const std::vector<Finding>& findings, bool stopped_early = false);

}  // namespace sassafras::sim
