// What a program can ask about the GPU and about its kernels. No two GPUs of one kind differ in it.
#include "check.cuh"

__constant__ int table[16];  // no kernel but one reads them; all report them
__constant__ double factors[5];
__global__ void plain(int* out) { *out = 1; }
__global__ void looks_up(int* out) { *out = table[threadIdx.x & 15]; }
__global__ void __launch_bounds__(256) bounded(float* out) {
    __shared__ float values[300];
    for (int i = threadIdx.x; i < 300; i += 256) values[i] = out[i];
    __syncthreads();
    out[threadIdx.x] = values[299 - threadIdx.x];
}
__global__ void local(int* out, int index) {
    int values[50];
    for (int i = 0; i < 50; ++i) values[i] = out[i];
    out[threadIdx.x] = values[index];
}
__global__ void large(int* out) {
    extern __shared__ int values[];
    values[threadIdx.x] = 1;
    out[threadIdx.x] = values[threadIdx.x];
}

template <class Kernel>
void describe(const char* name, Kernel* kernel, std::size_t dynamic) {
    cudaFuncAttributes a{};
    CHECK(cudaFuncGetAttributes(&a, kernel));
    std::printf("%s: %d registers, %zu shared, %zu local, %zu constant, %d threads at most, %d dynamic at most, sm_%d\n", name,
                a.numRegs, a.sharedSizeBytes, a.localSizeBytes, a.constSizeBytes, a.maxThreadsPerBlock,
                a.maxDynamicSharedSizeBytes, a.binaryVersion);
    for (int block : {32, 128, 256, 512, 1024}) {
        int blocks = 0;
        CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, block, dynamic));
        std::printf(" %d", blocks);
    }
    int grid = 0;
    int best = 0;
    CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &best, kernel, dynamic, 0));
    std::size_t available = 0;
    CHECK(cudaOccupancyAvailableDynamicSMemPerBlock(&available, kernel, 2, 128));
    std::printf("; best block %d, grid %d; %zu bytes for each of two\n", best, grid, available);
}

int main() {
    int count = 0;
    int device = -1;
    CHECK(cudaGetDeviceCount(&count));
    CHECK(cudaGetDevice(&device));
    std::printf("device %d, at least one: %d\n", device, count >= 1);
    cudaDeviceProp p{};
    CHECK(cudaGetDeviceProperties(&p, 0));
    std::printf("%d.%d, %d SMs, warps of %d, %zu and %zu bytes of shared memory, %zu of an SM, %d reserved\n", p.major, p.minor,
                p.multiProcessorCount, p.warpSize, p.sharedMemPerBlock, p.sharedMemPerBlockOptin,
                p.sharedMemPerMultiprocessor, static_cast<int>(p.reservedSharedMemPerBlock));
    std::printf("%d registers, %d of an SM, %d threads, %d of an SM, %d blocks, grid (%d, %d, %d), block (%d, %d, %d)\n",
                p.regsPerBlock, p.regsPerMultiprocessor, p.maxThreadsPerBlock, p.maxThreadsPerMultiProcessor,
                p.maxBlocksPerMultiProcessor, p.maxGridSize[0], p.maxGridSize[1], p.maxGridSize[2], p.maxThreadsDim[0],
                p.maxThreadsDim[1], p.maxThreadsDim[2]);
    for (const cudaDeviceAttr attribute :
         {cudaDevAttrMaxThreadsPerBlock, cudaDevAttrTotalConstantMemory, cudaDevAttrWarpSize, cudaDevAttrClockRate,
          cudaDevAttrMultiProcessorCount, cudaDevAttrCooperativeLaunch, cudaDevAttrManagedMemory,
          cudaDevAttrConcurrentManagedAccess, cudaDevAttrMemoryPoolsSupported, cudaDevAttrComputeCapabilityMajor,
          cudaDevAttrMaxSharedMemoryPerBlockOptin, cudaDevAttrMaxTexture2DWidth}) {
        int value = 0;
        CHECK(cudaDeviceGetAttribute(&value, attribute, 0));
        std::printf("attribute %d: %d\n", static_cast<int>(attribute), value);
    }
    for (const cudaLimit limit : {cudaLimitStackSize, cudaLimitPrintfFifoSize, cudaLimitMallocHeapSize}) {
        std::size_t value = 0;
        CHECK(cudaDeviceGetLimit(&value, limit));
        std::printf("limit %d: %zu\n", static_cast<int>(limit), value);
    }
    CHECK(cudaFuncSetAttribute(large, cudaFuncAttributeMaxDynamicSharedMemorySize, 150000));
    describe("plain", plain, 0);
    describe("bounded", bounded, 1000);
    describe("local", local, 0);
    describe("large", large, 100000);
    describe("looks_up", looks_up, 0);
    int runtime = 0;
    CHECK(cudaRuntimeGetVersion(&runtime));
    std::printf("runtime %d\n", runtime / 1000);

    char own[32];
    CHECK(cudaDeviceGetPCIBusId(own, sizeof own, 0));
    const char* const texts[] = {own, own + 5, "nonsense", "", "0000:fe:1f.0", "fe:1f.0", "0000:fe:1f", "0:fe:1f.0 ", "0000:fe"};
    for (const char* text : texts) {
        int device = -1;
        const cudaError_t found = cudaDeviceGetByPCIBusId(&device, text);
        std::printf("device at \"%s\": %s, %d\n", text == own ? "its own place" : text == own + 5 ? "its own place without domain" : text,
                    cudaGetErrorName(found), device);
    }
}
