// How sub-cores share the data stage when their loads conflict: chosen warps of a block, of which warp w runs in sub-core w % 4, each
// load from shared memory (lds), or from lines that L1 has (ldg), so that every load takes `ways` wavefronts; 64 loads a warp, eight
// in flight (or one).
//
//   nvcc -O3 -std=c++17 -arch=sm_90 -cudart shared -o subcore_conflicts subcore_conflicts.cu && ./subcore_conflicts > subcore_conflicts.csv
//
// A row: what, loads in flight, warps that run (a bit each), ways, cycles a load and warp: from the first begin to the last end over
// 64 and the number of warps, then each running warp's own time over 64.
#include <cstdio>

constexpr int loads = 64;

template <bool global, int in_flight>
__device__ __forceinline__ void run(const float* from, long long* spent, float* sink, unsigned warps, unsigned ways) {
    __shared__ float words[4096];
    for (int k = threadIdx.x; k < 4096; k += blockDim.x) words[k] = from[k];
    __syncthreads();
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    // lane's bank: `ways` lanes in each that is used
    const unsigned at = ways == 0 ? 0 : lane / ways + lane % ways * 32;
    float sum = 0;
    if (global)
        for (int k = threadIdx.x % 32; k < 4096; k += 32) sum += from[k];
    __syncthreads();
    long long begin = 0, end = 0;
    if (warps >> warp & 1) {
        float x[in_flight];
        unsigned offset = at;
        begin = clock64();
#pragma unroll
        for (int k = 0; k < loads / in_flight; ++k) {
#pragma unroll
            for (int j = 0; j < in_flight; ++j)
                if (global)
                    asm volatile("ld.global.ca.f32 %0, [%1];" : "=f"(x[j]) : "l"(from + offset + 32 * j));
                else
                    asm volatile("ld.volatile.shared.f32 %0, [%1];" : "=f"(x[j]) : "r"(static_cast<unsigned>(__cvta_generic_to_shared(words + offset + 32 * j))));
#pragma unroll
            for (int j = 0; j < in_flight; ++j) offset += __float_as_uint(x[j]) & 0x80000000U;
        }
        sum += static_cast<float>(offset);
        end = clock64();
    }
    if (lane == 0) { spent[2 * warp] = begin; spent[2 * warp + 1] = end; }
    sink[threadIdx.x] = sum;
}
extern "C" {
__global__ void __launch_bounds__(512) lds_8(const float* f, long long* s, float* k, unsigned w, unsigned y) { run<false, 8>(f, s, k, w, y); }
__global__ void __launch_bounds__(512) lds_1(const float* f, long long* s, float* k, unsigned w, unsigned y) { run<false, 1>(f, s, k, w, y); }
__global__ void __launch_bounds__(512) ldg_8(const float* f, long long* s, float* k, unsigned w, unsigned y) { run<true, 8>(f, s, k, w, y); }
__global__ void __launch_bounds__(512) ldg_1(const float* f, long long* s, float* k, unsigned w, unsigned y) { run<true, 1>(f, s, k, w, y); }
}

int main() {
    float* from;
    float* sink;
    long long* spent;
    cudaMalloc(&from, 65536);
    cudaMemset(from, 0, 65536);
    cudaMalloc(&sink, 4096);
    cudaMallocManaged(&spent, 512);
    void (*kernels[])(const float*, long long*, float*, unsigned, unsigned) = {lds_8, lds_1, ldg_8, ldg_1};
    const char* names[] = {"lds,8", "lds,1", "ldg,8", "ldg,1"};
    for (int kernel = 0; kernel < 4; ++kernel)
        for (const unsigned warps : {1U, 0x11U, 3U, 5U, 9U, 7U, 0xfU, 0x1fU, 0x33U, 0x3fU, 0xffU, 0xfffU, 0xffffU})
            for (const unsigned ways : {1U, 2U, 3U, 4U, 6U, 8U, 12U, 16U, 24U, 32U}) {
                for (int again = 0; again < 2; ++again) kernels[kernel]<<<1, 512>>>(from, spent, sink, warps, ways);
                cudaDeviceSynchronize();
                long long first = 0x7fffffffffffffff, last = 0;
                int running = 0;
                for (int warp = 0; warp < 16; ++warp) {
                    if ((warps >> warp & 1) == 0) continue;
                    ++running;
                    if (spent[2 * warp] < first) first = spent[2 * warp];
                    if (spent[2 * warp + 1] > last) last = spent[2 * warp + 1];
                }
                std::printf("%s,%x,%u,%.2f", names[kernel], warps, ways, double(last - first) / loads / running);
                for (int warp = 0; warp < 16; ++warp)
                    if (warps >> warp & 1) std::printf(",%.1f", double(spent[2 * warp + 1] - spent[2 * warp]) / loads);
                std::printf("\n");
            }
    const cudaError_t error = cudaDeviceSynchronize();
    if (error != cudaSuccess) std::printf("error,%s\n", cudaGetErrorString(error));
    return error != cudaSuccess;
}
