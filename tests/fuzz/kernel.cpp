// Any bytes given as a cubin: load it into a modelled GPU and run its kernels for a few thousand instructions. Nothing
// may crash, hang or leak; what goes wrong is an error that says what and where.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "isa/cubin/cubin.hpp"
#include "sim/device/modelled_devices.hpp"
#include "sim/platform/platform.hpp"
#include "tests/fixture_platform.hpp"

using namespace sassafras;

namespace {

constexpr std::uint64_t instruction_limit = 2000;
constexpr std::uint64_t buffer_bytes = 16384;
constexpr std::size_t most_kernels = 8;

/// Small, so that a run takes milliseconds.
sim::Platform small_platform() {
    sim::Platform platform = sim::test::fixture_platform();
    platform.gpu.sm_count = 2;
    platform.dram.capacity_gb = 0.004;
    return platform;
}

std::unique_ptr<sim::Device> small_device() {
    sim::ModelOptions options;
    options.instruction_limit = instruction_limit;
#ifdef SASSAFRAS_FUZZ_TIMING
    return sim::make_simulated_device(small_platform(), options);
#else
    return sim::make_functional_device(small_platform(), options);
#endif
}

void require_message(const Error& error) {
    if (error.what.empty()) std::abort();
}

/// Every pointer-sized argument is a buffer, every other a small number.
sim::Launch launch_of(const isa::Kernel& kernel, sim::ModuleId module, Address buffer) {
    sim::Launch launch;
    launch.module = module;
    launch.kernel = kernel.name;
    launch.grid = {2, 1, 1};
    launch.block = kernel.required_block.volume() != 0 ? kernel.required_block : Dim3{48, 1, 1};
    for (const auto& parameter : kernel.parameters) {
        std::vector<std::byte> bytes(parameter.size);
        for (std::size_t i = 0; i < std::min(bytes.size(), sizeof buffer.value); ++i)
            bytes[i] = static_cast<std::byte>(parameter.size == sizeof buffer.value ? buffer.value >> (8 * i)
                                              : i == 0                              ? 5U
                                                                                    : 0U);
        launch.arguments.add_bytes(bytes);
    }
    return launch;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::span<const std::byte> bytes{reinterpret_cast<const std::byte*>(data), size};
    const auto cubin = isa::read_cubin(bytes, "fuzzed.cubin");
    if (!cubin) return 0;
    const auto device = small_device();
    const auto module = device->load_module(bytes, "fuzzed.cubin");
    if (!module) {
        require_message(module.error());
        return 0;
    }
    const auto buffer = device->allocate(Bytes{buffer_bytes});
    if (!buffer) return 0;  // the module's variables took it all
    for (std::size_t i = 0; i < std::min(cubin->kernels.size(), most_kernels); ++i)
        if (const auto done = device->launch(launch_of(cubin->kernels[i], *module, *buffer)); !done)
            require_message(done.error());
    return 0;
}
