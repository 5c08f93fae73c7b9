// What a function of the runtime API does that is not modelled.
#pragma once

#include <string_view>

namespace sassafras::cudart {

/// Ends the run: status 3 and the function's name.
[[noreturn]] void unsupported(std::string_view function);

}  // namespace sassafras::cudart
