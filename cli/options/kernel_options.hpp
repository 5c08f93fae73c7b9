// The options that say which kernel is launched, and with what.
#pragma once

#include <CLI/CLI.hpp>

#include "study/kernel/prepared_kernel.hpp"

namespace sassafras::cli {

/// --cubin, --kernel, --grid, --block, --shared, --cooperative, --arg.
void add_kernel_options(CLI::App& command, study::KernelOptions& options);

}  // namespace sassafras::cli
