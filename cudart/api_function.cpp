// Attributes of kernels, and occupancy.
#include <algorithm>

#include "cudart/api.hpp"
#include "sim/timing/occupancy.hpp"

using namespace sassafras::cudart;
namespace isa = sassafras::isa;
namespace sim = sassafras::sim;

namespace {

template <class Body>
cudaError_t with_kernel(const void* host, Body&& body, const char* function = __builtin_FUNCTION()) {
    return call(
        [&](Runtime& runtime) {
            Kernel* kernel = nullptr;
            const isa::Kernel* properties = nullptr;
            if (const cudaError_t error = runtime.find_kernel(host, kernel, properties); error != cudaSuccess)
                return error;
            return body(runtime, *kernel, *properties);
        },
        function);
}

int active_blocks(Runtime& runtime, const isa::Kernel& properties, int block_size, std::size_t dynamic) {
    const sim::KernelResources resources{static_cast<std::uint32_t>(block_size), properties.registers_per_thread,
                                         properties.static_shared.count + dynamic};
    return static_cast<int>(sim::occupancy(resources, runtime.platform()).blocks);
}

/// Blocks of at most this many threads fit the registers of an SM.
int most_threads(Runtime& runtime, const isa::Kernel& properties) {
    const auto bound =
        static_cast<int>(std::min<std::uint32_t>(properties.max_threads, runtime.platform().sm.max_threads_per_block));
    int threads = bound;
    while (threads > static_cast<int>(sassafras::warp_size) && active_blocks(runtime, properties, threads, 0) == 0)
        threads -= static_cast<int>(sassafras::warp_size);
    return threads;
}

cudaError_t set_attribute(const void* host, cudaFuncAttribute attribute, int value,
                          const char* function = __builtin_FUNCTION()) {
    return with_kernel(
        host,
        [&](Runtime& runtime, Kernel& kernel, const isa::Kernel& properties) {
            switch (attribute) {
                case cudaFuncAttributeMaxDynamicSharedMemorySize: {
                    const std::uint64_t most = runtime.platform().sm.max_shared_per_block_bytes;
                    if (value < 0 || static_cast<std::uint64_t>(value) + properties.static_shared.count > most)
                        return cudaErrorInvalidValue;
                    kernel.most_dynamic_shared = static_cast<std::uint32_t>(value);
                    return cudaSuccess;
                }
                case cudaFuncAttributePreferredSharedMemoryCarveout:
                    if (value < -1 || value > 100) return cudaErrorInvalidValue;
                    kernel.preferred_carve_out = value;
                    return cudaSuccess;
                case cudaFuncAttributeClusterSchedulingPolicyPreference: return cudaSuccess;
                default:
                    if (static_cast<int>(attribute) < 0 || attribute >= cudaFuncAttributeMax)
                        return cudaErrorInvalidValue;
                    runtime.unsupported("cudaFuncSetAttribute",
                                        "attribute " + std::to_string(static_cast<int>(attribute)));
            }
        },
        function);
}

}  // namespace

extern "C" {

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* host) {
    return with_kernel(host, [&](Runtime& runtime, Kernel& kernel, const isa::Kernel& properties) {
        if (attributes == nullptr) return cudaErrorInvalidValue;
        *attributes = {};
        attributes->sharedSizeBytes = properties.static_shared.count;
        // An H200's runtime counts all __constant__ variables of the module, whatever the kernel reads.
        if (const auto size = runtime.device().constant_size(*kernel.module->loaded); size)
            attributes->constSizeBytes = size->count;
        attributes->localSizeBytes = properties.local_per_thread.count;
        attributes->maxThreadsPerBlock = most_threads(runtime, properties);
        attributes->numRegs = static_cast<int>(properties.registers_per_thread);
        attributes->ptxVersion = kernel.module->architecture;
        attributes->binaryVersion = kernel.module->architecture;
        attributes->maxDynamicSharedSizeBytes = static_cast<int>(runtime.most_dynamic(kernel, properties).count);
        attributes->preferredShmemCarveout = kernel.preferred_carve_out;
        return cudaSuccess;
    });
}

cudaError_t cudaFuncSetAttribute(const void* host, cudaFuncAttribute attribute, int value) {
    return set_attribute(host, attribute, value);
}

cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t kernel, cudaFuncAttribute attribute, int value, int device) {
    return device == 0 ? set_attribute(kernel, attribute, value) : keep(cudaErrorInvalidDevice);
}

cudaError_t cudaFuncSetCacheConfig(const void* host, cudaFuncCache /*preference*/) {
    return with_kernel(host, [](Runtime&, Kernel&, const isa::Kernel&) { return cudaSuccess; });
}

cudaError_t cudaFuncSetSharedMemConfig(const void* host, cudaSharedMemConfig /*width*/) {
    return with_kernel(host, [](Runtime&, Kernel&, const isa::Kernel&) { return cudaSuccess; });
}

cudaError_t cudaFuncGetName(const char** name, const void* host) {
    return with_kernel(host, [&](Runtime&, Kernel& kernel, const isa::Kernel&) {
        *name = kernel.name.c_str();
        return cudaSuccess;
    });
}

cudaError_t cudaFuncGetParamInfo(const void* host, std::size_t index, std::size_t* offset, std::size_t* size) {
    return with_kernel(host, [&](Runtime&, Kernel&, const isa::Kernel& properties) {
        if (index >= properties.parameters.size()) return cudaErrorInvalidValue;
        *offset = properties.parameters[index].offset;
        if (size != nullptr) *size = properties.parameters[index].size;
        return cudaSuccess;
    });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* host, int block_size,
                                                                   std::size_t dynamic, unsigned /*flags*/) {
    return with_kernel(host, [&](Runtime& runtime, Kernel&, const isa::Kernel& properties) {
        if (blocks == nullptr || block_size <= 0) return cudaErrorInvalidValue;
        // A launch bound is not looked at, as on an H200.
        const bool fits = static_cast<std::uint32_t>(block_size) <= runtime.platform().sm.max_threads_per_block;
        *blocks = fits ? active_blocks(runtime, properties, block_size, dynamic) : 0;
        return cudaSuccess;
    });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* host, int block_size,
                                                          std::size_t dynamic) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, host, block_size, dynamic, 0);
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(std::size_t* dynamic, const void* host, int blocks,
                                                      int block_size) {
    return with_kernel(host, [&](Runtime& runtime, Kernel& kernel, const isa::Kernel& properties) {
        if (dynamic == nullptr || blocks <= 0 || block_size <= 0) return cudaErrorInvalidValue;
        // As an H200's runtime computes it: what the system reserves in a block is not counted.
        constexpr std::uint64_t unit = 128;  // shared memory is given in multiples of it
        if (active_blocks(runtime, properties, block_size, 0) < blocks) return cudaErrorInvalidValue;
        const std::uint64_t share =
            runtime.platform().sm.shared_bytes / static_cast<std::uint64_t>(blocks) / unit * unit;
        const std::uint64_t left = share - std::min(share, properties.static_shared.count);
        *dynamic = std::min(left, runtime.most_dynamic(kernel, properties).count);
        return cudaSuccess;
    });
}

}  // extern "C"
