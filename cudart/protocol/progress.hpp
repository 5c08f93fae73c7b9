// A line on the terminal that says how far a launch has come.
#pragma once

#include <functional>
#include <string>

#include "sim/device/model_options.hpp"

namespace sassafras::cudart {

/// "sort_blocks: 12 of 1,024 blocks, 1,234,567 cycles" in at most so many columns; cycles only where they are
/// simulated. The kernel's name is demangled, and cut if the line would be too long.
[[nodiscard]] std::string progress_text(const sim::LaunchProgress& progress, std::size_t columns);

/// Writes the line to standard error, over the one before, a few times a second, and clears it at the end of the
/// launch. Empty where standard error is no terminal.
[[nodiscard]] std::function<void(const sim::LaunchProgress&)> progress_on_terminal();

}  // namespace sassafras::cudart
