#include <sassafras/device.hpp>

#include <map>

#include "library/module_data.hpp"
#include "library/platform_data.hpp"
#include "library/public_error.hpp"
#include "sim/device/modelled_devices.hpp"

namespace sassafras::SASSAFRAS_VERSIONED {
namespace {

constexpr std::uint32_t most_threads = 1024;

Dim3 internal_extents(Extents extents) { return {extents.x, extents.y, extents.z}; }

Extents public_extents(const Dim3& extents) { return {extents.x, extents.y, extents.z}; }

sim::ModelOptions model_options(DeviceOptions options) {
    sim::ModelOptions model;
    model.threads = options.threads;
    model.cold_caches = options.cold_caches;
    model.instruction_limit = options.instruction_limit;
    if (options.print)
        model.print = [print = std::move(options.print)](sim::TextStream, std::string_view text) { print(text); };
    return model;
}

Result<void> public_result(const ::sassafras::Result<void>& result) {
    if (!result) return internal::public_error(result.error());
    return {};
}

LaunchResult describe(const sim::KernelResult& kernel) {
    LaunchResult result;
    result.kernel = kernel.name;
    result.grid = public_extents(kernel.grid);
    result.block = public_extents(kernel.block);
    for (const auto& [id, value] : kernel.metrics.reported())
        result.metrics.values.push_back({std::string(sim::row_of(id).name), value});
    return result;
}

}  // namespace

struct Device::State {
    Platform platform;
    std::unique_ptr<sim::ModelledDevice> device;
    /// Of modules that were launched. The pointers keep what they name, so that no other comes to lie in its place.
    std::map<std::shared_ptr<const internal::ModuleData>, sim::ModuleId> modules;

    Result<sim::ModuleId> place(const std::shared_ptr<const internal::ModuleData>& module) {
        if (const auto found = modules.find(module); found != modules.end()) return found->second;
        auto loaded = device->load_module(module->cubin, module->origin);
        if (!loaded) return internal::public_error(loaded.error());
        modules.emplace(module, *loaded);
        return *loaded;
    }
};

Device::Device(std::unique_ptr<State> state) : state_(std::move(state)) {}
Device::Device(Device&& other) noexcept = default;
Device& Device::operator=(Device&& other) noexcept = default;
Device::~Device() = default;

Result<Device> Device::make(const Platform& platform, DeviceOptions options) {
    if (options.threads == 0 || options.threads > most_threads)
        return Error{ErrorKind::bad_input, "there are no " + std::to_string(options.threads) + " threads",
                     "DeviceOptions::threads", "choose 1 to " + std::to_string(most_threads)};
    const sim::Platform& modelled = platform.data_->resolved.platform;
    const bool timed = options.model == DeviceOptions::Model::simulated;
    sim::ModelOptions model = model_options(std::move(options));
    auto device = timed ? sim::make_simulated_device(modelled, std::move(model))
                        : sim::make_functional_device(modelled, std::move(model));
    return Device(std::make_unique<State>(State{platform, std::move(device), {}}));
}

const Platform& Device::platform() const { return state_->platform; }

Result<DevicePointer> Device::allocate(std::uint64_t bytes) {
    const auto address = state_->device->allocate(Bytes{bytes});
    if (!address) return internal::public_error(address.error());
    return DevicePointer{address->value};
}

Result<void> Device::free(DevicePointer pointer) {
    return public_result(state_->device->free(Address{pointer.address}));
}

Result<void> Device::write(DevicePointer to, std::span<const std::byte> data) {
    return public_result(state_->device->copy_to_device(Address{to.address}, data));
}

Result<void> Device::read(DevicePointer from, std::span<std::byte> into) const {
    return public_result(state_->device->copy_from_device(into, Address{from.address}));
}

Result<LaunchResult> Device::launch(const Module& module, const Launch& launch) {
    const auto placed = state_->place(module.data_);
    if (!placed) return placed.error();
    sim::KernelLaunch wanted;
    wanted.module = *placed;
    wanted.kernel = launch.kernel;
    wanted.grid = internal_extents(launch.grid);
    wanted.block = internal_extents(launch.block);
    wanted.dynamic_shared = Bytes{launch.dynamic_shared_bytes};
    for (const std::vector<std::byte>& value : launch.arguments.values()) wanted.arguments.add_bytes(value);
    sim::ModelledDevice& device = *state_->device;
    device.clear_results();
    if (auto done = device.launch(wanted); !done) return internal::public_error(done.error());
    if (auto done = device.synchronize(); !done) return internal::public_error(done.error());
    return describe(device.results().back());
}

}  // namespace sassafras::SASSAFRAS_VERSIONED
