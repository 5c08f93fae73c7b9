// Errors of the simulator as those of the headers.
#pragma once

#include <sassafras/result.hpp>

#include "core/result.hpp"

namespace sassafras::SASSAFRAS_VERSIONED {
namespace internal {

[[nodiscard]] inline Error public_error(const ::sassafras::Error& error) {
    return {static_cast<ErrorKind>(error.kind), error.what, error.where, error.remedy};
}

}  // namespace internal
}  // namespace sassafras::SASSAFRAS_VERSIONED
