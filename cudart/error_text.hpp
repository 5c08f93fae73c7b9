// Names and texts of the runtime's errors.
#pragma once

#include <driver_types.h>

namespace sassafras::cudart {

/// "cudaErrorInvalidValue"; never nullptr.
[[nodiscard]] const char* error_name(cudaError_t code);
/// "invalid argument"; never nullptr.
[[nodiscard]] const char* error_text(cudaError_t code);

}  // namespace sassafras::cudart
