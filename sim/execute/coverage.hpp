// What of a program execution models, without running it.
#pragma once

#include <vector>

#include "isa/program/program.hpp"

namespace sassafras::sim {

/// By instruction: whether it can be executed; those that cannot stop a run with not_modelled when they are reached.
[[nodiscard]] std::vector<bool> modelled_instructions(const isa::Program& program);

}  // namespace sassafras::sim
