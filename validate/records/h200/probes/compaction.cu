// What writing chosen elements to consecutive places costs, by how the places are found.
//   nvcc -O3 -std=c++17 -arch=sm_90 -cudart shared -o compaction compaction.cu
//   ncu --cache-control all --clock-control none --metrics sm__cycles_elapsed.max,... --csv ./compaction
// Of n words a block of 256 threads reads 256. A kernel's template arguments: how places are found, and what is chosen (each second word, or all).
//   shift   word i to place i + by: two lines a warp, both in part
//   ranked  a warp's words behind those of the warps before it, where each warp has as many: no atomics
//   warp    one atomic of L2 a warp gives the place
//   block   one atomic of shared memory a warp, one of L2 a block
//   counted only the atomic of a warp, whose result one lane stores
//   fetched only the atomic of a block, whose result one lane stores
#include <cstdio>
#include <cstdlib>
#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { std::printf("%s: %s\n", #x, cudaGetErrorString(e)); std::exit(1); } } while (0)
template <int by>
__global__ void shift(const unsigned* in, unsigned* out) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i + by] = in[i];
}
template <int every>
__global__ void ranked(const unsigned* in, unsigned* out) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    const unsigned v = in[i];
    const bool chosen = v % every == 0;
    const unsigned mask = __ballot_sync(~0u, chosen);
    if (chosen) out[i / 32 * (32 / every) + __popc(mask & ((1u << lane) - 1))] = v;
}
template <int every>
__global__ void warp(const unsigned* in, unsigned* out, unsigned* counter) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    const unsigned v = in[i];
    const bool chosen = v % every == 0;
    const unsigned mask = __ballot_sync(~0u, chosen);
    unsigned place = 0;
    if (lane == 0) place = atomicAdd(counter, __popc(mask));
    place = __shfl_sync(~0u, place, 0);
    if (chosen) out[place + __popc(mask & ((1u << lane) - 1))] = v;
}
template <int every>
__global__ void block(const unsigned* in, unsigned* out, unsigned* counter) {
    __shared__ unsigned count, base;
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    if (threadIdx.x == 0) count = 0;
    __syncthreads();
    const unsigned v = in[i];
    const bool chosen = v % every == 0;
    const unsigned mask = __ballot_sync(~0u, chosen);
    unsigned place = 0;
    if (lane == 0) place = atomicAdd(&count, __popc(mask));
    __syncthreads();
    if (threadIdx.x == 0) base = atomicAdd(counter, count);
    __syncthreads();
    place = __shfl_sync(~0u, place, 0) + base;
    if (chosen) out[place + __popc(mask & ((1u << lane) - 1))] = v;
}
__global__ void counted(const unsigned*, unsigned* out, unsigned* counter) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i % 32 == 0) out[i / 32] = atomicAdd(counter, 32);
}
__global__ void fetched(const unsigned*, unsigned* out, unsigned* counter) {
    if (threadIdx.x == 0) out[blockIdx.x] = atomicAdd(counter, 256);
}
int main() {
    const unsigned most = 1u << 22;
    unsigned *in, *out, *counter;
    CHECK(cudaMalloc(&in, most * 4)); CHECK(cudaMalloc(&out, most * 4 + 4096)); CHECK(cudaMalloc(&counter, 4096));
    unsigned* host = static_cast<unsigned*>(std::malloc(most * 4));
    for (unsigned i = 0; i < most; ++i) host[i] = i;
    CHECK(cudaMemcpy(in, host, most * 4, cudaMemcpyHostToDevice));
    for (unsigned n : {1u << 16, 1u << 18, 1u << 20, 1u << 22}) {
        const unsigned blocks = n / 256;
        CHECK(cudaMemset(counter, 0, 4096));
        shift<0><<<blocks, 256>>>(in, out);
        shift<8><<<blocks, 256>>>(in, out);
        shift<5><<<blocks, 256>>>(in, out);
        ranked<1><<<blocks, 256>>>(in, out);
        ranked<2><<<blocks, 256>>>(in, out);
        ranked<8><<<blocks, 256>>>(in, out);
        warp<1><<<blocks, 256>>>(in, out, counter);
        CHECK(cudaMemset(counter, 0, 4096));
        warp<2><<<blocks, 256>>>(in, out, counter);
        CHECK(cudaMemset(counter, 0, 4096));
        block<1><<<blocks, 256>>>(in, out, counter);
        CHECK(cudaMemset(counter, 0, 4096));
        block<2><<<blocks, 256>>>(in, out, counter);
        CHECK(cudaMemset(counter, 0, 4096));
        counted<<<blocks, 256>>>(in, out, counter);
        CHECK(cudaMemset(counter, 0, 4096));
        fetched<<<blocks, 256>>>(in, out, counter);
        CHECK(cudaDeviceSynchronize());
    }
}
