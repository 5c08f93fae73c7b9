// Runs a CUDA program with the stand-in runtime library, and gathers what its kernels did.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "cli/options/console.hpp"
#include "core/result.hpp"
#include "cudart/protocol/exec_settings.hpp"
#include "cudart/protocol/launch_record.hpp"

namespace sassafras::cli {

struct ProgramRun {
    cudart::ExecRecords records;
    std::optional<int> exited;  ///< the program's exit status
    int signal = 0;             ///< that ended it, if it did not exit
    double wall_seconds = 0;
    std::map<std::uint64_t, std::vector<std::byte>> modules;  ///< of Device::conflicts: the cubins by number
};

/// Starts `program` (found as a shell finds it) with libcudart.so.13 of ours before any other, and waits for it; its
/// standard streams are ours. Where the console polls, signals are left as they are, and the program is ended if that
/// throws. `settings.records` and its module folder are filled in. Errors: bad_input if the program
/// cannot be started, or never called the library; not_modelled if the library was not built.
[[nodiscard]] Result<ProgramRun> run_program(const std::vector<std::string>& program, cudart::ExecSettings settings,
                                             const Console& console);

/// The `workload` of a report.
[[nodiscard]] nlohmann::ordered_json describe_program(const std::vector<std::string>& program, const ProgramRun& run);

/// The exit status of a command that ran the program: its own; of one that ended well although a kernel failed, 1; of
/// one that was killed, 128 and the signal's number, as a shell has it. Notes that.
[[nodiscard]] int exit_status(const std::vector<std::string>& program, const ProgramRun& run, const Console& console);

}  // namespace sassafras::cli
