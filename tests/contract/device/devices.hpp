// Every implementation of Device that this machine can run, under its name.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/device/device.hpp"

namespace sassafras::sim::test {

struct Implementation {
    std::string name;
    std::function<std::unique_ptr<Device>()> make;
    bool survives_faults = true;  ///< a fault ends a CUDA context for good
};

/// `cuda` only where there is a driver and a GPU.
[[nodiscard]] const std::vector<Implementation>& implementations();

/// Why there is no `cuda` among them; nothing if there is.
[[nodiscard]] std::optional<std::string> why_no_cuda();

[[nodiscard]] std::vector<std::byte> fixture(const std::string& name);

}  // namespace sassafras::sim::test
