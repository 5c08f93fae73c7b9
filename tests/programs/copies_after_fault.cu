// runs: to_pageable from_pageable set host_to_host to_pageable_few from_pageable_few set_async device
// Which copies and sets say that a kernel before them failed: those of which the host waits for the end.
#include <string>
#include <vector>

#include "check.cuh"

__global__ void store(int* where) { *where = 1; }

int main(int, char** arguments) {
    const std::string which = arguments[1];
    const std::size_t size = std::size_t{1} << 20U;
    char* device;
    char* pinned;
    cudaStream_t stream;
    CHECK(cudaMalloc(&device, 2 * size));
    CHECK(cudaMallocHost(&pinned, size));
    CHECK(cudaStreamCreate(&stream));
    std::vector<char> pageable(2 * size);
    char* const host = pageable.data();
    store<<<1, 1, 0, stream>>>(reinterpret_cast<int*>(64));
    cudaError_t said = cudaErrorUnknown;
    if (which == "to_pageable") said = cudaMemcpyAsync(host, device, size, cudaMemcpyDeviceToHost, stream);
    if (which == "from_pageable") said = cudaMemcpyAsync(device, host, size, cudaMemcpyHostToDevice, stream);
    if (which == "set") said = cudaMemset(pinned, 1, size);
    if (which == "host_to_host") said = cudaMemcpyAsync(host, host + size, size, cudaMemcpyHostToHost, stream);
    if (which == "to_pageable_few") said = cudaMemcpyAsync(host, device, 4, cudaMemcpyDeviceToHost, stream);
    if (which == "from_pageable_few") said = cudaMemcpyAsync(device, host, 4, cudaMemcpyHostToDevice, stream);
    if (which == "set_async") said = cudaMemsetAsync(pinned, 1, size, stream);
    if (which == "device") said = cudaMemcpy(device + size, device, size, cudaMemcpyDeviceToDevice);
    std::printf("%s, then %s\n", cudaGetErrorName(said), cudaGetErrorName(cudaDeviceSynchronize()));
}
