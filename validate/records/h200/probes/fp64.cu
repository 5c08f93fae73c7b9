// Rates of FP64 arithmetic and conversions beside FP32, by which registers are read. Prints CSV: cycles of a sub-core for each group of instructions of
// a warp, a first one of `kind` and so many FFMAs `of` another kind.
//   nvcc -O3 -std=c++17 -arch=sm_90 -cudart shared -o fp64 fp64.cu
//   ./fp64; sassafras exec -- ./fp64
// three, two_same, one: DFMA of three pairs of registers, of two, of one three times; literal: with an immediate; up, down: F2F to and from FP64;
// pair_chain: F2F up, DFMA, F2F down, each behind the other, and FFMAs behind those.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>
#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { std::printf("%s: %s\n", #x, cudaGetErrorString(e)); std::exit(1); } } while (0)
constexpr int rounds = 64, groups = 8;
enum Kind { three, two_same, one, literal, product, sum, up_down, up_only, down_only, fma_imm, fma_three, pair_chain, fma_two };

template <int kind, int ffma, int ffma_kind> __global__ void mix(const float* from, float* to, long long* spent) {
    float f[8], s[8];
    double d[8], e[8];
    for (int k = 0; k < 8; ++k) { f[k] = from[threadIdx.x + k]; s[k] = from[k]; d[k] = from[k + 8]; e[k] = from[k + 16]; }
    __syncthreads();
    const long long from_clock = clock64();
#pragma unroll 1
    for (int r = 0; r < rounds; ++r) {
#pragma unroll
        for (int g = 0; g < groups; ++g) {
            const int i = g % 4;
            if constexpr (kind == three) asm volatile("fma.rn.f64 %0, %0, %1, %2;" : "+d"(e[i]) : "d"(e[4]), "d"(e[5]));
            if constexpr (kind == two_same) asm volatile("fma.rn.f64 %0, %0, %1, %1;" : "+d"(e[i]) : "d"(e[4]));
            if constexpr (kind == one) asm volatile("fma.rn.f64 %0, %0, %0, %0;" : "+d"(e[i]));
            if constexpr (kind == literal) asm volatile("fma.rn.f64 %0, %0, %1, 0dBFD0000000000000;" : "+d"(e[i]) : "d"(e[4]));
            if constexpr (kind == product) asm volatile("mul.rn.f64 %0, %0, %1;" : "+d"(e[i]) : "d"(e[4]));
            if constexpr (kind == sum) asm volatile("add.rn.f64 %0, %0, %1;" : "+d"(e[i]) : "d"(e[4]));
            if constexpr (kind == up_down) { asm volatile("cvt.f64.f32 %0, %1;" : "=d"(d[i]) : "f"(s[i])); asm volatile("cvt.rn.f32.f64 %0, %1;" : "=f"(s[(i + 2) % 4]) : "d"(d[(i + 2) % 4])); }
            if constexpr (kind == pair_chain) { asm volatile("cvt.f64.f32 %0, %1;" : "=d"(d[0]) : "f"(s[0])); asm volatile("fma.rn.f64 %0, %0, %1, 0dBFD0000000000000;" : "+d"(d[0]) : "d"(e[4])); asm volatile("cvt.rn.f32.f64 %0, %1;" : "=f"(s[0]) : "d"(d[0])); }
            if constexpr (kind == up_only) { double wide; asm volatile("cvt.f64.f32 %0, %1;" : "=d"(wide) : "f"(s[i])); s[i] = __int_as_float(__double2hiint(wide)); }
            if constexpr (kind == down_only) { float narrow; asm volatile("cvt.rn.f32.f64 %0, %1;" : "=f"(narrow) : "d"(d[i])); d[i] = __hiloint2double(__float_as_int(narrow), __double2loint(d[i])); }
#pragma unroll
            for (int k = 0; k < ffma; ++k) {
                const int j = 1 + (g * ffma + k) % 6;
                if constexpr (ffma_kind == fma_imm) asm volatile("fma.rn.f32 %0, %0, 0f3E000000, %1;" : "+f"(f[j]) : "f"(f[7]));
                if constexpr (ffma_kind == fma_two) asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(f[j]) : "f"(f[7]));
                if constexpr (ffma_kind == fma_three) asm volatile("fma.rn.f32 %0, %0, %1, %2;" : "+f"(f[j]) : "f"(f[7]), "f"(f[0]));
                if constexpr (ffma_kind == pair_chain) asm volatile("fma.rn.f32 %0, %0, 0f3E000000, %1;" : "+f"(f[1]) : "f"(s[0]));
            }
        }
    }
    const long long to_clock = clock64();
    if (threadIdx.x % 32 == 0) { spent[threadIdx.x / 32 * 2] = from_clock; spent[threadIdx.x / 32 * 2 + 1] = to_clock; }
    float sum_ = 0;
    for (int k = 0; k < 8; ++k) sum_ += f[k] + s[k] + float(d[k]) + float(e[k]);
    to[threadIdx.x] = sum_;
}
using Kernel = void (*)(const float*, float*, long long*);
struct Row { Kernel kernel; const char* text; };
#define ROW(a, n, b) {mix<a, n, b>, #a "," #n "," #b}
#define ROWS(a) ROW(a, 0, fma_imm), ROW(a, 2, fma_imm), ROW(a, 4, fma_imm), ROW(a, 8, fma_imm), ROW(a, 16, fma_imm), ROW(a, 8, fma_two), ROW(a, 8, fma_three)
int main() {
    float *from, *to;
    long long* spent;
    CHECK(cudaMalloc(&from, 8192));
    CHECK(cudaMemset(from, 0, 8192));
    CHECK(cudaMalloc(&to, 8192));
    CHECK(cudaMalloc(&spent, 1024));
    const Row rows[] = {ROWS(three), ROWS(two_same), ROWS(one), ROWS(literal), ROWS(product), ROWS(sum), ROWS(up_down), ROWS(up_only), ROWS(down_only),
                        ROW(pair_chain, 0, fma_imm), ROW(pair_chain, 8, fma_imm), ROW(pair_chain, 4, pair_chain), ROW(pair_chain, 8, pair_chain), ROW(pair_chain, 16, pair_chain), ROW(fma_imm, 8, fma_imm), ROW(fma_imm, 8, fma_two), ROW(fma_imm, 8, fma_three)};
    std::printf("kind,ffma,of,warps_a_subcore,cycles\n");
    std::vector<long long> host(128);
    for (const Row& row : rows)
        for (int warps : {1, 2, 4, 8}) {
            double least = 1e30;
            for (int launch = 0; launch < 2; ++launch) {
                row.kernel<<<1, 128 * warps>>>(from, to, spent);
                CHECK(cudaMemcpy(host.data(), spent, 64 * warps, cudaMemcpyDeviceToHost));
                long long first = host[0], last = 0;
                for (int w = 0; w < 4 * warps; ++w) { first = std::min(first, host[2 * w]); last = std::max(last, host[2 * w + 1]); }
                least = std::min(least, double(last - first) / (rounds * groups * warps));
            }
            std::printf("%s,%d,%.2f\n", row.text, warps, least);
        }
}
