// One launch of a captured run: a file in its folder. Without the folder's index, which is JSON and long to compile.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/trace/dealt_from.hpp"

namespace sassafras::sim {

/// Bytes of the GPU's memory that the host wrote.
struct CopiedRange {
    std::uint64_t address = 0;
    std::uint64_t bytes = 0;
};

struct TracedLaunch {
    std::string file;  ///< in the folder
    std::string kernel;
    std::uint64_t warp_instructions = 0;
    std::uint64_t clock_reads = 0;
    std::uint64_t bytes = 0;               ///< of the file
    std::uint64_t checksum = 0;            ///< of the file
    std::vector<CopiedRange> copied = {};  ///< since the launch before, in order
    DealtFrom dealt_from = {};
};

/// "0003-sort_merge.sft"; what cannot be in a file's name becomes an underscore.
[[nodiscard]] std::string trace_file_name(std::size_t launch, std::string_view kernel);

}  // namespace sassafras::sim
