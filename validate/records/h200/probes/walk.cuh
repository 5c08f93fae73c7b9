// Cold loads and the loads after them, line by line, by one lane of one SM.
#pragma once

#include <cstdio>
#include <cstdlib>

#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { std::printf("%s: %s\n", #x, cudaGetErrorString(e)); std::exit(1); } } while (0)

__global__ void walk(const char* base, const unsigned* lines, int n, unsigned sm, unsigned* cold, unsigned* hit, unsigned gap) {
    unsigned here; asm volatile("mov.u32 %0, %%smid;" : "=r"(here));
    if (here != sm || threadIdx.x != 0) return;
    unsigned long long zero = 0;
    __shared__ unsigned at[64], took[64], again[64];
    for (int from = 0; from < n; from += 64) {
        for (int i = 0; i < 64; ++i) at[i] = lines[from + i];
        for (int i = 0; i < 64; ++i) {
            for (int pass = 0; pass < 2; ++pass) {
                const long long t0 = clock64();
                unsigned v;
                asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v) : "l"(base + at[i] * 128ull + zero) : "memory");
                zero += v;
                at[i] += static_cast<unsigned>(zero);
                const long long t1 = clock64();
                (pass ? again : took)[i] = static_cast<unsigned>(t1 - t0);
                if (gap && pass) { const long long until = t1 + gap; while (clock64() < until) {} }
            }
        }
        for (int i = 0; i < 64; ++i) { cold[from + i] = took[i]; hit[from + i] = again[i]; }
    }
}
