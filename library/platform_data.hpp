// What a Platform of the headers holds.
#pragma once

#include <cstdint>
#include <string>

#include <sassafras/platform.hpp>

#include "sim/platform/platform_reader.hpp"

namespace sassafras::SASSAFRAS_VERSIONED {
namespace internal {

struct PlatformData {
    sim::ResolvedPlatform resolved;
    std::string json;
};

}  // namespace internal
}  // namespace sassafras::SASSAFRAS_VERSIONED
