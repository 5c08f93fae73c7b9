#include "cudart/device_facts.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "isa/cubin/cubin.hpp"
#include "sim/execute/device_heap.hpp"
#include "sim/trace/warp_trace.hpp"

namespace sassafras::cudart {

namespace {

constexpr double bytes_per_gb = 1e9;
constexpr int kilohertz_per_megahertz = 1000;

struct TextureAttribute {
    cudaDeviceAttr attribute;
    std::uint32_t sim::TextureLimits::*limit;
};

constexpr auto texture_attributes = std::to_array<TextureAttribute>({
    {cudaDevAttrMaxTexture1DWidth, &sim::TextureLimits::width_1d},
    {cudaDevAttrMaxTexture2DWidth, &sim::TextureLimits::width_2d},
    {cudaDevAttrMaxTexture2DHeight, &sim::TextureLimits::height_2d},
    {cudaDevAttrMaxTexture3DWidth, &sim::TextureLimits::width_3d},
    {cudaDevAttrMaxTexture3DHeight, &sim::TextureLimits::height_3d},
    {cudaDevAttrMaxTexture3DDepth, &sim::TextureLimits::depth_3d},
    {cudaDevAttrMaxTexture2DLayeredWidth, &sim::TextureLimits::layered_width_2d},
    {cudaDevAttrMaxTexture2DLayeredHeight, &sim::TextureLimits::layered_height_2d},
    {cudaDevAttrMaxTexture2DLayeredLayers, &sim::TextureLimits::layers_2d},
    {cudaDevAttrMaxTexture1DLayeredWidth, &sim::TextureLimits::layered_width_1d},
    {cudaDevAttrMaxTexture1DLayeredLayers, &sim::TextureLimits::layers_1d},
    {cudaDevAttrMaxTexture2DGatherWidth, &sim::TextureLimits::gather_width_2d},
    {cudaDevAttrMaxTexture2DGatherHeight, &sim::TextureLimits::gather_height_2d},
    {cudaDevAttrMaxTexture1DLinearWidth, &sim::TextureLimits::linear_width_1d},
    {cudaDevAttrMaxTexture2DLinearWidth, &sim::TextureLimits::linear_width_2d},
    {cudaDevAttrMaxTexture2DLinearHeight, &sim::TextureLimits::linear_height_2d},
    {cudaDevAttrMaxTexture2DLinearPitch, &sim::TextureLimits::linear_pitch_bytes},
    {cudaDevAttrSurfaceAlignment, &sim::TextureLimits::surface_alignment_bytes},
});

int whole(std::uint64_t value) { return static_cast<int>(std::min<std::uint64_t>(value, 0x7fffffff)); }

}  // namespace

cudaDeviceProp device_properties(const sim::Platform& platform, int compute_capability) {
    cudaDeviceProp properties{};
    const sim::SmParameters& sm = platform.sm;
    const sim::LimitsParameters& limits = platform.limits;
    const std::string name = "Sassafras " + platform.name;
    std::strncpy(properties.name, name.c_str(), sizeof properties.name - 1);
    properties.totalGlobalMem = static_cast<std::size_t>(platform.dram.capacity_gb * bytes_per_gb);
    properties.sharedMemPerBlock = std::min(limits.standard_shared_per_block_bytes, sm.max_shared_per_block_bytes);
    properties.regsPerBlock = whole(std::min(sm.registers, limits.registers_per_block));
    properties.warpSize = warp_size;
    properties.memPitch = limits.pitch_bytes;
    properties.maxThreadsPerBlock = whole(sm.max_threads_per_block);
    properties.maxThreadsDim[0] = whole(limits.max_block_x);
    properties.maxThreadsDim[1] = whole(limits.max_block_y);
    properties.maxThreadsDim[2] = whole(limits.max_block_z);
    properties.maxGridSize[0] = whole(limits.max_grid_x);
    properties.maxGridSize[1] = whole(limits.max_grid_y);
    properties.maxGridSize[2] = whole(limits.max_grid_z);
    properties.totalConstMem = limits.constant_bytes;
    properties.major = compute_capability / 10;
    properties.minor = compute_capability % 10;
    properties.textureAlignment = limits.textures.alignment_bytes;
    properties.texturePitchAlignment = limits.textures.pitch_alignment_bytes;
    properties.multiProcessorCount = whole(platform.gpu.sm_count);
    properties.canMapHostMemory = 1;
    properties.concurrentKernels = 1;
    properties.asyncEngineCount = whole(limits.copy_engines);
    properties.unifiedAddressing = 1;
    properties.l2CacheSize = whole(platform.l2.bytes);
    properties.maxThreadsPerMultiProcessor = whole(std::uint64_t{sm.max_warps} * warp_size);
    properties.streamPrioritiesSupported = 1;
    properties.globalL1CacheSupported = 1;
    properties.localL1CacheSupported = 1;
    properties.sharedMemPerMultiprocessor = sm.shared_bytes;
    properties.regsPerMultiprocessor = whole(sm.registers);
    properties.managedMemory = 1;
    properties.concurrentManagedAccess = 1;
    properties.canUseHostPointerForRegisteredMem = 1;
    properties.cooperativeLaunch = 1;
    properties.sharedMemPerBlockOptin = sm.max_shared_per_block_bytes;
    properties.maxBlocksPerMultiProcessor = whole(sm.max_blocks);
    properties.reservedSharedMemPerBlock = sm.reserved_shared_per_block_bytes;
    properties.hostRegisterSupported = 1;
    properties.memoryPoolsSupported = 1;
    properties.unifiedFunctionPointers = 1;
    return properties;
}

std::optional<int> device_attribute(cudaDeviceAttr attribute, const sim::Platform& platform, int compute_capability) {
    const cudaDeviceProp all = device_properties(platform, compute_capability);
    switch (attribute) {
        case cudaDevAttrMaxThreadsPerBlock: return all.maxThreadsPerBlock;
        case cudaDevAttrMaxBlockDimX: return all.maxThreadsDim[0];
        case cudaDevAttrMaxBlockDimY: return all.maxThreadsDim[1];
        case cudaDevAttrMaxBlockDimZ: return all.maxThreadsDim[2];
        case cudaDevAttrMaxGridDimX: return all.maxGridSize[0];
        case cudaDevAttrMaxGridDimY: return all.maxGridSize[1];
        case cudaDevAttrMaxGridDimZ: return all.maxGridSize[2];
        case cudaDevAttrMaxSharedMemoryPerBlock: return whole(all.sharedMemPerBlock);
        case cudaDevAttrTotalConstantMemory: return whole(all.totalConstMem);
        case cudaDevAttrWarpSize: return all.warpSize;
        case cudaDevAttrMaxPitch: return whole(all.memPitch);
        case cudaDevAttrMaxRegistersPerBlock: return all.regsPerBlock;
        case cudaDevAttrClockRate: return static_cast<int>(platform.clock.sm_mhz * kilohertz_per_megahertz);
        case cudaDevAttrTextureAlignment: return whole(all.textureAlignment);
        case cudaDevAttrTexturePitchAlignment: return whole(all.texturePitchAlignment);
        case cudaDevAttrGpuOverlap: return 1;
        case cudaDevAttrMultiProcessorCount: return all.multiProcessorCount;
        case cudaDevAttrKernelExecTimeout:
        case cudaDevAttrIntegrated:
        case cudaDevAttrComputeMode:
        case cudaDevAttrEccEnabled:
        case cudaDevAttrPciBusId:
        case cudaDevAttrPciDeviceId:
        case cudaDevAttrPciDomainId:
        case cudaDevAttrTccDriver:
        case cudaDevAttrIsMultiGpuBoard:
        case cudaDevAttrMultiGpuBoardGroupID:
        case cudaDevAttrHostNativeAtomicSupported:
        case cudaDevAttrPageableMemoryAccess:
        case cudaDevAttrPageableMemoryAccessUsesHostPageTables:
        case cudaDevAttrDirectManagedMemAccessFromHost:
        case cudaDevAttrSparseCudaArraySupported:
        case cudaDevAttrHostRegisterReadOnlySupported:
        case cudaDevAttrTimelineSemaphoreInteropSupported:
        case cudaDevAttrGPUDirectRDMASupported:
        case cudaDevAttrGPUDirectRDMAFlushWritesOptions:
        case cudaDevAttrGPUDirectRDMAWritesOrdering:
        case cudaDevAttrMemoryPoolSupportedHandleTypes:
        case cudaDevAttrDeferredMappingCudaArraySupported:
        case cudaDevAttrIpcEventSupport:
        case cudaDevAttrMpsEnabled:
        case cudaDevAttrClusterLaunch:
        case cudaDevAttrMaxPersistingL2CacheSize:
        case cudaDevAttrMaxAccessPolicyWindowSize: return 0;
        case cudaDevAttrCanMapHostMemory: return all.canMapHostMemory;
        case cudaDevAttrConcurrentKernels: return all.concurrentKernels;
        case cudaDevAttrL2CacheSize: return all.l2CacheSize;
        case cudaDevAttrMaxThreadsPerMultiProcessor: return all.maxThreadsPerMultiProcessor;
        case cudaDevAttrAsyncEngineCount: return all.asyncEngineCount;
        case cudaDevAttrUnifiedAddressing: return all.unifiedAddressing;
        case cudaDevAttrComputeCapabilityMajor: return all.major;
        case cudaDevAttrComputeCapabilityMinor: return all.minor;
        case cudaDevAttrStreamPrioritiesSupported: return all.streamPrioritiesSupported;
        case cudaDevAttrGlobalL1CacheSupported: return all.globalL1CacheSupported;
        case cudaDevAttrLocalL1CacheSupported: return all.localL1CacheSupported;
        case cudaDevAttrMaxSharedMemoryPerMultiprocessor: return whole(all.sharedMemPerMultiprocessor);
        case cudaDevAttrMaxRegistersPerMultiprocessor: return all.regsPerMultiprocessor;
        case cudaDevAttrManagedMemory: return all.managedMemory;
        case cudaDevAttrConcurrentManagedAccess: return all.concurrentManagedAccess;
        case cudaDevAttrComputePreemptionSupported: return 1;
        case cudaDevAttrCanUseHostPointerForRegisteredMem: return all.canUseHostPointerForRegisteredMem;
        case cudaDevAttrCooperativeLaunch: return all.cooperativeLaunch;
        case cudaDevAttrMaxSharedMemoryPerBlockOptin: return whole(all.sharedMemPerBlockOptin);
        case cudaDevAttrHostRegisterSupported: return all.hostRegisterSupported;
        case cudaDevAttrMaxBlocksPerMultiprocessor: return all.maxBlocksPerMultiProcessor;
        case cudaDevAttrReservedSharedMemoryPerBlock: return whole(all.reservedSharedMemPerBlock);
        case cudaDevAttrMemoryPoolsSupported: return all.memoryPoolsSupported;
        default: break;
    }
    for (const TextureAttribute& texture : texture_attributes)
        if (texture.attribute == attribute) return whole(platform.limits.textures.*texture.limit);
    return std::nullopt;
}

std::vector<std::size_t> initial_limits(const sim::Platform& platform) {
    const sim::LimitsParameters& limits = platform.limits;
    std::vector<std::size_t> values(cudaLimitPersistingL2CacheSize + 1);
    values[cudaLimitStackSize] = isa::default_stack_limit.count;
    values[cudaLimitPrintfFifoSize] = limits.printf_buffer_bytes;
    values[cudaLimitMallocHeapSize] = sim::DeviceHeap::default_size.count;
    values[cudaLimitDevRuntimePendingLaunchCount] = limits.pending_launches;
    values[cudaLimitMaxL2FetchGranularity] = limits.l2_fetch_bytes;
    return values;
}

std::optional<std::size_t> granted_limit(cudaLimit which, std::size_t value, const sim::Platform& platform) {
    const sim::LimitsParameters& limits = platform.limits;
    const auto rounded = [value](std::size_t unit, std::size_t least, std::size_t most) {
        if (value <= least) return least;
        return value >= most ? most : (value + unit - 1) / unit * unit;
    };
    switch (which) {
        case cudaLimitStackSize:
            if (value > limits.most_stack_bytes) return std::nullopt;
            return rounded(limits.stack_unit_bytes, 0, limits.most_stack_bytes);
        case cudaLimitPrintfFifoSize:
            return rounded(limits.printf_buffer_unit_bytes, limits.least_printf_buffer_bytes,
                           limits.most_printf_buffer_bytes);
        case cudaLimitMallocHeapSize:
            return rounded(limits.malloc_heap_unit_bytes, limits.least_malloc_heap_bytes,
                           static_cast<std::size_t>(limits.most_malloc_heap_bytes));
        case cudaLimitMaxL2FetchGranularity:
            if (value > limits.most_l2_fetch_bytes) return std::nullopt;
            return value;
        default: return value;
    }
}

}  // namespace sassafras::cudart
