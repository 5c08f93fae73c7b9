// How many loads that hit L1 an SM takes, by what they touch. Prints CSV: cycles of an SM for each load of a warp.
//   nvcc -O3 -std=c++17 -arch=sm_90 -cudart shared -o l1_hits l1_hits.cu
//   ./l1_hits; sassafras exec -- ./l1_hits
// A warp has `flight` loads under way, each `stride` words behind the one before; lanes are `lane` words apart (0: all read one word), warps `warp` words. `width`
// in bytes. Warps are of one sub-core if `one` is 1. What the loads of a round bring decides (by a zero) where those of the next begin if `chain` is 1.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>
#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { std::printf("%s: %s\n", #x, cudaGetErrorString(e)); std::exit(1); } } while (0)
constexpr int rounds = 64;
enum Space { global, shared };
template <int width, int flight, int stride, int chain, int space, int one, int strong> __global__ void loads(const unsigned* memory, long long* spent, unsigned* sink, int lane_words, int warp_words, unsigned zero, int warmed) {
    __shared__ unsigned words[8192];
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    if (one && warp % 4 != 0) return;
    for (unsigned k = threadIdx.x; k < 8192; k += blockDim.x) words[k] = 0;
    unsigned sum = 0;
    for (int k = threadIdx.x; k < warmed; k += blockDim.x) sum += memory[k];  // L1 has it all
    const unsigned* at = memory + (warp / (one ? 4 : 1)) * warp_words + lane * lane_words;
    unsigned place = static_cast<unsigned>(__cvta_generic_to_shared(words)) + ((warp / (one ? 4 : 1)) * warp_words + lane * lane_words) * 4;
    __syncthreads();
    const long long begin = clock64();
#pragma unroll 1
    for (int r = 0; r < rounds; ++r) {
        unsigned v[flight][4];
#pragma unroll
        for (int k = 0; k < flight; ++k) {
            if (space == global) {
                if (width == 4 && strong) asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(v[k][0]) : "l"(at + k * stride));
                if (width == 4 && !strong) asm volatile("ld.global.u32 %0, [%1];" : "=r"(v[k][0]) : "l"(at + k * stride));
                if (width == 8 && strong) asm volatile("ld.global.ca.v2.u32 {%0, %1}, [%2];" : "=r"(v[k][0]), "=r"(v[k][1]) : "l"(at + k * stride));
                if (width == 8 && !strong) asm volatile("ld.global.v2.u32 {%0, %1}, [%2];" : "=r"(v[k][0]), "=r"(v[k][1]) : "l"(at + k * stride));
                if (width == 16 && strong) asm volatile("ld.global.ca.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(v[k][0]), "=r"(v[k][1]), "=r"(v[k][2]), "=r"(v[k][3]) : "l"(at + k * stride));
                if (width == 16 && !strong) asm volatile("ld.global.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(v[k][0]), "=r"(v[k][1]), "=r"(v[k][2]), "=r"(v[k][3]) : "l"(at + k * stride));
            } else {
                if (width == 4) asm volatile("ld.shared.u32 %0, [%1];" : "=r"(v[k][0]) : "r"(place + k * stride * 4));
                if (width == 8) asm volatile("ld.shared.v2.u32 {%0, %1}, [%2];" : "=r"(v[k][0]), "=r"(v[k][1]) : "r"(place + k * stride * 4));
                if (width == 16) asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(v[k][0]), "=r"(v[k][1]), "=r"(v[k][2]), "=r"(v[k][3]) : "r"(place + k * stride * 4));
            }
        }
        unsigned all = 0;
#pragma unroll
        for (int k = 0; k < flight; ++k) for (int i = 0; i < width / 4; ++i) all |= v[k][i];
        sum += all;
        if (chain) { at += all; place += all; } else { at += zero; place += zero; }
    }
    const long long end = clock64();
    if (lane == 0) { spent[warp * 2] = begin; spent[warp * 2 + 1] = end; }
    sink[threadIdx.x] = sum + at[0];
}
unsigned *memory, *sink; long long* spent;
template <int width, int flight, int stride, int chain, int space = global, int strong = 0, int one = 0> void row(int lane_words, int warp_words) {
    std::vector<long long> host(64);
    if constexpr (one == 0 && strong == 0) row<width, flight, stride, chain, space, 0, 1>(lane_words, warp_words);
        for (int warps : {1, 2, 4, 8, 16, 32}) {
            if (one && warps > 8) continue;
            double least = 1e30;
            for (int launch = 0; launch < 2; ++launch) {
                CHECK(cudaMemset(spent, 0, 1024));
                loads<width, flight, stride, chain, space, one, strong><<<1, 32 * warps * (one ? 4 : 1)>>>(memory, spent, sink, lane_words, warp_words, 0, 24576);
                CHECK(cudaGetLastError());
                CHECK(cudaMemcpy(host.data(), spent, 512, cudaMemcpyDeviceToHost));
                long long first = 1LL << 62, last = 0;
                for (int w = 0; w < 32; ++w) if (host[2 * w] != 0) { first = std::min(first, host[2 * w]); last = std::max(last, host[2 * w + 1]); }
                least = std::min(least, double(last - first) / (rounds * flight * warps));
            }
            std::printf("%s,%d,%d,%d,%d,%d,%d,%d,%d,%.3f\n", space == shared ? "shared" : strong ? "strong" : "global", width, flight, stride, chain, lane_words, warp_words, one, warps, least);
        }
}
int main() {
    CHECK(cudaMalloc(&memory, 1 << 20)); CHECK(cudaMemset(memory, 0, 1 << 20)); CHECK(cudaMalloc(&spent, 1024)); CHECK(cudaMalloc(&sink, 8192));
    std::printf("space,width,flight,stride,chain,lane,warp,one,warps,cycles\n");
    row<4, 16, 8, 0>(0, 0);      // a word of each sector in turn
    row<4, 16, 1, 0>(0, 0);      // words of a line
    row<4, 16, 32, 0>(0, 0); row<4, 16, 32, 0>(1, 0); row<4, 16, 32, 0>(1, 512); row<4, 16, 32, 0>(1, 32); row<4, 16, 32, 0>(1, 96);
    row<4, 16, 64, 0>(1, 0); row<4, 16, 128, 0>(1, 0); row<4, 16, 256, 0>(1, 0); row<4, 16, 512, 0>(1, 0); row<4, 16, 512, 0>(1, 32); row<4, 16, 96, 0>(1, 0);
    row<4, 4, 32, 0>(1, 0); row<4, 4, 32, 1>(1, 0); row<4, 4, 32, 1, global, 1>(1, 0); row<4, 16, 32, 0, global, 1>(1, 0); row<4, 16, 1, 0, global, 1>(0, 0); row<4, 16, 8, 0>(0, 32); row<4, 16, 8, 0>(32, 0); row<4, 16, 8, 0>(33, 0); row<4, 16, 8, 0>(8, 0); row<4, 16, 8, 0>(4, 0);row<4, 16, 8, 0>(2, 0); row<4, 1, 32, 0>(1, 0); row<4, 1, 32, 0>(1, 32); row<4, 2, 32, 0>(1, 32); row<4, 8, 32, 0>(1, 256);
    row<4, 16, 32, 1>(1, 0); row<4, 16, 32, 1>(1, 512);
    row<8, 16, 64, 0>(2, 0); row<8, 16, 32, 0>(0, 0);
    row<16, 8, 128, 0>(4, 0); row<16, 8, 32, 0>(0, 0);
    row<4, 16, 64, 0>(2, 0); 
    row<4, 16, 32, 0, shared>(1, 0); row<4, 4, 32, 0, shared>(1, 0); row<8, 16, 64, 0, shared>(2, 0); row<16, 8, 128, 0, shared>(4, 0); row<4, 16, 32, 0, shared>(2, 0); row<4, 16, 32, 0, shared>(4, 0);
}
