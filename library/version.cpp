#include <sassafras/version.hpp>

#include "core/build_version.hpp"

namespace sassafras::SASSAFRAS_VERSIONED {
std::string version() { return build_version(); }

}  // namespace sassafras::SASSAFRAS_VERSIONED
