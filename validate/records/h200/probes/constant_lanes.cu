// What LDC costs whose lanes want different words.
//   nvcc -O3 -std=c++17 -arch=sm_90 -cudart shared -o constant_lanes constant_lanes.cu && ./constant_lanes > constant_lanes.csv
// A row: kind (chain: each load's address is of the one before; several: eight of one address, which the compiler makes one load: eight times the cycles are a load's), words that the lanes want, words between two of them, which lanes share
// a word (0: neighbours, 1: lanes with the same remainder), bytes a load, warps of the block, cycles of the block a load of a warp. The code and the words were used before.
#include <cstdio>
#include <cstdlib>
#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { std::printf("%s: %s\n", #x, cudaGetErrorString(e)); std::exit(1); } } while (0)
constexpr int loads = 64;
__constant__ unsigned table[16384 - 64];
template <bool chain, typename T>
__global__ void work(const unsigned* places, unsigned* took, unsigned* sink) {
    unsigned at = places[threadIdx.x % 32], sum = 0;
    for (int pass = 0; pass < 3; ++pass) {
        __syncthreads();
        const unsigned begin = clock();
#pragma unroll
        for (int i = 0; i < loads; ++i) {
            const T v = *reinterpret_cast<const T*>(reinterpret_cast<const char*>(table) + at);
            if (chain) at += static_cast<unsigned>(v); else sum += static_cast<unsigned>(v), at ^= (i % 8 == 7 ? sum : 0);
        }
        __syncthreads();
        if (threadIdx.x == 0) took[pass] = clock() - begin;
    }
    if (sum + at == 0x12345) *sink = sum;
}
unsigned *places, *took, *sink;
template <bool chain, typename T> void rows(const char* name) {
    for (unsigned words : {1u, 2u, 3u, 4u, 6u, 8u, 12u, 16u, 24u, 32u})
        for (unsigned stride : {1u, 4u, 16u, 64u})
            for (unsigned order : {0u, 1u}) {
                if (order == 1 && (words == 1 || words == 32)) continue;
                for (unsigned warps : {1u, 4u, 16u}) {
                    unsigned at[32];
                    for (unsigned lane = 0; lane < 32; ++lane) at[lane] = (order == 0 ? lane * words / 32 : lane % words) * stride * 4;
                    CHECK(cudaMemcpy(places, at, sizeof(at), cudaMemcpyHostToDevice));
                    work<chain, T><<<1, warps * 32>>>(places, took, sink);
                    unsigned t[3];
                    CHECK(cudaMemcpy(t, took, sizeof(t), cudaMemcpyDeviceToHost));
                    std::printf("%s,%u,%u,%u,%zu,%u,%.2f\n", name, words, stride, order, sizeof(T), warps, t[2] / double(loads * warps));
                }
            }
}
int main() {
    CHECK(cudaMalloc(&places, 4096)); CHECK(cudaMalloc(&took, 4096)); CHECK(cudaMalloc(&sink, 4096));
    std::printf("kind,words,stride,order,bytes,warps,cycles\n");
    rows<true, unsigned>("chain");
    rows<false, unsigned>("several");
    rows<false, unsigned char>("several");
    rows<false, unsigned long long>("several");
}
