// How long a load that hits L1 takes, by what its lanes read, and what stores of many lines beside it cost. Prints CSV.
//   nvcc -O3 -std=c++17 -arch=sm_90 -cudart shared -o l1_mix l1_mix.cu
//   ./l1_mix; sassafras exec -- ./l1_mix
// latency: each load waits for the one before; cycles a load of a warp, with so many warps, each in a sub-core of its own. mix: `loads` loads and a store a
// round, none of which waits; cycles of the SM a round of a warp, 32 warps. Lanes read words `lane` apart and store words `store` apart (-1: no store).
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>
#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { std::printf("%s: %s\n", #x, cudaGetErrorString(e)); std::exit(1); } } while (0)
constexpr int words = 36864, rounds = 64;
__device__ unsigned warmed(const unsigned* memory) { unsigned sum = 0; for (int k = threadIdx.x; k < words; k += blockDim.x) sum += memory[k]; return sum; }
template <int width> __global__ void latency(const unsigned* memory, const unsigned* places, long long* spent, unsigned* sink) {
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    unsigned sum = warmed(memory);
    const unsigned* at = memory + places[lane];
    __syncthreads();
    const long long begin = clock64();
#pragma unroll 1
    for (int r = 0; r < rounds; ++r) {
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            unsigned a = 0, b = 0, c = 0, d = 0;
            if (width == 4) asm volatile("ld.global.u32 %0, [%1];" : "=r"(a) : "l"(at));
            if (width == 16) asm volatile("ld.global.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "l"(at));
            at += a | b | c | d;
        }
    }
    const long long end = clock64();
    if (lane == 0) { spent[warp * 2] = begin; spent[warp * 2 + 1] = end; }
    sink[threadIdx.x] = sum + at[0];
}
template <int loads, int stores> __global__ void mix(const unsigned* memory, unsigned* out, int lane_words, int store_words, long long* spent, unsigned* sink, unsigned zero) {
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    unsigned sum = warmed(memory);
    const unsigned* at = memory + lane * lane_words;
    unsigned* to = out + lane * store_words;
    __syncthreads();
    const long long begin = clock64();
#pragma unroll 1
    for (int r = 0; r < rounds; ++r) {
        unsigned v[8] = {};
#pragma unroll
        for (int k = 0; k < loads; ++k) asm volatile("ld.global.u32 %0, [%1];" : "=r"(v[k]) : "l"(at + k * 128));
#pragma unroll
        for (int k = 0; k < stores; ++k) asm volatile("st.global.u32 [%0], %1;" :: "l"(to + k), "r"(lane));
#pragma unroll
        for (int k = 0; k < loads; ++k) sum |= v[k];
        at += zero; to += zero;
    }
    const long long end = clock64();
    if (lane == 0) { spent[warp * 2] = begin; spent[warp * 2 + 1] = end; }
    sink[threadIdx.x] = sum;
}
unsigned *memory, *out, *sink, *places; long long* spent;
double span(int warps) {
    std::vector<long long> h(64); CHECK(cudaMemcpy(h.data(), spent, 16 * warps, cudaMemcpyDeviceToHost));
    long long first = h[0], last = 0; for (int w = 0; w < warps; ++w) { first = std::min(first, h[2 * w]); last = std::max(last, h[2 * w + 1]); }
    return double(last - first);
}
template <int width> void latencies(int lane_words) {
    std::vector<unsigned> p(32); for (int l = 0; l < 32; ++l) p[l] = l * lane_words;
    CHECK(cudaMemcpy(places, p.data(), 128, cudaMemcpyHostToDevice));
    std::printf("latency,%d,%d,", width, lane_words);
    for (int warps : {1, 2, 4, 8}) { double least = 1e30; for (int l = 0; l < 2; ++l) { latency<width><<<1, 32 * warps>>>(memory, places, spent, sink); CHECK(cudaGetLastError()); least = std::min(least, span(warps) / (rounds * 4)); } std::printf(",%.2f", least); }
    std::printf("\n");
}
template <int loads, int stores> void mixes(int lane_words, int store_words) {
    std::printf("mix,%d,%d,%d,%d", loads, stores, lane_words, store_words);
    for (int warps : {4, 32}) { double least = 1e30; for (int l = 0; l < 2; ++l) { mix<loads, stores><<<1, 32 * warps>>>(memory, out, lane_words, store_words, spent, sink, 0); CHECK(cudaGetLastError()); least = std::min(least, span(warps) / (rounds * warps)); } std::printf(",%.2f", least); }
    std::printf("\n");
}
int main() {
    CHECK(cudaMalloc(&memory, 4 * words)); CHECK(cudaMemset(memory, 0, 4 * words)); CHECK(cudaMalloc(&out, 1 << 22)); CHECK(cudaMalloc(&spent, 1024)); CHECK(cudaMalloc(&sink, 8192)); CHECK(cudaMalloc(&places, 128));
    std::printf("kind,...\n");
    for (int s : {0, 1, 2, 4, 8, 16, 32, 33, 36, 65, 97, 129, 257, 289}) latencies<4>(s);
    for (int s : {0, 4, 8, 16, 32, 36, 132, 260}) latencies<16>(s);
    for (int lane : {1, 33, 32}) for (int store : {1, 8, 32, 33}) { mixes<0, 1>(lane, store); mixes<1, 1>(lane, store); mixes<2, 1>(lane, store); mixes<4, 1>(lane, store); mixes<8, 1>(lane, store); mixes<4, 0>(lane, store); }
}
