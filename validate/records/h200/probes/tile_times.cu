// The loop of gemm_tiled (workloads/gemm/gemm_simple.cu) by what it loads of global memory, how many SMs share that, and the rows' stride: cycles of a block.
//   nvcc -std=c++17 -arch=sm_90 -cudart shared tile_times.cu -o tile_times && ./tile_times > tile_times.csv
// Columns: loads (1 of a, 2 of b, 3 both), blocks, across (blocks in a row share a's tile, in a column b's), n and k (words of a row of b and a), repetition,
// cycles_median and cycles_most of the blocks.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                                          \
    do {                                                                                                     \
        if (const cudaError_t error = (call); error != cudaSuccess) {                                        \
            std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error));                              \
            std::exit(1);                                                                                    \
        }                                                                                                    \
    } while (false)

constexpr int side = 16;

/// ab: 1 loads a, 2 loads b, 3 both. Blocks of a row of `across` share a's tile, blocks of a column b's.
template <int ab>
__global__ void __launch_bounds__(256) tile(const float* a, const float* b, float* c, long long* clocks, int across, int n, int k, int steps) {
    __shared__ float a_tile[side][side];
    __shared__ float b_tile[side][side];
    const int x = threadIdx.x % side, y = threadIdx.x / side;
    const int row = blockIdx.x / across * side + y, column = blockIdx.x % across * side + x;
    float sum = 0;
    const long long begin = clock64();
    for (int start = 0; start < steps * side; start += side) {
        a_tile[y][x] = (ab & 1) != 0 ? a[static_cast<long long>(row) * k + start + x] : sum;
        b_tile[y][x] = (ab & 2) != 0 ? b[static_cast<long long>(start + y) * n + column] : sum;
        __syncthreads();
        for (int i = 0; i < side; ++i) sum += a_tile[y][i] * b_tile[i][x];
        __syncthreads();
    }
    const long long end = clock64();
    if (threadIdx.x == 0) clocks[blockIdx.x] = end - begin;
    c[blockIdx.x * 256 + threadIdx.x] = sum;
}

int main() {
    float *a, *b, *c;
    long long* clocks;
    CHECK(cudaMalloc(&a, 16 << 20));
    CHECK(cudaMalloc(&b, 16 << 20));
    CHECK(cudaMalloc(&c, 16 << 20));
    CHECK(cudaMalloc(&clocks, 2048 * 8));
    CHECK(cudaMemset(a, 0, 16 << 20));
    CHECK(cudaMemset(b, 0, 16 << 20));
    std::printf("loads,blocks,across,n,k,repetition,cycles_median,cycles_most\n");
    for (const int blocks : {1, 33, 132, 528, 1056})
        for (const int across : {1, 4, 33, 132})
            for (const int n : {512, 528})
                for (const int k : {512, 528})
                    for (const int ab : {1, 2, 3}) {
                        if (across > blocks || (across != 33 && blocks != 132) || (ab == 1 && n != 512) || (ab == 2 && k != 512)) continue;
                        const int wide = std::max(n, across * side);
                        for (int repetition = 0; repetition < 3; ++repetition) {
                            if (ab == 1) tile<1><<<blocks, 256>>>(a, b, c, clocks, across, wide, k, 32);
                            if (ab == 2) tile<2><<<blocks, 256>>>(a, b, c, clocks, across, wide, k, 32);
                            if (ab == 3) tile<3><<<blocks, 256>>>(a, b, c, clocks, across, wide, k, 32);
                            CHECK(cudaDeviceSynchronize());
                            std::vector<long long> found(blocks);
                            CHECK(cudaMemcpy(found.data(), clocks, blocks * 8, cudaMemcpyDeviceToHost));
                            std::sort(found.begin(), found.end());
                            std::printf("%d,%d,%d,%d,%d,%d,%lld,%lld\n", ab, blocks, across, n, k, repetition, found[blocks / 2], found.back());
                        }
                    }
}
