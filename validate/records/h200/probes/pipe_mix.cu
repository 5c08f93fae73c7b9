// How instructions of different pipes share a sub-core's issue. Prints CSV: cycles of a sub-core for each group of instructions of a warp, so many of
// one kind and so many of another, none of which waits for another of its group.
//   nvcc -O3 -std=c++17 -arch=sm_90 -cudart shared -o pipe_mix pipe_mix.cu
//   ./pipe_mix; sassafras exec -- ./pipe_mix
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>
#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { std::printf("%s: %s\n", #x, cudaGetErrorString(e)); std::exit(1); } } while (0)
constexpr int rounds = 32, groups = 8;
enum Kind { k_ffma, k_imad, k_lop3, k_wide, k_mufu, k_half, k_fadd };

struct State {
    float f[8];
    int n[8];
    unsigned h[4];
    unsigned long long w[4];
    float m[4];
};
template <int kind> __device__ __forceinline__ void one(State& x, int k) {
    if constexpr (kind == k_ffma) asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(x.f[k % 6]) : "f"(x.f[7]));
    if constexpr (kind == k_fadd) asm volatile("add.rn.f32 %0, %0, %1;" : "+f"(x.f[k % 6]) : "f"(x.f[7]));
    if constexpr (kind == k_imad) asm volatile("mad.lo.s32 %0, %0, %1, %1;" : "+r"(x.n[k % 6]) : "r"(x.n[7]));
    if constexpr (kind == k_lop3) asm volatile("lop3.b32 %0, %0, %1, %1, 0x1b;" : "+r"(x.n[k % 6]) : "r"(x.n[7]));
    if constexpr (kind == k_wide) asm volatile("mad.wide.s32 %0, %1, %2, %0;" : "+l"(x.w[k % 4]) : "r"(x.n[6]), "r"(x.n[7]));
    if constexpr (kind == k_mufu) asm volatile("ex2.approx.ftz.f32 %0, %0;" : "+f"(x.m[k % 4]));
    if constexpr (kind == k_half) asm volatile("fma.rn.f16x2 %0, %0, %1, %1;" : "+r"(x.h[k % 3]) : "r"(x.h[3]));
}
template <int a, int a_count, int b, int b_count> __global__ void mix(const float* from, float* to, long long* spent) {
    State x;
    for (int k = 0; k < 8; ++k) { x.f[k] = from[k]; x.n[k] = threadIdx.x + k; }
    for (int k = 0; k < 4; ++k) { x.m[k] = from[k + 8]; x.h[k] = 0; x.w[k] = threadIdx.x; }
    __syncthreads();
    const long long begin = clock64();
#pragma unroll 1
    for (int r = 0; r < rounds; ++r) {
#pragma unroll
        for (int g = 0; g < groups; ++g) {
#pragma unroll
            for (int k = 0; k < a_count; ++k) {
                one<a>(x, g * a_count + k);
                if (b_count != 0 && k % ((a_count + b_count - 1) / (b_count == 0 ? 1 : b_count)) == 0) one<b>(x, g * b_count + k * b_count / a_count);
            }
        }
    }
    const long long end = clock64();
    if (threadIdx.x % 32 == 0) { spent[threadIdx.x / 32 * 2] = begin; spent[threadIdx.x / 32 * 2 + 1] = end; }
    float sum = 0;
    for (int k = 0; k < 8; ++k) sum += x.f[k] + x.n[k];
    for (int k = 0; k < 4; ++k) sum += x.m[k] + x.h[k] + static_cast<float>(x.w[k]);
    to[threadIdx.x] = sum;
}
float *from, *to;
long long* spent;
template <int a, int a_count, int b, int b_count> void row(const char* name) {
    std::vector<long long> host(128);
    for (int warps : {1, 2, 4, 8}) {
        double least = 1e30;
        for (int launch = 0; launch < 2; ++launch) {
            mix<a, a_count, b, b_count><<<1, 128 * warps>>>(from, to, spent);
            CHECK(cudaGetLastError());
            CHECK(cudaMemcpy(host.data(), spent, 64 * warps, cudaMemcpyDeviceToHost));
            long long first = host[0], last = 0;
            for (int w = 0; w < 4 * warps; ++w) { first = std::min(first, host[2 * w]); last = std::max(last, host[2 * w + 1]); }
            least = std::min(least, double(last - first) / (rounds * groups * warps));
        }
        std::printf("%s,%d,%d,%d,%.2f\n", name, a_count, b_count, warps, least);
    }
}
template <int a, int b> void rows(const char* name) { row<a, 8, b, 1>(name); row<a, 8, b, 2>(name); row<a, 8, b, 4>(name); row<a, 8, b, 8>(name); }
int main() {
    CHECK(cudaMalloc(&from, 8192));
    CHECK(cudaMemset(from, 0, 8192));
    CHECK(cudaMalloc(&to, 8192));
    CHECK(cudaMalloc(&spent, 1024));
    std::printf("pipes,of_first,of_second,warps_a_subcore,cycles\n");
    row<k_ffma, 8, k_imad, 0>("ffma"); row<k_fadd, 8, k_imad, 0>("fadd"); row<k_imad, 8, k_lop3, 0>("imad"); row<k_lop3, 8, k_imad, 0>("lop3"); row<k_half, 8, k_imad, 0>("half");
    rows<k_ffma, k_imad>("ffma+imad"); rows<k_fadd, k_imad>("fadd+imad"); rows<k_ffma, k_lop3>("ffma+lop3"); rows<k_ffma, k_wide>("ffma+wide"); rows<k_ffma, k_mufu>("ffma+mufu"); rows<k_ffma, k_half>("ffma+half");
    rows<k_imad, k_lop3>("imad+lop3"); rows<k_lop3, k_wide>("lop3+wide"); rows<k_lop3, k_mufu>("lop3+mufu"); rows<k_lop3, k_half>("lop3+half");
}
