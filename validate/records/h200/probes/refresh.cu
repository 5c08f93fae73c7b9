// When cold loads are late: time of issue and latency of one lane's dependent loads of lines that nobody has touched.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <random>
#include <vector>
#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { std::printf("%s: %s\n", #x, cudaGetErrorString(e)); std::exit(1); } } while (0)
__global__ void walk(const char* base, const unsigned* lines, int n, long long* begin, unsigned* took) {
    unsigned long long zero = 0;
    for (int i = 0; i < n; ++i) {
        const unsigned at = lines[i];
        const long long t0 = clock64();
        unsigned v;
        asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v) : "l"(base + at * 128ull + zero) : "memory");
        zero += v;
        const long long t1 = clock64() + static_cast<long long>(zero);
        begin[i] = t0; took[i] = static_cast<unsigned>(t1 - t0);
    }
}
int main() {
    char* base; CHECK(cudaMalloc(&base, 4ull << 30)); CHECK(cudaMemset(base, 0, 4ull << 30));
    char* flush; CHECK(cudaMalloc(&flush, 256u << 20));
    const int n = 24576;
    unsigned *lines, *took; long long* begin; CHECK(cudaMalloc(&lines, n * 4)); CHECK(cudaMalloc(&took, n * 4)); CHECK(cudaMalloc(&begin, n * 8));
    std::printf("order,line,begin,took\n");
    const char* names[] = {"ascending", "random", "stride512", "stride4096"};
    for (int order = 0; order < 4; ++order) {
        std::vector<unsigned> l(n); std::mt19937 g(order + 7);
        for (int i = 0; i < n; ++i) l[i] = order == 0 ? i : order == 1 ? g() % (1u << 25) : order == 2 ? i * 4 : i * 32;
        CHECK(cudaMemset(flush, order, 256u << 20));
        CHECK(cudaMemcpy(lines, l.data(), n * 4, cudaMemcpyHostToDevice));
        CHECK(cudaDeviceSynchronize());
        walk<<<1, 1>>>(base, lines, n, begin, took);
        CHECK(cudaDeviceSynchronize());
        std::vector<unsigned> c(n); std::vector<long long> b(n);
        CHECK(cudaMemcpy(c.data(), took, n * 4, cudaMemcpyDeviceToHost)); CHECK(cudaMemcpy(b.data(), begin, n * 8, cudaMemcpyDeviceToHost));
        for (int i = 0; i < n; ++i) std::printf("%s,%u,%lld,%u\n", names[order], l[i], b[i] - b[0], c[i]);
    }
}
