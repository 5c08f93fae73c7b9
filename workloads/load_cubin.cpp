#include "workloads/load_cubin.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <string>

#include "sim/formats/trace_file/compression.hpp"
#include "workloads/cubins.hpp"

namespace sassafras::workloads {

namespace {

/// "workloads/sort/sort_mgpu.cubin" is sort_mgpu.
std::string_view stem_of(std::string_view origin) {
    origin.remove_prefix(origin.rfind('/') + 1);
    return origin.substr(0, origin.rfind('.'));
}

const cubins::Packed* packed_for(isa::ComputeCapability gpu, std::string_view name) {
    const cubins::Packed* best = nullptr;
    for (const cubins::Packed& packed : cubins::packed()) {
        if (packed.name != name) continue;
        const auto architecture = isa::architecture_of(packed.sm);
        require_invariant(architecture.has_value(), "an embedded cubin is for an architecture that is not read");
        if (isa::runs_on(*architecture, gpu) && (best == nullptr || best->sm < packed.sm)) best = &packed;
    }
    return best;
}

}  // namespace

Result<std::vector<std::byte>> cubin_for(isa::ComputeCapability gpu, std::span<const std::byte> sm_90,
                                         std::string_view origin) {
    if (isa::runs_on(isa::Architecture::sm_90, gpu)) return std::vector<std::byte>(sm_90.begin(), sm_90.end());
    const cubins::Packed* packed = packed_for(gpu, stem_of(origin));
    if (packed == nullptr)
        return Error{
            ErrorKind::bad_input,
            fmt::format("there is no code of it for compute capability {}.{}", gpu.major, gpu.minor),
            std::string(origin),
            "choose a platform of compute capability 9.0, or of 7.5 to 8.9 once scripts/build-cubins --update has made "
            "code for it"};
    const auto size = sim::Decompressor::content_bytes(packed->bytes);
    auto bytes = size ? sim::Decompressor().decompress(packed->bytes, *size) : std::nullopt;
    require_invariant(bytes.has_value(), "an embedded cubin is damaged");
    return std::move(*bytes);
}

Result<sim::ModuleId> load_cubin(sim::Device& device, std::span<const std::byte> sm_90, std::string_view origin) {
    const isa::ComputeCapability gpu = device.compute_capability();
    if (isa::runs_on(isa::Architecture::sm_90, gpu)) return device.load_module(sm_90, origin);
    const auto bytes = cubin_for(gpu, sm_90, origin);
    if (!bytes) return bytes.error();
    return device.load_module(*bytes, origin);
}

}  // namespace sassafras::workloads
