// A launch of ours as a .traceg of Accel-Sim, version 5: text that its reader, and ours, reads.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "core/result.hpp"
#include "isa/program/program.hpp"
#include "sim/formats/trace_file/trace_header.hpp"
#include "sim/trace/trace_source.hpp"

namespace sassafras::sim::accel_sim {

/// Takes the text, piece by piece.
using ExportedText = std::function<void(std::string_view)>;

/// Gives all blocks of `source` to `write`, block after block; in memory is what one block does. `id` counts launches
/// from 1. Error as the source fails, or not_modelled: a kernel that reads a clock waits for one who answers.
[[nodiscard]] Result<void> export_kernel(TraceSource& source, std::uint64_t id, const ExportedText& write);

}  // namespace sassafras::sim::accel_sim
