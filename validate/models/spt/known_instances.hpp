// The SPT instances that the program carries: Table 4.2 and those measured on GPUs of which it has records.
#pragma once

#include <string>
#include <vector>

#include "core/result.hpp"
#include "validate/models/spt/instance.hpp"

namespace sassafras::validate::spt {

/// built_in_instances(), then those of validate/records. Error bad_input if one of the latter is malformed.
[[nodiscard]] Result<std::vector<Instance>> known_instances();

/// The one of this name. Error bad_input lists those there are.
[[nodiscard]] Result<Instance> known_instance(const std::string& name);

}  // namespace sassafras::validate::spt
