// What .nv.info.<kernel> says of one kernel.
#pragma once

#include "core/result.hpp"
#include "isa/cubin/cubin.hpp"
#include "isa/cubin/elf.hpp"

namespace sassafras::isa {

/// Parameters, launch bounds, barriers, EXIT offsets and jump targets. Fails (bad_input) with the section and the
/// attribute.
[[nodiscard]] Result<void> read_kernel_info(const ElfFile& file, const ElfSection& section, Kernel& kernel);

/// What can be checked only once code and banks are there; sorts parameters and raises the stack to the default where
/// the compiler cannot know it.
[[nodiscard]] Result<void> check_kernel(const ElfFile& file, Kernel& kernel);

}  // namespace sassafras::isa
