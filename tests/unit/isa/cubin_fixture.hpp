// The cubins of tests/fixtures.
#pragma once

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "isa/cubin/cubin.hpp"

namespace sassafras::isa::test {

inline std::vector<std::byte> fixture_bytes(const std::string& name) {
    std::ifstream file(std::string(SASSAFRAS_SOURCE_DIR) + "/tests/fixtures/" + name, std::ios::binary);
    INFO("fixture " << name);
    REQUIRE(file.good());
    const std::vector<char> text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    std::vector<std::byte> bytes(text.size());
    std::transform(text.begin(), text.end(), bytes.begin(), [](char c) { return static_cast<std::byte>(c); });
    return bytes;
}

inline Cubin fixture(const std::string& name) {
    auto cubin = read_cubin(fixture_bytes(name), name);
    if (!cubin) FAIL(cubin.error().message());
    return std::move(cubin).value();
}

inline const Kernel& kernel_of(const Cubin& cubin, const std::string& name) {
    const Kernel* kernel = cubin.find(name);
    INFO("kernel " << name);
    REQUIRE(kernel != nullptr);
    return *kernel;
}

}  // namespace sassafras::isa::test
