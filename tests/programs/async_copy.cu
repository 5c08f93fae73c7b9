// Asynchronous copies to shared memory.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_pipeline.h>

#include "check.cuh"

namespace cg = cooperative_groups;

__global__ void primitives(const int4* in, int* out) {
    __shared__ int4 tile[2][64];
    int sum = 0;
    __pipeline_memcpy_async(&tile[0][threadIdx.x], &in[threadIdx.x], 16);
    __pipeline_commit();
    for (int step = 0; step < 8; ++step) {
        if (step < 7) __pipeline_memcpy_async(&tile[(step + 1) % 2][threadIdx.x], &in[(step + 1) * 64 + static_cast<int>(threadIdx.x)], 16);
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        const int4 other = tile[step % 2][63 - threadIdx.x];
        sum = sum * 31 + other.x + other.y * 3 + other.z * 5 + other.w * 7;
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}
__global__ void groups(const int* in, int* out) {
    __shared__ int tile[256];
    const cg::thread_block block = cg::this_thread_block();
    cg::memcpy_async(block, tile, in, sizeof tile);
    cg::wait(block);
    out[threadIdx.x] = tile[255 - threadIdx.x] * 3;
}
__global__ void with_barrier(const int* in, int* out) {
    __shared__ int tile[128];
    __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
    if (threadIdx.x == 0) init(&barrier, blockDim.x);
    __syncthreads();
    cuda::memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], sizeof(int), barrier);
    barrier.arrive_and_wait();
    out[threadIdx.x] = tile[(threadIdx.x + 64) % 128] + 1;
}

int main() {
    std::vector<int> numbers(64 * 8 * 4);
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<int>(mix(i));
    DeviceArray<int> in(numbers);
    DeviceArray<int> out(256);
    primitives<<<1, 64>>>(reinterpret_cast<const int4*>(in.data), out.data);
    CHECK(cudaDeviceSynchronize());
    auto host = out.host();
    host.resize(64);
    show("pipeline", host);
    groups<<<1, 256>>>(in.data, out.data);
    CHECK(cudaDeviceSynchronize());
    show("group copy", out.host());
    with_barrier<<<1, 128>>>(in.data, out.data);
    CHECK(cudaDeviceSynchronize());
    host = out.host();
    host.resize(128);
    show("barrier", host);
}
