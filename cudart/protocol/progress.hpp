// A line on the terminal that says how far a launch has come.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "sim/device/model_options.hpp"

namespace sassafras::cudart {

/// "sort_blocks: 12 of 1,024 blocks, 1,234,567 cycles, 310,000 a second", in at most `columns` characters: of a name
/// too long for them the middle is left out, then what comes last, part by part. Cycles where they are simulated, else
/// the instructions of warps; names are demangled; `seconds` is how long the launch has run.
[[nodiscard]] std::string progress_text(const sim::LaunchProgress& progress, double seconds, std::size_t columns);

/// Writes the line to standard error, over the one before, a few times a second, and clears it at the end of the
/// launch. Empty where standard error is no terminal.
[[nodiscard]] std::function<void(const sim::LaunchProgress&)> progress_on_terminal();

}  // namespace sassafras::cudart
