// What the runtime library inside a program tells `sassafras exec`: lines of JSON, appended to a file as things happen,
// so that a program which crashes leaves all that went before.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "cudart/protocol/conflict_record.hpp"
#include "cudart/protocol/timeline_record.hpp"
#include "sim/device/device.hpp"
#include "sim/formats/trace_file/traced_launch.hpp"

namespace sassafras::cudart {

/// Why a run ended or a kernel failed.
struct Trouble {
    std::string message;     ///< one line: what, [where], what to do
    int exit_status = 1;     ///< as ErrorKind has it
    bool cut_short = false;  ///< the run, or a kernel that would have gone on, was stopped
};

/// A launch whose kernel did not come to its end, and so has no metrics.
struct FailedLaunch {
    std::string kernel;
    Dim3 grid;
    Dim3 block;
    std::string message;     ///< as of Trouble
    std::size_t before = 0;  ///< launches with metrics that were made before it
};

struct ExecRecords {
    bool started = false;  ///< the library was loaded and used
    std::vector<sim::KernelResult> kernels;
    std::vector<FailedLaunch> failed;
    std::vector<Trouble> troubles;
    std::vector<sim::Finding> findings;       ///< of --check
    std::vector<sim::TracedLaunch> traced;    ///< of a capture
    std::vector<ProgramConflicts> conflicts;  ///< of --conflicts, by launch
    std::vector<TimelineEntry> timeline;      ///< of each process in the order of its calls; empty without time
};

/// Each is one line with its newline.
[[nodiscard]] std::string start_line(int process);
/// When it was, if the device has time, comes as an entry of the timeline once that is known: `number` of the process's
/// launches so far. One that is left out has no metrics and rows there.
[[nodiscard]] std::string launch_line(const sim::KernelResult& result, bool with_source, int process = 0);
[[nodiscard]] std::string failed_line(const FailedLaunch& launch);  ///< `before` is not written
[[nodiscard]] std::string trouble_line(const Trouble& trouble);
[[nodiscard]] std::string traced_line(const sim::TracedLaunch& launch);
[[nodiscard]] std::string conflicts_line(const ProgramConflicts& conflicts);
/// All that was found so far: the last such line of each process counts, and of each program that it becomes.
[[nodiscard]] std::string findings_line(int process, const std::vector<sim::Finding>& findings);

/// Reads lines back. A last line without newline, of a program that was killed while it wrote, is left out. Error
/// bad_input if any other is not as it was written.
[[nodiscard]] Result<ExecRecords> parse_records(const std::string& text, const std::string& origin);

}  // namespace sassafras::cudart
