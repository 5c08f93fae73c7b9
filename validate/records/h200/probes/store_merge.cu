// Which stores leave an SM: warps store to so many lines each in turns, with so many dependent FFMAs, of four cycles each, between two stores. Prints
// the launches in order; Nsight Compute counts what is stored and what leaves:
//   nvcc -O3 -std=c++17 -arch=sm_90 -cudart shared -o store_merge store_merge.cu
//   ncu --csv --page raw --cache-control none --metrics l1tex__m_l1tex2xbar_write_sectors_mem_lg_op_st.sum,\
//       l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum,l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum ./store_merge
// Spaces: 0 local memory, 1 global, 2 global by halves: words of even number of two lines, then those of odd number. In local memory nvcc joins some
// neighbouring stores to STL.64.
#include <cstdio>
#include <cstdlib>
#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { std::printf("%s: %s\n", #x, cudaGetErrorString(e)); std::exit(1); } } while (0)
constexpr int steps = 64, rounds = 16;
enum Space { local_space, global_space, halves };

template <int gap> __device__ __forceinline__ float wait(float x) {
#pragma unroll
    for (int i = 0; i < gap; ++i) asm volatile("fma.rn.f32 %0, %0, %0, %0;" : "+f"(x));
    return x;
}
__device__ __forceinline__ void store_local(unsigned at, float value) { asm volatile("st.local.f32 [%0], %1;" ::"r"(at), "f"(value) : "memory"); }
__device__ __forceinline__ void store_global(float* at, float value) { asm volatile("st.global.f32 [%0], %1;" ::"l"(at), "f"(value) : "memory"); }

template <int space, int lines, int gap> __global__ void merge(float* memory, float* sink, int one) {
    float room[space == local_space ? lines : 1];
    float x = threadIdx.x;
    if constexpr (space == local_space) {
        for (int k = 0; k < lines; k += one) room[k] = k;
        const auto base = static_cast<unsigned>(__cvta_generic_to_local(room)), again = base + 4 * (one - 1);
#pragma unroll 1
        for (int r = 0; r < rounds; ++r)
#pragma unroll
            for (int k = 0; k < steps; ++k) { store_local((k / lines % 2 ? again : base) + 4 * (k % lines), x); x = wait<gap>(x); }
        if (one == 2) x += room[sink[0] > 0];
    } else {
        const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32 + blockIdx.x * blockDim.x / 32;
        float* base = memory + warp * lines * 32 * (space == halves ? 2 : 1) + lane * (space == halves ? 2 : 1);
        float* again = base + one - 1;
#pragma unroll 1
        for (int r = 0; r < rounds; ++r)
#pragma unroll
            for (int k = 0; k < steps; ++k) {
                if constexpr (space == global_space) store_global((k / lines % 2 ? again : base) + 32 * (k % lines), x);
                if constexpr (space == halves) store_global((k / lines / 2 % 2 ? again : base) + 64 * (k / 2 % lines) + k % 2, x);  // words of even, then of odd number
                x = wait<gap>(x);
            }
    }
    sink[blockIdx.x * blockDim.x + threadIdx.x] = x;
}
template <int space, int lines, int gap> void go(float* memory, float* sink, int blocks, int warps) {
    std::printf("%d,%d,%d,%d,%d\n", space, lines, gap, blocks, warps);
    merge<space, lines, gap><<<blocks, 32 * warps>>>(memory, sink, 1);
    CHECK(cudaDeviceSynchronize());
}
template <int space, int lines> void gaps(float* memory, float* sink) {
    go<space, lines, 0>(memory, sink, 1, 1); go<space, lines, 1>(memory, sink, 1, 1); go<space, lines, 2>(memory, sink, 1, 1); go<space, lines, 4>(memory, sink, 1, 1);
    go<space, lines, 8>(memory, sink, 1, 1); go<space, lines, 32>(memory, sink, 1, 1); go<space, lines, 128>(memory, sink, 1, 1);
}
template <int space> void all(float* memory, float* sink) {
    gaps<space, 1>(memory, sink); gaps<space, 2>(memory, sink); gaps<space, 4>(memory, sink); gaps<space, 8>(memory, sink); gaps<space, 16>(memory, sink); gaps<space, 32>(memory, sink);
    go<space, 1, 0>(memory, sink, 1, 4); go<space, 1, 0>(memory, sink, 1, 8); go<space, 1, 0>(memory, sink, 1, 16); go<space, 1, 0>(memory, sink, 1, 32);
    go<space, 4, 0>(memory, sink, 1, 4); go<space, 4, 0>(memory, sink, 1, 8); go<space, 4, 0>(memory, sink, 1, 16);
    go<space, 4, 2>(memory, sink, 1, 4); go<space, 4, 8>(memory, sink, 1, 4); go<space, 4, 8>(memory, sink, 1, 8); go<space, 4, 32>(memory, sink, 1, 8);
    go<space, 8, 4>(memory, sink, 132, 8);
}
int main() {
    float *memory, *sink;
    CHECK(cudaMalloc(&memory, 64 << 20));
    CHECK(cudaMalloc(&sink, 132 * 1024 * 4));
    CHECK(cudaMemset(sink, 0, 132 * 1024 * 4));
    std::printf("space,lines,gap,blocks,warps\n");
    all<local_space>(memory, sink);
    all<global_space>(memory, sink);
    all<halves>(memory, sink);
}
