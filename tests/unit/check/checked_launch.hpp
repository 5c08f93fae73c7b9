// Launches a kernel of tests/fixtures/check on the functional device, with --check.
#pragma once

#include <catch2/catch.hpp>

#include <cstddef>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/device/modelled_devices.hpp"
#include "sim/platform/platform_reader.hpp"

namespace sassafras::test {

struct CheckedCase {
    std::string cubin;
    std::string kernel;
    std::uint32_t grid = 1;
    std::uint32_t block = 64;
    std::uint32_t shared = 0;
    std::int32_t n = 0;
    bool cooperative = false;
    std::string platform = "h200";
};

inline std::string checked_cubin(const std::string& name) {
    return SASSAFRAS_SOURCE_DIR "/tests/fixtures/check/" + name + ".cubin";
}

inline std::vector<std::byte> bytes_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    REQUIRE(file);
    const std::vector<char> text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    const auto bytes = std::as_bytes(std::span(text));
    return {bytes.begin(), bytes.end()};
}

struct CheckedLaunch {
    std::unique_ptr<sim::Device> device;
    std::optional<Error> error;
    [[nodiscard]] const std::vector<sim::Finding>& findings() const { return device->findings(); }
};

/// Two buffers of 4096 bytes of zeros and n are the arguments, as the kernels there take them.
inline CheckedLaunch launch_checked(const CheckedCase& wanted, bool simulated = false, bool check = true) {
    const std::string path = checked_cubin(wanted.cubin);
    const std::vector<std::byte> cubin = bytes_of(path);
    const auto platform = sim::load_platform(wanted.platform);
    REQUIRE(platform.ok());
    sim::ModelOptions options;
    options.check = check;
    options.instruction_limit = 1'000'000;
    CheckedLaunch done;
    done.device = simulated ? sim::make_simulated_device((*platform).platform, options)
                            : sim::make_functional_device((*platform).platform, options);
    const auto module = done.device->load_module(cubin, path);
    REQUIRE(module.ok());
    sim::Launch launch;
    launch.module = *module;
    launch.kernel = wanted.kernel;
    launch.grid = {wanted.grid, 1, 1};
    launch.block = {wanted.block, 1, 1};
    launch.dynamic_shared = Bytes{wanted.shared};
    launch.cooperative = wanted.cooperative;
    for (int i = 0; i < 2; ++i) {
        const auto buffer = done.device->allocate(Bytes{4096});
        REQUIRE(buffer.ok());
        REQUIRE(done.device->fill(*buffer, std::byte{0}, Bytes{4096}).ok());
        launch.arguments.add((*buffer).value);
    }
    launch.arguments.add(wanted.n);
    if (const auto launched = done.device->launch(launch); !launched) done.error = launched.error();
    return done;
}

}  // namespace sassafras::test
