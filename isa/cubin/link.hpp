// Linking inside a cubin: where device functions of their own sections go, and what each relocation stores.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "core/result.hpp"
#include "isa/cubin/cubin.hpp"
#include "isa/cubin/elf.hpp"

namespace sassafras::isa {

/// Section number of a kernel's .text -> index into Cubin::kernels.
using KernelSections = std::map<std::uint16_t, std::size_t>;

/// Copies every kernel's code and the device functions that it can reach, applies the relocations whose value is a code
/// address, and records the others in cubin.relocations (and unresolved_calls). Expects cubin.kernels (names),
/// variables, constant banks and global_initialised to be filled in.
[[nodiscard]] Result<void> link_code(const ElfFile& file, const KernelSections& kernels, Cubin& cubin);

}  // namespace sassafras::isa
