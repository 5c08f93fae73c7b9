// How the data stage of an SM takes turns between sub-cores. Prints CSV: cycles of the SM a load of a warp (its time over all loads of all warps that
// take part), where the warps of `mask` (a bit each; warp w is of sub-core w % 4) load words `stride` apart, each load behind the one before; then
// cycles a load of the warp that is done first, and last.
//   lds     from shared memory        ldg   from global memory that L1 has        mixed   lds, but only the first warp's lie `stride` apart, the others' side by side
//   nvcc -O3 -std=c++17 -arch=sm_90 -cudart shared -o subcore_turns subcore_turns.cu
//   ./subcore_turns; sassafras exec -- ./subcore_turns
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>
#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { std::printf("%s: %s\n", #x, cudaGetErrorString(e)); std::exit(1); } } while (0)
constexpr int rounds = 256, words = 8192;
template <int kind> __global__ void turns(const unsigned* memory, unsigned mask, unsigned stride, long long* spent, unsigned* sink) {
    __shared__ unsigned shared[words];
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (int k = threadIdx.x; k < words; k += blockDim.x) shared[k] = 0;
    const bool first = (mask & ((1u << warp) - 1)) == 0;
    const unsigned at = lane * (kind == 2 && !first ? 1 : stride) % (words - 8);
    unsigned place = static_cast<unsigned>(__cvta_generic_to_shared(shared)) + 4 * at, sum = 0;
    const unsigned* global = memory + at;
    for (int k = 0; k < 4; ++k) sum += global[k];
    __syncthreads();
    if ((mask >> warp & 1) == 0) return;
    for (int pass = 0; pass < 2; ++pass) {
        const long long begin = clock64();
#pragma unroll 1
        for (int r = 0; r < rounds; ++r) {
            unsigned v;
            if (kind == 1) asm volatile("ld.global.u32 %0, [%1];" : "=r"(v) : "l"(global));
            else asm volatile("ld.shared.u32 %0, [%1];" : "=r"(v) : "r"(place));
            sum += v;
            if (kind == 1) global += v; else place += v;
        }
        if (lane == 0 && pass == 1) { spent[2 * warp] = begin; spent[2 * warp + 1] = clock64(); }
    }
    if (sum == 1) *sink = sum;
}
int main() {
    unsigned *memory, *sink; long long* spent;
    CHECK(cudaMalloc(&memory, words * 4)); CHECK(cudaMemset(memory, 0, words * 4)); CHECK(cudaMalloc(&sink, 64)); CHECK(cudaMalloc(&spent, 32 * 16));
    using Kernel = void (*)(const unsigned*, unsigned, unsigned, long long*, unsigned*);
    const Kernel kernels[] = {turns<0>, turns<1>, turns<2>};
    const char* names[] = {"lds", "ldg", "mixed"};
    std::vector<long long> host(64);
    std::printf("kind,mask,stride,cycles,first,last\n");
    for (int kind = 0; kind < 3; ++kind)
        for (unsigned mask : {0x1u, 0x3u, 0x5u, 0x9u, 0x6u, 0xau, 0xcu, 0x7u, 0xfu, 0x11u, 0x13u, 0x33u, 0xffu, 0xfffu, 0xffffu})
            for (unsigned stride : {1u, 2u, 4u, 8u, 16u, 32u}) {
                double least = 1e30, low = 0, high = 0;
                for (int launch = 0; launch < 3; ++launch) {
                    CHECK(cudaMemset(spent, 0, 32 * 16));
                    kernels[kind]<<<1, 512>>>(memory, mask, stride, spent, sink);
                    CHECK(cudaMemcpy(host.data(), spent, 32 * 16, cudaMemcpyDeviceToHost));
                    long long from = 1ll << 62, to = 0, shortest = 1ll << 62, longest = 0; int warps = 0;
                    for (int w = 0; w < 16; ++w) if (mask >> w & 1) { from = std::min(from, host[2 * w]); to = std::max(to, host[2 * w + 1]); const long long own = host[2 * w + 1] - host[2 * w]; shortest = std::min(shortest, own); longest = std::max(longest, own); ++warps; }
                    const double cycles = double(to - from) / (double(rounds) * warps);
                    if (cycles < least) { least = cycles; low = shortest / double(rounds); high = longest / double(rounds); }
                }
                std::printf("%s,%x,%u,%.2f,%.2f,%.2f\n", names[kind], mask, stride, least, low, high);
            }
}
