#include <sassafras/module.hpp>

#include <utility>

#include "core/demangle.hpp"
#include "core/whole_file.hpp"
#include "isa/cubin/cubin.hpp"
#include "library/module_data.hpp"
#include "library/public_error.hpp"

namespace sassafras::SASSAFRAS_VERSIONED {
namespace {

KernelInfo describe(const isa::Kernel& kernel) {
    KernelInfo info;
    info.name = kernel.name;
    info.demangled = demangled(kernel.name);
    info.registers_per_thread = kernel.registers_per_thread;
    info.static_shared_bytes = kernel.static_shared.count;
    info.most_threads_per_block = kernel.max_threads;
    for (const isa::KernelParameter& parameter : kernel.parameters) info.parameter_bytes.push_back(parameter.size);
    return info;
}

Result<internal::ModuleData> read_module(std::vector<std::byte> bytes, std::string origin) {
    const auto cubin = isa::read_cubin(bytes, origin);
    if (!cubin) return internal::public_error(cubin.error());
    internal::ModuleData data{std::move(bytes), std::move(origin), {}};
    for (const isa::Kernel& kernel : cubin->kernels) data.kernels.push_back(describe(kernel));
    return data;
}

}  // namespace

Module::Module(std::shared_ptr<const internal::ModuleData> data) : data_(std::move(data)) {}

Result<Module> Module::load(const std::string& path) {
    auto bytes = read_whole_file(path, most_code_bytes);
    if (!bytes) return internal::public_error(bytes.error());
    auto data = read_module(std::move(*bytes), path);
    if (!data) return data.error();
    return Module(std::make_shared<const internal::ModuleData>(std::move(*data)));
}

Result<Module> Module::parse(std::span<const std::byte> cubin, std::string_view origin) {
    auto data = read_module({cubin.begin(), cubin.end()}, std::string(origin));
    if (!data) return data.error();
    return Module(std::make_shared<const internal::ModuleData>(std::move(*data)));
}

const std::vector<KernelInfo>& Module::kernels() const { return data_->kernels; }

}  // namespace sassafras::SASSAFRAS_VERSIONED
