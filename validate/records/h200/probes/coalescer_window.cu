// For how long a read may be joined by another SM's, before it and for how long afterwards: two SMs of a GPC load the same line, the second `delay` cycles
// later; how late each load of a round really is, and what it takes. Prints CSV, a row a launch (coalescer_window.csv has them by lateness).
// Arguments: an SM of SM 0's TPC, one of its GPC, one of another, as who_runs_where.cu has them (else 1, 17 and 2, an H200's).
//   nvcc -O3 -std=c++17 -arch=sm_90 -cudart shared -o coalescer_window coalescer_window.cu && ./coalescer_window
// kind: hit: L2 has the line; cold: it has not; sectors: the second SM loads another sector than the first; part: the first loads all sectors and the second
// one; whole: the first loads one and the second all.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>
#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { std::printf("%s: %s\n", #x, cudaGetErrorString(e)); std::exit(1); } } while (0)
enum Kind { hit, cold, sectors, part, whole, kinds };
constexpr int rounds = 256;
__global__ void load(unsigned first, unsigned second, int kind, unsigned delay, const char* memory, unsigned* arrived, unsigned long long* when, unsigned* took, unsigned* sink) {
    unsigned sm; asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    if ((sm != first && sm != second) || threadIdx.x >= 32) return;
    const bool late = sm == second;
    unsigned long long now, start = 0;
    if (threadIdx.x == 0) {
        if (atomicAdd(arrived, 1) == 1) { asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now)); atomicExch(when, now + 3000); }
        while ((start = *(volatile unsigned long long*)when) == 0) {}
    }
    start = __shfl_sync(~0u, start, 0);
    do asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now)); while (now < start);
    long long at = clock64() + 1000 + (late ? delay : 0);
    const unsigned lane = threadIdx.x;
    unsigned x = 0;
    for (int r = 0; r < rounds; ++r) {
        const bool mine = kind == sectors ? lane / 8 == (late ? 1 : 0) : kind == part ? (late ? lane < 8 : true) : kind == whole ? (late ? true : lane < 8) : true;
        while (clock64() < at) {}
        const unsigned t0 = clock();
        unsigned v = 0;
        if (mine) asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v) : "l"(memory + r * 4224ull + lane * 4 + x) : "memory");
        x += __shfl_sync(~0u, v, kind == sectors && late ? 8 : 0);
        const unsigned t = (unsigned)clock() - t0 + x;
        if (lane == 0) took[late * rounds + r] = t | ((unsigned)((long long)t0 - (long long)(unsigned)at) << 16);
        at += 3000;
    }
    if (x == 77) *sink = x;
}
__global__ void read_all(const float4* from, size_t count, float* to) {
    float sum = 0;
    for (size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x; i < count; i += gridDim.x * size_t{blockDim.x}) sum += __ldcg(from + i).x;
    if (sum == 1234) *to = sum;
}
int main(int argc, char** argv) {
    const auto chosen = [&](int at, unsigned otherwise) { return argc > at ? unsigned(std::atoi(argv[at])) : otherwise; };
    char *memory, *other; unsigned *arrived, *took, *sink; unsigned long long* when; const size_t bytes = 256u << 20;
    CHECK(cudaMalloc(&memory, 64u << 20)); CHECK(cudaMemset(memory, 0, 64u << 20)); CHECK(cudaMalloc(&other, bytes)); CHECK(cudaMemset(other, 0, bytes));
    CHECK(cudaMalloc(&arrived, 4)); CHECK(cudaMalloc(&when, 8)); CHECK(cudaMalloc(&sink, 4)); CHECK(cudaMalloc(&took, 2 * rounds * 4));
    std::printf("kind,first,second,delay,rounds: late:took of the first : late:took of the second\n");
    const char* names[] = {"hit", "cold", "sectors", "part", "whole"};
    struct Pair { unsigned a, b; };
    for (const Pair& pair : {Pair{0, chosen(1, 1)}, Pair{0, chosen(2, 17)}, Pair{0, chosen(3, 2)}})
        for (int kind = 0; kind < kinds; ++kind)
            for (unsigned delay = 0; delay < (pair.b == chosen(3, 2) ? 1u : kind == hit ? 500u : 400u); delay += kind == hit ? 10 : 100) {
                CHECK(cudaMemset(arrived, 0, 4)); CHECK(cudaMemset(when, 0, 8));
                load<<<132, 1024>>>(pair.a, pair.b, kind, 0, memory, arrived, when, took, sink);
                if (kind == cold) read_all<<<1056, 256>>>((const float4*)other, bytes / 16, (float*)sink);
                CHECK(cudaMemset(arrived, 0, 4)); CHECK(cudaMemset(when, 0, 8));
                load<<<132, 1024>>>(pair.a, pair.b, kind, delay, memory, arrived, when, took, sink);
                CHECK(cudaDeviceSynchronize());
                std::vector<unsigned> t(2 * rounds); CHECK(cudaMemcpy(t.data(), took, t.size() * 4, cudaMemcpyDeviceToHost));
                std::printf("%s,%u,%u,%u", names[kind], pair.a, pair.b, delay);
                for (int r = 0; r < rounds; ++r) std::printf(",%u:%u:%u:%u", t[r] >> 16, t[r] & 65535, t[rounds + r] >> 16, t[rounds + r] & 65535);
                std::printf("\n");
            }
}
