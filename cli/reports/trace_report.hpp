// What is in a folder of traces, and the forms in which it is said.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "core/types.hpp"
#include "sim/formats/trace_file/trace_folder.hpp"

namespace sassafras::cli {

/// What a file says of its launch beyond the folder's index.
struct TraceDetails {
    Dim3 grid;
    Dim3 block;
    std::uint64_t instructions = 0;  ///< of the kernel's code
    std::uint64_t accesses = 0;      ///< of memory instructions, by a warp each
    std::uint64_t frames = 0;
};

struct TraceSummary {
    sim::TraceFolder folder;
    std::vector<TraceDetails> details;  ///< one a launch, or none
};

/// Reads every file of the folder to its end. Error bad_input where one is damaged.
[[nodiscard]] Result<TraceSummary> inspect(sim::TraceFolder folder);

[[nodiscard]] std::string to_json(const TraceSummary& summary);
[[nodiscard]] std::string to_table(const TraceSummary& summary);

}  // namespace sassafras::cli
