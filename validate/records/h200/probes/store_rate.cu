// How fast stores of full lines leave SMs in the long run. Prints CSV: cycles that a store of a warp takes of its SM, of `sms` SMs with `warps` warps each.
//   local       16 words of local memory of each thread in turns
//   global      16 lines of each warp in turns        stream   lines of a region of 8 MiB, each warp its part, again and again
//   float2, float4   16 x 256 and 512 bytes of each warp in turns
// The clock is warm: a kernel of 300 ms runs before, unless there is an argument.
//   nvcc -O3 -std=c++17 -arch=sm_90 -cudart shared -o store_rate store_rate.cu
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>
#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { std::printf("%s: %s\n", #x, cudaGetErrorString(e)); std::exit(1); } } while (0)
constexpr int words = 16;
__global__ void spin(long long cycles, float* sink) { const long long from = clock64(); while (clock64() - from < cycles) {} if (cycles == 1) *sink = 1; }

template <int kind> __global__ void stores(float* memory, long long* spent, float* sink, int rounds, int one) {
    const unsigned lane = threadIdx.x % 32, warp = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, warps = gridDim.x * blockDim.x / 32;
    float x = threadIdx.x;
    float room[words];
    for (int k = 0; k < words; k += one) room[k] = k;
    const auto base = static_cast<unsigned>(__cvta_generic_to_local(room));
    __syncthreads();
    const long long from = clock64();
#pragma unroll 1
    for (int r = 0; r < rounds; ++r) {
        float* at = memory + warp * 32 * words + lane;
        if (kind == 2) at = memory + (r * warps + warp) % 4096 * (32 * words) + lane;
#pragma unroll
        for (int k = 0; k < words; ++k) {
            if (kind == 0) asm volatile("st.local.f32 [%0], %1;" ::"r"(base + 4 * k), "f"(x) : "memory");
            if (kind == 1 || kind == 2) asm volatile("st.global.f32 [%0], %1;" ::"l"(at + 32 * k), "f"(x) : "memory");
            if (kind == 3) asm volatile("st.global.v2.f32 [%0], {%1, %1};" ::"l"(memory + (warp * words + k) * 64 + 2 * lane), "f"(x) : "memory");
            if (kind == 4) asm volatile("st.global.v4.f32 [%0], {%1, %1, %1, %1};" ::"l"(memory + (warp * words + k) * 128 + 4 * lane), "f"(x) : "memory");
        }
    }
    const long long to = clock64();
    if (lane == 0) { spent[2 * warp] = from; spent[2 * warp + 1] = to; }
    if (one == 2) sink[0] = room[unsigned(sink[1]) % words];
}
using Kernel = void (*)(float*, long long*, float*, int, int);
int main(int argc, char** argv) {
    const bool quick = argc > 1;
    float *memory, *sink;
    long long* spent;
    CHECK(cudaMalloc(&memory, 64 << 20));
    CHECK(cudaMalloc(&sink, 4096));
    CHECK(cudaMalloc(&spent, 132 * 32 * 16 + 4096));
    spin<<<1, 32>>>(quick ? 1000 : 600000000, sink);
    CHECK(cudaDeviceSynchronize());
    const Kernel kernels[] = {stores<0>, stores<1>, stores<2>, stores<3>, stores<4>};
    const char* names[] = {"local", "global", "stream", "float2", "float4"};
    std::printf("space,sms,warps,cycles_a_store\n");
    std::vector<long long> host(132 * 32 * 2);
    for (int kind = 0; kind < 5; ++kind)
        for (int sms : {1, 2, 4, 8, 16, 33, 66, 100, 132})
            for (int warps : {1, 2, 4, 8, 32}) {
                const int rounds = quick ? 16 : std::max(32, 4096 / warps);
                double least = 1e30;
                for (int launch = 0; launch < (quick ? 1 : 3); ++launch) {
                    kernels[kind]<<<sms, 32 * warps>>>(memory, spent, sink, rounds, 1);
                    CHECK(cudaMemcpy(host.data(), spent, sms * warps * 16, cudaMemcpyDeviceToHost));
                    double sum = 0;
                    for (int s = 0; s < sms; ++s) {
                        long long from = host[2 * s * warps], to = 0;
                        for (int w = 0; w < warps; ++w) { from = std::min(from, host[2 * (s * warps + w)]); to = std::max(to, host[2 * (s * warps + w) + 1]); }
                        sum += double(to - from) / (double(rounds) * words * warps);
                    }
                    least = std::min(least, sum / sms);
                }
                std::printf("%s,%d,%d,%.2f\n", names[kind], sms, warps, least);
            }
}
