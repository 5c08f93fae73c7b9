// Where a warp waits that has come to a barrier of its block before the others: there, or at a later instruction. Prints CSV: cycles a round.
//   nvcc -O3 -std=c++17 -arch=sm_90 -cudart shared -o barrier_defer barrier_defer.cu
// In each round every second warp, in turns, has 64 dependent FFMAs before the barrier; all have 64 behind it. If they wait at the barrier, a
// round takes the time of 128; if they do not, that of 96. Between the barrier and the FFMAs behind it stands what `behind` says.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>
#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { std::printf("%s: %s\n", #x, cudaGetErrorString(e)); std::exit(1); } } while (0)
enum Behind { nothing, shared_load, shared_load_later, shared_store, global_load, clock_read, shuffle, store_before };
template <int behind> __global__ void turns(long long* spent, float* sink, const float* from, int rounds) {
    __shared__ float words[1024];
    float x = threadIdx.x, y = 0;
    words[threadIdx.x] = x;
    __syncthreads();
    const long long begin = clock64();
#pragma unroll 1
    for (int r = 0; r < rounds; ++r) {
        if ((r + threadIdx.x / 32) % 2 == 0) {
#pragma unroll
            for (int k = 0; k < 64; ++k) asm volatile("fma.rn.f32 %0, %0, %0, %0;" : "+f"(x));
        }
        if (behind == store_before) words[threadIdx.x] = x;
        __syncthreads();
        if (behind == shared_load) asm volatile("ld.shared.f32 %0, [%1];" : "=f"(y) : "r"(static_cast<unsigned>(__cvta_generic_to_shared(words + (threadIdx.x ^ 32)))) : "memory");
        if (behind == shared_store) words[threadIdx.x] = x;
        if (behind == global_load) asm volatile("ld.global.f32 %0, [%1];" : "=f"(y) : "l"(from + threadIdx.x) : "memory");
        if (behind == clock_read) { unsigned now; asm volatile("mov.u32 %0, %%clock;" : "=r"(now)); y = __uint_as_float(now); }
        if (behind == shuffle) y = __shfl_xor_sync(~0u, x, 1);
#pragma unroll
        for (int k = 0; k < 64; ++k) asm volatile("fma.rn.f32 %0, %0, %0, %0;" : "+f"(x));
        if (behind == shared_load_later) asm volatile("ld.shared.f32 %0, [%1];" : "=f"(y) : "r"(static_cast<unsigned>(__cvta_generic_to_shared(words + (threadIdx.x ^ 32)))) : "memory");
        x += y;
    }
    const long long end = clock64();
    if (threadIdx.x % 32 == 0) { spent[threadIdx.x / 32 * 2] = begin; spent[threadIdx.x / 32 * 2 + 1] = end; }
    sink[threadIdx.x] = x;
}
int main() {
    long long* spent;
    float* sink;
    CHECK(cudaMalloc(&spent, 1024));
    CHECK(cudaMalloc(&sink, 8192));
    void (*const kernels[])(long long*, float*, const float*, int) = {turns<0>, turns<1>, turns<2>, turns<3>, turns<4>, turns<5>, turns<6>, turns<7>};
    const char* names[] = {"nothing", "shared_load", "shared_load_later", "shared_store", "global_load", "clock_read", "shuffle", "store_before"};
    std::vector<long long> host(128);
    std::printf("behind,warps,cycles_a_round\n");
    for (int k = 0; k < 8; ++k)
        for (int warps : {2, 8}) {
            for (int launch = 0; launch < 2; ++launch) kernels[k]<<<1, 32 * warps>>>(spent, sink, sink, 64);
            CHECK(cudaMemcpy(host.data(), spent, 16 * warps, cudaMemcpyDeviceToHost));
            long long first = host[0], last = 0;
            for (int w = 0; w < warps; ++w) { first = std::min(first, host[2 * w]); last = std::max(last, host[2 * w + 1]); }
            std::printf("%s,%d,%.1f\n", names[k], warps, double(last - first) / 64);
        }
}
