// The loop of gemm_tiled (workloads/gemm/gemm_simple.cu), for tile_times.cu and tile_blocks.cu.
#pragma once

#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                                                          \
    do {                                                                                                     \
        if (const cudaError_t error = (call); error != cudaSuccess) {                                        \
            std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error));                              \
            std::exit(1);                                                                                    \
        }                                                                                                    \
    } while (false)

constexpr int side = 16;

/// loads: 0 nothing of global memory, 1 a, 2 b, 3 both. Blocks of a row of `across` share a's tile, blocks of a column b's. A block's clocks: what it took, or
/// with `each_step` its begin, the end of each step, and its SM.
template <int loads, bool each_step>
__global__ void __launch_bounds__(256) tile(const float* a, const float* b, float* c, long long* clocks, int across, int n, int k, int steps) {
    __shared__ float a_tile[side][side];
    __shared__ float b_tile[side][side];
    const int x = threadIdx.x % side, y = threadIdx.x / side;
    const int row = blockIdx.x / across * side + y, column = blockIdx.x % across * side + x;
    float sum = 0;
    long long* own = clocks + blockIdx.x * (each_step ? steps + 2 : 1);
    long long begin = 0;
    if constexpr (each_step) {
        if (threadIdx.x == 0) *own++ = clock64();
    } else {
        begin = clock64();
    }
    for (int start = 0; start < steps * side; start += side) {
        a_tile[y][x] = (loads & 1) != 0 ? a[static_cast<long long>(row) * k + start + x] : sum;
        b_tile[y][x] = (loads & 2) != 0 ? b[static_cast<long long>(start + y) * n + column] : sum;
        __syncthreads();
        for (int i = 0; i < side; ++i) sum += a_tile[y][i] * b_tile[i][x];
        __syncthreads();
        if constexpr (each_step)
            if (threadIdx.x == 0) *own++ = clock64();
    }
    if constexpr (each_step) {
        if (threadIdx.x == 0) {
            unsigned sm;
            asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
            *own = sm;
        }
    } else {
        const long long end = clock64();
        if (threadIdx.x == 0) *own = end - begin;
    }
    c[blockIdx.x * 256 + threadIdx.x] = sum;
}
