// What a line costs an SM after another SM has read or written it: by pairs of SMs, line by line.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <random>
#include <vector>

#include "walk.cuh"

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
