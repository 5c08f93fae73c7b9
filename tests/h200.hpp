// The shipped H200, for tests of what runs on it.
#pragma once

#include <catch2/catch.hpp>

#include "sim/platform/platform_reader.hpp"

namespace sassafras::test {

inline sim::Platform h200() {
    auto found = sim::load_platform("h200");
    REQUIRE(found.ok());
    return (*found).platform;
}

}  // namespace sassafras::test
