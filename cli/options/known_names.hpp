// Names that options take beside other things: what completion offers for them.
#pragma once

#include "cli/pages/command_text.hpp"

namespace sassafras::cli {

/// Platforms and workloads.
[[nodiscard]] KnownNames known_names();

}  // namespace sassafras::cli
