// What a trace file says of its launch: all that timing needs to know of the kernel, nothing of the platform.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "isa/cubin/cubin.hpp"
#include "sim/trace/trace_source.hpp"

namespace sassafras::sim {

struct TraceHeader {
    /// Without constant banks and parameters: those are for execution.
    isa::Kernel kernel;
    LaunchShape shape;
    std::uint32_t sm_count = 0;  ///< that the program saw when it was captured
};

[[nodiscard]] std::vector<std::byte> write_trace_header(const TraceHeader& header);
/// Nothing if the bytes are none that write_trace_header made. Any bytes are safe input.
[[nodiscard]] std::optional<TraceHeader> read_trace_header(std::span<const std::byte> bytes);

}  // namespace sassafras::sim
