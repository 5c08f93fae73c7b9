// The loop of gemm_tiled (workloads/gemm/gemm_simple.cu) by what it loads of global memory, how many SMs share that, and the rows' stride: cycles of a block.
//   nvcc -std=c++17 -arch=sm_90 -cudart shared tile_times.cu -o tile_times && ./tile_times > tile_times.csv
// Columns: loads (1 of a, 2 of b, 3 both), blocks, across (blocks in a row share a's tile, in a column b's), n and k (words of a row of b and a), repetition,
// cycles_median and cycles_most of the blocks.
#include <algorithm>
#include <cstdio>
#include <vector>

#include "tile_loop.cuh"

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
                            if (ab == 1) tile<1, false><<<blocks, 256>>>(a, b, c, clocks, across, wide, k, 32);
                            if (ab == 2) tile<2, false><<<blocks, 256>>>(a, b, c, clocks, across, wide, k, 32);
                            if (ab == 3) tile<3, false><<<blocks, 256>>>(a, b, c, clocks, across, wide, k, 32);
                            CHECK(cudaDeviceSynchronize());
                            std::vector<long long> found(blocks);
                            CHECK(cudaMemcpy(found.data(), clocks, blocks * 8, cudaMemcpyDeviceToHost));
                            std::sort(found.begin(), found.end());
                            std::printf("%d,%d,%d,%d,%d,%d,%lld,%lld\n", ab, blocks, across, n, k, repetition, found[blocks / 2], found.back());
                        }
                    }
}
