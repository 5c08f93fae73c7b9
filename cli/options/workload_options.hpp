// Which workload, of what size, with which parameters: the same for every command that runs one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "cli/options/options.hpp"
#include "core/result.hpp"
#include "workloads/workload.hpp"

namespace sassafras::cli {

struct WorkloadOptions {
    std::string workload;
    std::string variant;
    std::optional<std::uint64_t> n;
    std::string input;
    std::string input_type;               ///< of the numbers in a file; empty: u4, or what a .npy file says
    std::vector<std::string> parameters;  ///< as given: --E 15 --b=128
    std::string command;                  ///< for errors: "run", "trace capture"
    std::vector<std::string> known;       ///< the command's own options
};

/// The workload's name, --variant, --input, --input-type, and anything else as a parameter.
void add_workload_choice(CLI::App& command, WorkloadOptions& options);
/// Those and --n.
void add_workload_options(CLI::App& command, WorkloadOptions& options);
/// After parsing: what add_workload_options left over.
void take_parameters(const CLI::App& command, WorkloadOptions& options);

/// "shape 3 of 120: blocks 16, b 128, S 1024; best blocks 4, b 128, S 1024: 61,234 ns"; nothing once all are tried.
[[nodiscard]] std::string tuning_text(const workloads::TuneProgress& progress);

/// With the seed and the console of `measure`. Error bad_input for an unknown workload or parameter, or a file of
/// numbers that cannot be read.
[[nodiscard]] Result<workloads::WorkloadRequest> workload_request(const WorkloadOptions& options,
                                                                  const MeasureOptions& measure);

/// What of that can be said without reading a file: error bad_input for an unknown workload or parameter.
[[nodiscard]] Result<void> check_workload(const WorkloadOptions& options);

/// What ran, for results.
[[nodiscard]] nlohmann::ordered_json describe_workload(const workloads::WorkloadRun& run);

}  // namespace sassafras::cli
