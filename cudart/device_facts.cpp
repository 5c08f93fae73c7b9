#include "cudart/device_facts.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "sim/trace/warp_trace.hpp"

namespace sassafras::cudart {

namespace {

// CUDA C++ Programming Guide, technical specifications per compute capability: alike on all that the model knows.
constexpr int most_block_xy = 1024;
constexpr int most_block_z = 64;
constexpr int most_grid_x = 0x7fffffff;
constexpr int most_grid_yz = 65535;
constexpr int constant_bytes = 65536;
constexpr std::uint64_t standard_shared_bytes = 48U << 10U;
constexpr double bytes_per_gb = 1e9;
constexpr int kilohertz_per_megahertz = 1000;

struct Constant {
    cudaDeviceAttr attribute;
    int value;
};

/// Sizes of textures, which no GPU of these has otherwise; read from an H200 (driver 580.159.04).
constexpr auto texture_sizes = std::to_array<Constant>({
    {cudaDevAttrMaxTexture1DWidth, 131072},
    {cudaDevAttrMaxTexture2DWidth, 131072},
    {cudaDevAttrMaxTexture2DHeight, 65536},
    {cudaDevAttrMaxTexture3DWidth, 16384},
    {cudaDevAttrMaxTexture3DHeight, 16384},
    {cudaDevAttrMaxTexture3DDepth, 16384},
    {cudaDevAttrMaxTexture2DLayeredWidth, 32768},
    {cudaDevAttrMaxTexture2DLayeredHeight, 32768},
    {cudaDevAttrMaxTexture2DLayeredLayers, 2048},
    {cudaDevAttrMaxTexture1DLayeredWidth, 32768},
    {cudaDevAttrMaxTexture1DLayeredLayers, 2048},
    {cudaDevAttrMaxTexture2DGatherWidth, 32768},
    {cudaDevAttrMaxTexture2DGatherHeight, 32768},
    {cudaDevAttrMaxTexture1DLinearWidth, 268435456},
    {cudaDevAttrMaxTexture2DLinearWidth, 131072},
    {cudaDevAttrMaxTexture2DLinearHeight, 65000},
    {cudaDevAttrMaxTexture2DLinearPitch, 2097120},
    {cudaDevAttrSurfaceAlignment, 512},
});

int whole(std::uint64_t value) { return static_cast<int>(std::min<std::uint64_t>(value, 0x7fffffff)); }

}  // namespace

cudaDeviceProp device_properties(const sim::Platform& platform, int compute_capability) {
    cudaDeviceProp properties{};
    const sim::SmParameters& sm = platform.sm;
    const std::string name = "Sassafras " + platform.name;
    std::strncpy(properties.name, name.c_str(), sizeof properties.name - 1);
    properties.totalGlobalMem = static_cast<std::size_t>(platform.dram.capacity_gb * bytes_per_gb);
    properties.sharedMemPerBlock = std::min<std::uint64_t>(standard_shared_bytes, sm.max_shared_per_block_bytes);
    properties.regsPerBlock = whole(std::min<std::uint64_t>(sm.registers, 65536));
    properties.warpSize = warp_size;
    properties.memPitch = 0x7fffffff;
    properties.maxThreadsPerBlock = whole(sm.max_threads_per_block);
    properties.maxThreadsDim[0] = properties.maxThreadsDim[1] = most_block_xy;
    properties.maxThreadsDim[2] = most_block_z;
    properties.maxGridSize[0] = most_grid_x;
    properties.maxGridSize[1] = properties.maxGridSize[2] = most_grid_yz;
    properties.totalConstMem = constant_bytes;
    properties.major = compute_capability / 10;
    properties.minor = compute_capability % 10;
    properties.textureAlignment = 512;
    properties.texturePitchAlignment = 32;
    properties.multiProcessorCount = whole(platform.gpu.sm_count);
    properties.canMapHostMemory = 1;
    properties.concurrentKernels = 1;
    properties.asyncEngineCount = 3;
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
    for (const Constant& size : texture_sizes)
        if (size.attribute == attribute) return size.value;
    return std::nullopt;
}

std::optional<std::size_t> granted_limit(cudaLimit which, std::size_t value) {
    constexpr std::size_t most_stack = (512U << 10U) - 576;  // what is above a thread's stack is the driver's
    constexpr std::size_t most_l2_fetch = 128;
    const auto rounded = [value](std::size_t unit, std::size_t least, std::size_t most) {
        if (value <= least) return least;
        return value >= most ? most : (value + unit - 1) / unit * unit;
    };
    switch (which) {
        case cudaLimitStackSize:
            if (value > most_stack) return std::nullopt;
            return rounded(16, 0, most_stack);
        case cudaLimitPrintfFifoSize: return rounded(256, std::size_t{512} << 10U, std::size_t{2} << 30U);
        case cudaLimitMallocHeapSize:
            return rounded(std::size_t{64} << 10U, std::size_t{4} << 20U, std::size_t{1} << 62U);
        case cudaLimitMaxL2FetchGranularity:
            if (value > most_l2_fetch) return std::nullopt;
            return value;
        default: return value;
    }
}

}  // namespace sassafras::cudart
