// An H200 with a few SMs, for workloads whose threads are counted for each SM.
#pragma once

#include <catch2/catch.hpp>

#include <memory>
#include <string>

#include "sim/device/modelled_devices.hpp"
#include "sim/platform/platform_reader.hpp"

namespace sassafras::test {

constexpr std::uint32_t small_sm_count = 2;

inline sim::Platform small_gpu(const std::string& changes = "") {
    const std::string text = R"({"name": "small", "base": "h200")" + (changes.empty() ? "" : ", " + changes) + "}";
    const auto parsed = sim::parse_platform(text, "small.json");
    if (!parsed) FAIL(parsed.error().message());
    sim::Platform platform = (*parsed).platform;
    platform.gpu.sm_count = small_sm_count;
    return platform;
}

inline std::unique_ptr<sim::Device> small_functional() {
    sim::ModelOptions options;
    options.instruction_limit = 50'000'000;  // a kernel that never ends must fail the test, not hang it
    return sim::make_functional_device(small_gpu(), options);
}

inline std::unique_ptr<sim::Device> small_simulated(const std::string& changes = "") {
    return sim::make_simulated_device(small_gpu(changes), {});
}

}  // namespace sassafras::test
