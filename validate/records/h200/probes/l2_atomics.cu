// How often L2 does atomics on one word, one sector, one slice and everywhere.
//   nvcc -O3 -std=c++17 -arch=sm_90 -cudart shared -o l2_atomics l2_atomics.cu
//   ./l2_atomics > l2_atomics.csv; sassafras exec -- ./l2_atomics
// A row: what (red; atom: with a result; cas; add64), lanes (one; word: all lanes of a warp one word; sector: words of one sector, each four times; line: 32 words of a line; lines: 32 lines),
// whose (one: all warps the same; sectors: of one line; line: a line each), SMs, warps an SM, cycles of the SMs for an instruction, all together, from 64 a warp.
#include <cstdio>
#include <cstdlib>
#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { std::printf("%s: %s\n", #x, cudaGetErrorString(e)); std::exit(1); } } while (0)
constexpr int rounds = 64;
enum What { red, atom, cas, add64 };
template <int what> __global__ void __launch_bounds__(1024) work(char* base, int lanes, int whose, unsigned zero, unsigned* sink) {
    const unsigned lane = threadIdx.x % 32, warp = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    if (lanes == 0 && lane != 0) return;
    char* at = base + (lanes == 2 ? lane % 8 * 4 : lanes == 3 ? lane * 4 : lanes == 4 ? lane * 4096 : 0);
    if (whose == 1) at += warp % 4 * 32;
    if (whose == 2) at += warp * 128ULL;
    if (what == add64) at = base + (at - base) * 2;
    unsigned sum = 0;
#pragma unroll 8
    for (int r = 0; r < rounds; ++r) {
        if (what == red) asm volatile("red.global.add.u32 [%0], %1;" :: "l"(at), "r"(zero) : "memory");
        unsigned old = 0;
        if (what == atom) asm volatile("atom.global.add.u32 %0, [%1], %2;" : "=r"(old) : "l"(at), "r"(zero + 1) : "memory");
        if (what == cas) asm volatile("atom.global.cas.b32 %0, [%1], %2, %3;" : "=r"(old) : "l"(at), "r"(zero + 7), "r"(zero) : "memory");
        if (what == add64) asm volatile("red.global.add.u64 [%0], %1;" :: "l"(at), "l"(static_cast<unsigned long long>(zero)) : "memory");
        sum += old;
    }
    if (sum == 0x12345) *sink = sum;
}
char* base;
unsigned* sink;
template <int what> void all(const char* name) {
    const char* of_lanes[] = {"one", "word", "sector", "line", "lines"};
    const char* of_whose[] = {"one", "sectors", "line"};
    cudaEvent_t begin, end;
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
    for (int lanes = 0; lanes < 5; ++lanes) {
        for (int whose = 0; whose < 3; ++whose) {
            if (whose == 1 && lanes > 2) continue;
            for (int sms : {1, 132}) {
                const int warps = sms == 1 ? 16 : 4;
                // Twice the work less once: what a launch takes cancels out.
                float of[2] = {1e9F, 1e9F};
                for (int repeat = 0; repeat < 3; ++repeat) {
                    for (int twice = 0; twice < 2; ++twice) {
                        CHECK(cudaEventRecord(begin));
                        work<what><<<sms, 32 * warps * (1 + twice)>>>(base, lanes, whose, 0, sink);
                        CHECK(cudaEventRecord(end));
                        CHECK(cudaEventSynchronize(end));
                        float ms;
                        CHECK(cudaEventElapsedTime(&ms, begin, end));
                        if (ms < of[twice]) of[twice] = ms;
                    }
                }
                std::printf("%s,%s,%s,%d,%d,%.3f\n", name, of_lanes[lanes], of_whose[whose], sms, warps, (of[1] - of[0]) * 1.98e6 / (rounds * warps * sms));
            }
        }
    }
}
int main() {
    CHECK(cudaMalloc(&base, 16 << 20));
    CHECK(cudaMemset(base, 0, 16 << 20));
    CHECK(cudaMalloc(&sink, 4));
    std::printf("what,lanes,whose,sms,warps,cycles\n");
    all<red>("red"); all<atom>("atom"); all<cas>("cas"); all<add64>("add64");
}
