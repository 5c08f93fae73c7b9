#include "cudart/registry.hpp"

#include <errno.h>  // program_invocation_name

#include <cstring>
#include <utility>

#include "cudart/readable_memory.hpp"

namespace sassafras::cudart {

namespace {

/// As nvcc's fatbinary_section.h lays it out.
struct FatBinaryWrapper {
    std::uint32_t magic;
    std::uint32_t version;
    const std::byte* data;
    void* filename_or_fatbins;
};
constexpr std::uint32_t wrapper_magic = 0x466243b1;

Result<isa::FatEntry> entry_for(const Module& module, int compute_capability) {
    const auto entries = isa::read_fat_binary(module.container, module.origin);
    if (!entries) return entries.error();
    const isa::FatEntry* best = isa::best_cubin(*entries, compute_capability);
    if (best == nullptr) return isa::no_cubin(*entries, compute_capability, module.origin);
    return *best;
}

}  // namespace

Result<Module*> Registry::add_module(const void* wrapper) {
    FatBinaryWrapper read{};
    Module module;
    module.number = modules_.size();
    module.origin = std::string(program_invocation_name) + ", device code " + std::to_string(module.number);
    if (readable_bytes(wrapper) >= sizeof read) std::memcpy(&read, wrapper, sizeof read);
    const std::uint64_t readable = readable_bytes(read.data);
    if (read.magic != wrapper_magic || readable < isa::fat_header_bytes)
        return Error{ErrorKind::bad_input, "the program registers device code that is no fat binary", module.origin,
                     "build it with nvcc 12 or later"};
    const auto size = isa::fat_binary_size({read.data, isa::fat_header_bytes}, module.origin);
    if (!size) return size.error();
    if (*size > readable)
        return Error{ErrorKind::bad_input,
                     "the fat binary says " + std::to_string(*size) + " bytes, and memory ends after " +
                         std::to_string(readable),
                     module.origin, "the program is damaged; build it again"};
    module.container = {read.data, *size};
    modules_.push_back(std::move(module));
    return &modules_.back();
}

void Registry::add_kernel(Module& module, const void* host, std::string name) {
    kernels_.push_back({&module, std::move(name), std::nullopt, -1});
    kernel_of_[host] = kernel_of_[&kernels_.back()] = &kernels_.back();
}

void Registry::add_variable(Module& module, const void* host, Variable variable) {
    variable.module = &module;
    variable_of_[host] = std::move(variable);
}

void Registry::remove_module(Module& module) {
    module.registered = false;
    std::erase_if(kernel_of_, [&](const auto& entry) { return entry.second->module == &module; });
    std::erase_if(variable_of_, [&](const auto& entry) { return entry.second.module == &module; });
}

void Registry::unload_all() {
    for (Module& module : modules_) module.loaded.reset();
    for (Kernel& kernel : kernels_) kernel.most_dynamic_shared.reset();
}

Kernel* Registry::kernel(const void* host) {
    const auto found = kernel_of_.find(host);
    return found == kernel_of_.end() ? nullptr : found->second;
}

Variable* Registry::variable(const void* host) {
    if (const auto found = variable_of_.find(host); found != variable_of_.end()) return &found->second;
    if (host == nullptr) return nullptr;
    // What nvcc puts for the name of a managed variable is what it points to.
    for (auto& [key, variable] : variable_of_)
        if (variable.managed != nullptr && *variable.managed == host) return &variable;
    return nullptr;
}

std::vector<Variable*> Registry::managed_variables(const Module& module) {
    std::vector<Variable*> found;
    for (auto& [host, variable] : variable_of_)
        if (variable.module == &module && variable.managed != nullptr) found.push_back(&variable);
    return found;
}

Result<sim::ModuleId> Registry::load(Module& module, sim::ModelledDevice& device, int compute_capability) {
    if (module.loaded) return *module.loaded;
    const auto best = entry_for(module, compute_capability);
    if (!best) return best.error();
    const auto cubin = isa::unpack(*best, module.origin);
    if (!cubin) return cubin.error();
    const auto id = device.load_module(*cubin, module.origin);
    if (!id) return id.error();
    module.loaded = *id;
    module.architecture = best->architecture;
    return *id;
}

Result<std::vector<std::byte>> Registry::cubin(const Module& module, int compute_capability) {
    const auto best = entry_for(module, compute_capability);
    if (!best) return best.error();
    return isa::unpack(*best, module.origin);
}

}  // namespace sassafras::cudart
