// Numbers of a whole GPU to change a few of.
#pragma once

#include <catch2/catch.hpp>

#include "sim/platform/platform_reader.hpp"

namespace sassafras::sim::test {

inline Platform test_platform() {
    const auto resolved = load_platform("h200");
    if (!resolved) FAIL(resolved.error().message());
    return resolved->platform;
}

}  // namespace sassafras::sim::test
