// How long a warp waits for a load of many sectors, one load after the other, while the data comes from DRAM or lies in L2: as in searches.
//
//   nvcc -O3 -std=c++17 -arch=sm_90 -cudart shared -o gather_latency gather_latency.cu
//   ./gather_latency > gather_latency.csv; sassafras exec --cache-control none -- ./gather_latency quick
//
// Every lane chases sectors of its own at random in a region; `sectors` neighbours of a warp's lanes share one each. A row: cold (L2 emptied
// by reading 160 MiB) or warm (the same launch again), region in bytes, SMs (a block each), warps of a block, sectors of a load, then
// the mean time of a load, in cycles, of loads 1 to 4, 5 to 8, 9 to 16, ... 129 to 256, and of all.
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { std::printf("%s: %s\n", #x, cudaGetErrorString(e)); std::exit(1); } } while (0)

constexpr int loads = 256;

__global__ void __launch_bounds__(256) chase(const unsigned* from, unsigned mask, unsigned sectors, unsigned* spent, unsigned* sink) {
    __shared__ unsigned ends[8][loads];
    const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32, who = blockIdx.x * 8 + warp;
    unsigned at = (who * 32 + lane * sectors / 32) * 2654435761u + 12345u;
    at ^= at >> 15;
    __syncthreads();
    unsigned before = clock();
#pragma unroll 1
    for (int k = 0; k < loads; ++k) {
        const unsigned value = from[(at & mask) * 8];
        at = at * 1664525u + 1013904223u + value;  // zero
        at ^= at >> 15;
        unsigned now;
        asm volatile("{ .reg .u32 x; xor.b32 x, %1, %1; mov.u32 %0, %%clock; add.u32 %0, %0, x; }" : "=r"(now) : "r"(at) : "memory");
        if (lane == 0) ends[warp][k] = now - before;
        before = now;
    }
    for (int k = lane; k < loads; k += 32) spent[who * loads + k] = ends[warp][k];
    sink[blockIdx.x * blockDim.x + threadIdx.x] = at;
}
__global__ void read(const uint4* from, unsigned count, unsigned* to) {
    unsigned sum = 0;
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) sum += __ldcg(from + i).x;
    if (sum == 1234) *to = sum;
}

int main(int argc, char**) {
    constexpr unsigned most = 64u << 20, other = 160u << 20;
    unsigned *from, *flush, *spent, *sink;
    CHECK(cudaMalloc(&from, most));
    CHECK(cudaMemset(from, 0, most));
    CHECK(cudaMalloc(&flush, other));
    CHECK(cudaMemset(flush, 0, other));
    CHECK(cudaMalloc(&spent, 132 * 8 * loads * 4));
    CHECK(cudaMalloc(&sink, 132 * 256 * 4));
    std::vector<unsigned> cycles(132 * 8 * loads);
    for (const unsigned region : {512u << 10, 4u << 20, 64u << 20})
        for (const unsigned sms : {1u, 4u, 32u, 132u})
            for (const unsigned warps : {1u, 8u})
                for (const unsigned sectors : {1u, 4u, 8u, 16u, 32u}) {
                    if (argc > 1 && (sms > 4 || region == most)) continue;
                    read<<<264, 512>>>(reinterpret_cast<const uint4*>(flush), other / 16, sink);
                    CHECK(cudaDeviceSynchronize());
                    for (const char* name : {"cold", "warm"}) {
                        chase<<<sms, 32 * warps>>>(from, region / 32 - 1, sectors, spent, sink);
                        CHECK(cudaDeviceSynchronize());
                        CHECK(cudaMemcpy(cycles.data(), spent, cycles.size() * 4, cudaMemcpyDeviceToHost));
                        std::printf("%s,%u,%u,%u,%u", name, region, sms, warps, sectors);
                        double all = 0, part = 0;
                        int begin = 0, end = 4;
                        for (int k = 0; k < loads; ++k) {
                            for (unsigned block = 0; block < sms; ++block)
                                for (unsigned warp = 0; warp < warps; ++warp) part += cycles[(block * 8 + warp) * loads + k];
                            if (k + 1 != end) continue;
                            std::printf(",%.1f", part / (sms * warps * (end - begin)));
                            all += part;
                            part = 0;
                            begin = end;
                            end *= 2;
                        }
                        std::printf(",%.1f\n", all / (sms * warps * loads));
                    }
                }
}
