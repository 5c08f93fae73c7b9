// A modelled GPU that kernels are launched on from Python.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <variant>
#include <vector>

#include "core/result.hpp"
#include "python/module/host_arrays.hpp"
#include "python/module/interruptible.hpp"
#include "sim/device/modelled_device.hpp"
#include "sim/platform/platform_reader.hpp"

namespace sassafras::python {

struct GpuOptions {
    bool has_time = true;  ///< simulated; else functional
    std::uint32_t threads = 1;
    bool cold_caches = true;
    bool check = false;
    bool sample = false;
    std::uint64_t instruction_limit = 0;
};

/// The bytes of a number or a structure, or an array whose address is passed.
using LaunchValue = std::variant<std::vector<std::byte>, HostRange>;

struct GpuLaunch {
    std::uint32_t module = 0;
    std::string kernel;
    Dim3 grid;
    Dim3 block;
    std::uint64_t dynamic_shared_bytes = 0;
    bool cooperative = false;
    std::vector<LaunchValue> values;
};

struct GpuLaunched {
    sim::KernelResult result;
    std::vector<sim::Finding> findings;  ///< of this launch; none without a check
    std::string printed;                 ///< by the kernel
};

/// One launch at a time: threads that share it wait for one another.
class Gpu {
  public:
    Gpu(sim::ResolvedPlatform platform, const GpuOptions& options);

    [[nodiscard]] const sim::ResolvedPlatform& platform() const { return platform_; }
    /// Error as Device::load_module.
    [[nodiscard]] Result<std::uint32_t> load_module(std::vector<std::byte> cubin, std::string origin);
    /// Errors as Device::launch; `launched` has what was found and printed then, too. Throws Interrupted: all modules
    /// are as they were when they were loaded then, at the next launch.
    [[nodiscard]] Result<void> launch(const GpuLaunch& launch, const Poll& poll, GpuLaunched& launched);

  private:
    struct Module {
        std::vector<std::byte> cubin;
        std::string origin;
    };
    [[nodiscard]] Result<void> start_over();
    void make_device();

    sim::ResolvedPlatform platform_;
    GpuOptions options_;
    std::mutex mutex_;
    Poll poll_;            ///< of the launch that runs
    std::string printed_;  ///< likewise
    std::mutex printing_;
    std::vector<Module> modules_;
    std::unique_ptr<sim::ModelledDevice> device_;  ///< none after an interruption
};

}  // namespace sassafras::python
