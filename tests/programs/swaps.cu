// Compare and swap, in shared and in global memory, among lanes, warps and blocks: what comes out does not depend on who was quicker.
#include <algorithm>

#include "check.cuh"

__global__ void float_sums(float* out, int lanes) {
    __shared__ float sums[32];
    if (threadIdx.x < 32) sums[threadIdx.x] = 0;
    __syncthreads();
    for (int i = 0; i < 4; ++i) atomicAdd(sums + threadIdx.x % 32 / lanes, static_cast<float>(threadIdx.x % 7));
    __syncthreads();
    if (threadIdx.x < 32) atomicAdd(out + threadIdx.x, sums[threadIdx.x]);
}

__global__ void greatest(int* out) {
    const float mine = static_cast<float>((blockIdx.x * blockDim.x + threadIdx.x) * 7919 % 10007);
    int old = *out;
    while (__int_as_float(old) < mine) {
        const int seen = old;
        old = atomicCAS(out, seen, __float_as_int(mine));
        if (old == seen) break;
    }
}

__global__ void locked(int* lock, volatile int* counter) {
    if (threadIdx.x % 32 != 0) return;
    while (atomicCAS(lock, 0, 1) != 0) {}
    __threadfence();
    *counter = *counter + 1;
    __threadfence();
    atomicExch(lock, 0);
}

__global__ void table(unsigned* keys, unsigned size, unsigned distinct) {
    const unsigned key = (blockIdx.x * blockDim.x + threadIdx.x) % distinct + 1;
    for (unsigned at = key * 2654435761U % size;; at = (at + 1) % size) {
        const unsigned found = atomicCAS(keys + at, 0U, key);
        if (found == 0 || found == key) return;
    }
}

int main() {
    void* data;
    CHECK(cudaMallocManaged(&data, 4096));
    const auto clear = [&] { CHECK(cudaMemset(data, 0, 4096)); };
    auto* const floats = static_cast<float*>(data);
    auto* const ints = static_cast<int*>(data);
    for (int lanes : {1, 4, 32}) {
        clear();
        float_sums<<<3, 192>>>(floats, lanes);
        CHECK(cudaDeviceSynchronize());
        float sum = 0;
        for (int i = 0; i < 32; ++i) sum += floats[i];
        std::printf("%d lanes a word: %.0f, first %.0f\n", lanes, sum, floats[0]);
    }
    clear();
    greatest<<<4, 128>>>(ints);
    CHECK(cudaDeviceSynchronize());
    std::printf("greatest: %.0f\n", floats[0]);
    clear();
    locked<<<3, 128>>>(ints, ints + 64);
    CHECK(cudaDeviceSynchronize());
    std::printf("locked: %d\n", ints[64]);
    clear();
    table<<<4, 256>>>(static_cast<unsigned*>(data), 1024, 600);
    CHECK(cudaDeviceSynchronize());
    std::printf("keys: %ld\n", static_cast<long>(1024 - std::count(ints, ints + 1024, 0)));
}
