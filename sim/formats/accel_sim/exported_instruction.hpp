// What of a line does not change from one execution of an instruction to the next.
#pragma once

#include <cstdint>
#include <string>

#include "isa/sass/instruction.hpp"
#include "sim/access/memory_site.hpp"

namespace sassafras::sim::accel_sim {

struct ExportedInstruction {
    std::string pc;    ///< "0010 "
    std::string text;  ///< from the number of destinations to the last source, and a space
    MemorySite site;
    /// The last immediate that Accel-Sim's simulator reads: DEPBAR's count of groups; 0 for all others. BAR's and
    /// NANOSLEEP's are in the records.
    std::int64_t immediate = 0;
    bool is_barrier = false;
    bool is_sleep = false;
    bool is_indexed_constant = false;  ///< its number of addresses is in the records, and not in their trace
    bool ends_lanes = false;           ///< EXIT, KILL
};

[[nodiscard]] ExportedInstruction exported(const isa::Instruction& instruction, std::uint64_t pc);

}  // namespace sassafras::sim::accel_sim
