// Which instructions of a kernel cost most of what its class is about.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/device/device.hpp"
#include "study/diagnose/classify.hpp"

namespace sassafras::study {

struct HotInstruction {
    std::uint64_t pc = 0;  ///< byte offset into the kernel
    isa::Instruction instruction;
    std::string location;  ///< in the source, "file:line"; empty if it is not known
    double cost = 0;
    double percent = 0;           ///< of the kernel's
    std::optional<double> least;  ///< what of the cost its lanes need, where that is defined
    std::string_view reason;      ///< why warps wait there most, if they do
};

struct Hottest {
    std::string_view cost;                     ///< what is counted; empty if nothing is known
    std::vector<HotInstruction> instructions;  ///< the most costly first
};

/// Source rows of a kernel's launches, added up.
void add_rows(std::vector<sim::SourceRow>& sum, std::span<const sim::SourceRow> rows);

/// Bound by memory: sectors of global and local memory. By shared memory: wavefronts. By instructions: those that are
/// issued, of the pipe that decides if it is one pipe. By latency: cycles in which warps wait there.
[[nodiscard]] Hottest hottest_instructions(const Verdict& verdict, std::span<const sim::SourceRow> rows);

}  // namespace sassafras::study
