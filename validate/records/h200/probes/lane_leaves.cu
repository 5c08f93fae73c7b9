// A loop that lanes leave one after the other, as of compare and swap: what it costs that some leave and the others go on.
//   nvcc -O3 -std=c++17 -arch=sm_90 -cudart shared -o lane_leaves lane_leaves.cu && ./lane_leaves > lane_leaves.csv
// A row: kind, warps, lanes that leave at a time (0: all at the end), trips, cycles of warp 0, second of two passes.
//   fma  eight dependent FFMAs a trip;  shared  a load from shared memory and what needs it;  first  as fma, those that leave first store a word
#include <cstdio>
__device__ __forceinline__ unsigned clock_now() {
    unsigned now;
    asm volatile("mov.u32 %0, %%clock;" : "=r"(now)::"memory");
    return now;
}
enum class Kind { fma, shared, first };
template <Kind kind>
__global__ void leave(unsigned* spent, unsigned at_a_time, unsigned trips) {
    __shared__ volatile unsigned words[1024];
    words[threadIdx.x] = 1;
    __syncthreads();
    const unsigned lane = threadIdx.x % 32;
    const unsigned last = at_a_time == 0 ? trips : lane / at_a_time + 1;
    float x = static_cast<float>(lane);
    unsigned cycles = 0;
    for (int pass = 0; pass < 2; ++pass) {
        __syncwarp();
        const unsigned begin = clock_now();
        unsigned trip = 0;
        do {
            if (kind != Kind::shared) {
#pragma unroll
                for (int k = 0; k < 8; ++k) asm volatile("fma.rn.f32 %0, %0, %0, %0;" : "+f"(x));
                ++trip;
            } else {
                trip += words[threadIdx.x];
            }
        } while (trip < last);
        if (kind == Kind::first) words[threadIdx.x] = 1;
        __syncwarp();
        cycles = clock_now() - begin;
    }
    if (threadIdx.x == 0) spent[0] = cycles;
    if (x == 1234.5f) spent[1] = 1;
}
int main() {
    unsigned* spent;
    cudaMallocManaged(&spent, 64);
    const auto run = [&](void (*kernel)(unsigned*, unsigned, unsigned), const char* name, unsigned warps, unsigned at_a_time, unsigned trips) {
        kernel<<<1, 32 * warps>>>(spent, at_a_time, trips);
        cudaDeviceSynchronize();
        std::printf("%s,%u,%u,%u,%u\n", name, warps, at_a_time, trips, spent[0]);
    };
    for (unsigned warps : {1u, 4u, 8u, 16u})
        for (unsigned at_a_time : {0u, 1u, 2u, 4u, 8u, 16u}) {
            const unsigned trips = at_a_time == 0 ? 32 : 32 / at_a_time;
            run(leave<Kind::fma>, "fma", warps, at_a_time, trips);
            run(leave<Kind::shared>, "shared", warps, at_a_time, trips);
            run(leave<Kind::first>, "first", warps, at_a_time, trips);
        }
}
