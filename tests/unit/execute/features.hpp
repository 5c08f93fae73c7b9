// What the tests of features.cu share.
#pragma once

#include <catch2/catch.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include "tests/unit/execute/harness.hpp"

namespace sassafras::test {

inline const std::string features_cubin = std::string(SASSAFRAS_SOURCE_DIR) + "/tests/fixtures/execute/features.cubin";

inline void require_ok(const Result<RunResult>& result) {
    INFO((result ? "" : result.error().message()));
    REQUIRE(result.ok());
}

/// Numbers from -100 to 155 in no order.
inline std::vector<int> mixed(std::size_t count) {
    std::vector<int> values(count);
    std::uint32_t state = 99;
    for (int& value : values) {
        state = state * 1664525U + 1013904223U;
        value = static_cast<int>(state >> 24U) - 100;
    }
    return values;
}

}  // namespace sassafras::test
