// Where the far memory begins: latency of a cold load and of the load after it (a hit in L2), line by line, by one lane of one SM.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <random>
#include <vector>

#include "walk.cuh"

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
