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
int main() {
    char* base; CHECK(cudaMalloc(&base, 4ull << 30)); CHECK(cudaMemset(base, 0, 4ull << 30));
    char* flush; CHECK(cudaMalloc(&flush, 256u << 20));
    const int n = 4096;
    unsigned *lines, *cold, *hit; CHECK(cudaMalloc(&lines, n * 4)); CHECK(cudaMalloc(&cold, n * 4)); CHECK(cudaMalloc(&hit, n * 4));
    std::printf("order,sm,line,cold,hit\n");
    const char* names[] = {"ascending", "random512K", "random4G", "ascending_gap", "again512K"};
    for (unsigned sm : {0u, 2u, 37u, 90u})
        for (int order = 0; order < 5; ++order) {
            std::vector<unsigned> l(n);
            std::iota(l.begin(), l.end(), 0u);
            std::mt19937 g(order + 7);
            if (order == 1 || order == 4) std::shuffle(l.begin(), l.end(), g);
            if (order == 2) for (auto& x : l) x = g() % (1u << 25);
            CHECK(cudaMemcpy(lines, l.data(), n * 4, cudaMemcpyHostToDevice));
            CHECK(cudaMemset(flush, order, 256u << 20));
            CHECK(cudaDeviceSynchronize());
            walk<<<132 * 2, 1024>>>(base, lines, 0, sm, cold, hit, 0);
            walk<<<132, 1024>>>(base, lines, n, sm, cold, hit, order == 3 ? 3000 : 0);
            CHECK(cudaDeviceSynchronize());
            std::vector<unsigned> c(n), h(n);
            CHECK(cudaMemcpy(c.data(), cold, n * 4, cudaMemcpyDeviceToHost)); CHECK(cudaMemcpy(h.data(), hit, n * 4, cudaMemcpyDeviceToHost));
            for (int i = 0; i < n; ++i) std::printf("%s,%u,%u,%u,%u\n", names[order], sm, l[i], c[i], h[i]);
        }
}
