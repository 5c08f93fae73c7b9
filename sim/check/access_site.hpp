// What --check needs to know of an instruction, from its encoding.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/program/program.hpp"
#include "sim/access/memory_site.hpp"
#include "sim/check/hazard.hpp"

namespace sassafras::sim {

struct CheckedSite {
    MemorySpace space = MemorySpace::none;
    WarpAccess::Kind kind = WarpAccess::Kind::read;
    bool strong = false;
    bool returns = false;           ///< gives a value back
    bool copies_to_shared = false;  ///< LDGSTS: reads global memory, then writes shared memory
    std::uint32_t width = 0;        ///< bytes a lane
};

/// What SYNCS does to a barrier in shared memory.
enum class SyncsStep : std::uint8_t { initialise, arrive, wait, other };
[[nodiscard]] SyncsStep syncs_step(const isa::Instruction& instruction);
/// Of SyncsStep::arrive: some only say how many bytes the phase is to wait for.
[[nodiscard]] bool counts_as_arrival(const isa::Instruction& instruction);

[[nodiscard]] CheckedSite checked_site(const isa::Instruction& instruction);

/// The smallest access of the program to shared or to global memory, at most 4 bytes: generic ones count for both.
[[nodiscard]] std::uint32_t smallest_access(const std::vector<CheckedSite>& sites, MemorySpace space);

}  // namespace sassafras::sim
