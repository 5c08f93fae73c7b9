// runs: address unaligned trap
// Errors of calls and of kernels. The kernel's fault comes last: nothing works after it.
#include "check.cuh"

__global__ void store(int* to) { to[threadIdx.x] = 1; }
__global__ void __launch_bounds__(64) small(int* to) { to[threadIdx.x] = 1; }
__global__ void unaligned(char* to) { *reinterpret_cast<int*>(to + 1) = 1; }
__global__ void trap() { __trap(); }

void say(const char* what, cudaError_t error) {
    std::printf("%s: %s, then %s", what, cudaGetErrorName(error), cudaGetErrorName(cudaPeekAtLastError()));
    std::printf(", %s", cudaGetErrorName(cudaGetLastError()));
    std::printf(", %s\n", cudaGetErrorName(cudaGetLastError()));
}

int main(int argc, char** argv) {
    const char* last = argc > 1 ? argv[1] : "address";
    int host = 0;
    int* device = nullptr;
    CHECK(cudaMalloc(&device, 4096));
    std::printf("%s\n%s\n", cudaGetErrorString(cudaErrorIllegalAddress), cudaGetErrorName(static_cast<cudaError_t>(12345)));
    int* huge = nullptr;
    say("too much memory", cudaMalloc(&huge, std::size_t{1} << 45));
    say("free of a host pointer", cudaFree(&host));
    say("copy of a host pointer", cudaMemcpy(&host, &host, 4, cudaMemcpyHostToDevice));
    say("copy too long", cudaMemcpy(device, device, std::size_t{1} << 30, cudaMemcpyDeviceToDevice));
    say("no direction", cudaMemcpy(device, &host, 4, static_cast<cudaMemcpyKind>(17)));
    say("no symbol", cudaMemcpyToSymbol(&host, &host, 4));
    say("no device", cudaSetDevice(99));
    say("memset of a host pointer", cudaMemset(&host, 0, 4));
    store<<<0, 32>>>(device);
    say("empty grid", cudaSuccess);
    store<<<1, 2000>>>(device);
    say("block too large", cudaSuccess);
    store<<<1, dim3(1, 1, 65)>>>(device);
    say("block too deep", cudaSuccess);
    store<<<dim3(1, 70000), 32>>>(device);
    say("grid too high", cudaSuccess);
    store<<<1, 32, 60000>>>(device);
    say("too much shared memory", cudaSuccess);
    small<<<1, 128>>>(device);
    say("beyond the launch bound", cudaSuccess);
    say("attribute", cudaFuncSetAttribute(store, cudaFuncAttributeMaxDynamicSharedMemorySize, 400000));
    store<<<1, 32>>>(device);
    say("all is well", cudaDeviceSynchronize());

    if (std::strcmp(last, "address") == 0) store<<<1, 32>>>(reinterpret_cast<int*>(0x100));
    if (std::strcmp(last, "unaligned") == 0) unaligned<<<1, 1>>>(reinterpret_cast<char*>(device));
    if (std::strcmp(last, "trap") == 0) trap<<<1, 1>>>();
    say("after the launch", cudaSuccess);
    say("synchronize", cudaDeviceSynchronize());
    say("again", cudaDeviceSynchronize());
    say("malloc", cudaMalloc(&huge, 4));
    say("copy", cudaMemcpy(&host, device, 4, cudaMemcpyDeviceToHost));
    store<<<1, 32>>>(device);
    say("launch", cudaSuccess);
}
