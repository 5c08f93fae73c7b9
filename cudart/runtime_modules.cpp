// What the program registered, loaded into the device when it is first asked for: kernels, variables, managed ones.
#include <algorithm>
#include <vector>

#include "cudart/runtime.hpp"
#include "isa/cubin/fat_binary.hpp"

namespace sassafras::cudart {

cudaError_t Runtime::load(Module& module) {
    const bool is_new = !module.loaded;
    const auto loaded = Registry::load(module, device(), compute_capability());
    if (loaded) return is_new ? place_managed_variables(module) : cudaSuccess;
    const auto entries = isa::read_fat_binary(module.container, module.origin);
    const bool only_code = entries && std::none_of(entries->begin(), entries->end(), [](const isa::FatEntry& entry) {
                               return entry.kind == isa::FatEntry::Kind::ptx;
                           });
    // Without PTX a real GPU of this kind has nothing to run either, and says so to the program.
    if (only_code && isa::best_cubin(*entries, compute_capability()) == nullptr) {
        note(loaded.error().message());
        return cudaErrorNoKernelImageForDevice;
    }
    end_run(loaded.error());
}

cudaError_t Runtime::place_managed_variables(const Module& module) {
    for (Variable* variable : registry_.managed_variables(module)) {
        const auto symbol = device().symbol(*module.loaded, variable->name);
        if (!symbol) return cudaErrorInvalidSymbol;
        // A reset leaves address and contents as they are: what an H200 with CUDA 13.0 does.
        const auto held = host_memory_.find(*variable->managed);
        std::byte* const place =
            held ? held->begin
                 : host_memory_.allocate(symbol->size.count, HostMemoryKind::managed_variable, cudaMemAttachGlobal);
        if (place == nullptr) return cudaErrorMemoryAllocation;
        std::vector<std::byte> contents;
        if (held) contents.assign(place, place + symbol->size.count);
        if (auto attached = device().memory().attach(place, symbol->size); !attached) end_run(attached.error());
        const Address address{reinterpret_cast<std::uint64_t>(place)};
        if (auto placed = device().place_variable(*module.loaded, variable->name, address); !placed)
            end_run(placed.error());
        std::copy(contents.begin(), contents.end(), place);
        *variable->managed = place;
    }
    return cudaSuccess;
}

cudaError_t Runtime::find_kernel(const void* host, Kernel*& kernel, const isa::Kernel*& properties) {
    kernel = registry_.kernel(host);
    if (kernel == nullptr) return cudaErrorInvalidResourceHandle;
    if (const cudaError_t error = load(*kernel->module); error != cudaSuccess) return error;
    const auto found = device().kernel_properties(*kernel->module->loaded, kernel->name);
    if (!found) return cudaErrorInvalidDeviceFunction;
    properties = *found;
    return cudaSuccess;
}

cudaError_t Runtime::find_variable(const void* host, sim::DeviceSymbol& symbol) {
    Variable* variable = registry_.variable(host);
    if (variable == nullptr) return cudaErrorInvalidSymbol;
    if (const cudaError_t error = load(*variable->module); error != cudaSuccess) return error;
    const auto found = device().symbol(*variable->module->loaded, variable->name);
    if (!found) return cudaErrorInvalidSymbol;
    symbol = *found;
    if (variable->managed != nullptr) symbol.address = Address{reinterpret_cast<std::uint64_t>(*variable->managed)};
    return cudaSuccess;
}

}  // namespace sassafras::cudart
