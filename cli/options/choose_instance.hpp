// --instance: a machine as the SPT model knows it.
#pragma once

#include <string>

#include "core/result.hpp"
#include "validate/models/spt/instance.hpp"

namespace sassafras::cli {

/// An instance that `sassafras list` shows, or one from a file (means_file). Error
/// bad_input.
[[nodiscard]] Result<validate::spt::Instance> choose_instance(const std::string& name);

}  // namespace sassafras::cli
