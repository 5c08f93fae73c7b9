// How much code the cache of a GPC holds, and what it drops: straight lines of several lengths, run four times.
//   nvcc -O3 -std=c++17 -arch=sm_90 -cudart shared -o gpc_code gpc_code.cu && ./gpc_code > gpc_code.csv
// A row: KiB of code, blocks, launch (0: the first, 1: right behind it), pass, cycles of block 0 for a line of 128 bytes,
// in the whole pass and by its eighths.
#include <cstdio>
#include <cstdlib>
#include <vector>
#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { std::printf("%s: %s\n", #x, cudaGetErrorString(e)); std::exit(1); } } while (0)
constexpr int passes = 4;
__device__ __forceinline__ unsigned clock_now() {
    unsigned now;
    asm volatile("mov.u32 %0, %%clock;" : "=r"(now));
    return now;
}
/// `eighths` times 8 KiB of code for each of eight parts.
template <int kib> __global__ void __launch_bounds__(32) straight(unsigned* out, float* sink, unsigned seed) {
    float x[8];
#pragma unroll
    for (int j = 0; j < 8; ++j) x[j] = static_cast<float>(seed + j);
#pragma unroll 1
    for (int pass = 0; pass < passes; ++pass) {
        unsigned at[9];
#pragma unroll
        for (int part = 0; part < 8; ++part) {
            at[part] = clock_now();
#pragma unroll
            for (int i = 0; i < kib * 8; ++i) asm volatile("fma.rn.f32 %0, %0, %0, %0;" : "+f"(x[i % 8]));
        }
        at[8] = clock_now();
        if (blockIdx.x == 0 && threadIdx.x == 0)
            for (int part = 0; part < 9; ++part) out[pass * 9 + part] = at[part];
    }
    for (int j = 0; j < 8; ++j) sink[threadIdx.x] += x[j];
}
template <int kib> void run(unsigned* out, float* sink) {
    for (int blocks : {1, 132})
        for (int launch = 0; launch < 2; ++launch) {
            straight<kib><<<blocks, 32>>>(out, sink, 1);
            CHECK(cudaDeviceSynchronize());
            std::vector<unsigned> at(passes * 9);
            CHECK(cudaMemcpy(at.data(), out, at.size() * 4, cudaMemcpyDeviceToHost));
            for (int pass = 0; pass < passes; ++pass) {
                const unsigned* a = &at[pass * 9];
                std::printf("%d,%d,%d,%d,%.1f", kib, blocks, launch, pass, (a[8] - a[0]) / (kib * 8.0));
                for (int part = 0; part < 8; ++part) std::printf(",%.1f", (a[part + 1] - a[part]) / static_cast<double>(kib));
                std::printf("\n");
            }
        }
}
int main() {
    unsigned* out; float* sink;
    CHECK(cudaMalloc(&out, 4096)); CHECK(cudaMalloc(&sink, 4096));
    std::printf("kib,blocks,launch,pass,cycles,first,second,third,fourth,fifth,sixth,seventh,eighth\n");
    run<32>(out, sink); run<64>(out, sink); run<80>(out, sink); run<96>(out, sink); run<104>(out, sink);
    run<112>(out, sink); run<120>(out, sink); run<128>(out, sink); run<136>(out, sink); run<144>(out, sink); run<160>(out, sink);
}
