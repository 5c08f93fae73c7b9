// How long loads take that all SMs make of the same lines at the same time, each waiting for the one before, as the first steps of searches do.
//
//   nvcc -O3 -std=c++17 -arch=sm_90 -cudart shared -o same_lines same_lines.cu && ./same_lines > same_lines.csv
//   sassafras exec -- ./same_lines
//
// A row: L2 (warm: the launch before read the lines; cold: 200 MB were read since), lines (same: all blocks read the same; own: each its own), blocks, warps a block,
// lanes (1: all read one word; 32: a line; 8: eight lines, four lanes each), cycles a load in the mean of all warps and in the slowest.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <vector>

constexpr unsigned loads = 32, line_words = 32;

__global__ void follow(const unsigned* from, unsigned apart, unsigned spread, unsigned block_words, unsigned* spent) {
    const unsigned lane = threadIdx.x % 32;
    const unsigned* at = from + blockIdx.x * block_words + (spread == 1 ? 0 : spread == 32 ? lane : lane / 4 * 8192 + lane % 4);
    __syncthreads();
    const unsigned begin = clock();
    for (unsigned k = 0; k < loads; ++k) at += *at + apart;
    const unsigned took = clock() - begin;
    if (lane == 0) spent[blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32] = took + (at == from ? 1 : 0);
}
__global__ void read_all(const uint4* from, std::size_t count, unsigned* never) {
    unsigned sum = 0;
    for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < count; i += std::size_t{gridDim.x} * blockDim.x) {
        const uint4 v = from[i];
        sum += v.x + v.y + v.z + v.w;
    }
    if (sum == 1) *never = sum;
}

int main() {
    constexpr std::size_t evicted = 200'000'000;
    uint4* buffer;
    unsigned *from, *spent;
    cudaMalloc(&buffer, evicted);
    cudaMalloc(&from, 64 << 20);
    cudaMalloc(&spent, 65536);
    cudaMemset(buffer, 0, evicted);
    cudaMemset(from, 0, 64 << 20);
    // 33 lines from one load to the next: other slices, and other granules of 4 KiB now and then.
    constexpr unsigned apart = 33 * line_words;
    for (const char* l2 : {"warm", "cold"})
        for (const char* lines : {"same", "own"})
            for (const int blocks : {1, 4, 16, 33, 66, 132})
                for (const int warps : {1, 4, 16})
                    for (const unsigned spread : {1u, 32u, 8u}) {
                        double mean = 0, most = 0;
                        for (int again = 0; again < 4; ++again) {
                            if (std::strcmp(l2, "cold") == 0) read_all<<<1056, 256>>>(buffer, evicted / 16, spent);
                            follow<<<blocks, 32 * warps>>>(from, apart, spread, std::strcmp(lines, "own") == 0 ? 1060 * line_words : 0, spent);
                            std::vector<unsigned> h(blocks * warps);
                            cudaMemcpy(h.data(), spent, 4 * h.size(), cudaMemcpyDeviceToHost);
                            if (again == 0) continue;
                            double sum = 0;
                            for (unsigned v : h) sum += v;
                            mean += sum / h.size() / loads / 3;
                            most += *std::max_element(h.begin(), h.end()) / double(loads) / 3;
                        }
                        std::printf("%s,%s,%d,%d,%u,%.1f,%.1f\n", l2, lines, blocks, warps, spread, mean, most);
                    }
    return cudaDeviceSynchronize() != cudaSuccess;
}
