// Where the far memory begins: latency of a cold load and of the load after it (a hit in L2), line by line, by one lane of one SM.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <random>
#include <vector>
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

__global__ void fill(char* base, const unsigned* lines, int n, unsigned sm) {
    unsigned here; asm volatile("mov.u32 %0, %%smid;" : "=r"(here));
    if (here != sm || threadIdx.x >= 32) return;
    for (int i = 0; i < n; ++i) reinterpret_cast<volatile unsigned*>(base + lines[i] * 128ull)[threadIdx.x] = 0;
}
int main() {
    char* base; CHECK(cudaMalloc(&base, 4ull << 30)); CHECK(cudaMemset(base, 0, 4ull << 30));
    char* flush; CHECK(cudaMalloc(&flush, 256u << 20));
    const int n = 4096;
    unsigned *lines, *cold, *hit; CHECK(cudaMalloc(&lines, n * 4)); CHECK(cudaMalloc(&cold, n * 4)); CHECK(cudaMalloc(&hit, n * 4));
    std::printf("how,first,second,line,cold,hit\n");
    std::vector<unsigned> l(n); std::iota(l.begin(), l.end(), 0u); std::mt19937 g(3); std::shuffle(l.begin(), l.end(), g);
    CHECK(cudaMemcpy(lines, l.data(), n * 4, cudaMemcpyHostToDevice));
    const unsigned pairs[][2] = {{0, 0}, {0, 2}, {0, 37}, {0, 90}, {90, 0}, {90, 37}, {2, 90}};
    for (int how = 0; how < 3; ++how)
        for (auto& p : pairs) {
            CHECK(cudaMemset(flush, how, 256u << 20)); CHECK(cudaDeviceSynchronize());
            if (how == 0) walk<<<132, 1024>>>(base, lines, n, p[0], cold, hit, 0);
            if (how == 1) fill<<<132, 1024>>>(base, lines, n, p[0]);
            CHECK(cudaDeviceSynchronize());
            if (how == 2) { walk<<<132, 1024>>>(base, lines, n, p[1], cold, hit, 0); CHECK(cudaDeviceSynchronize()); fill<<<132, 1024>>>(base, lines, n, p[0]); CHECK(cudaDeviceSynchronize()); }
            walk<<<132, 1024>>>(base, lines, n, p[1], cold, hit, 0);
            CHECK(cudaDeviceSynchronize());
            std::vector<unsigned> c(n), h(n);
            CHECK(cudaMemcpy(c.data(), cold, n * 4, cudaMemcpyDeviceToHost)); CHECK(cudaMemcpy(h.data(), hit, n * 4, cudaMemcpyDeviceToHost));
            for (int i = 0; i < n; ++i) std::printf("%s,%u,%u,%u,%u,%u\n", how == 0 ? "read" : how == 1 ? "write" : "read_write", p[0], p[1], l[i], c[i], h[i]);
        }
}
