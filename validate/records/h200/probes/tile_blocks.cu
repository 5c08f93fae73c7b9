// Blocks of an SM beside each other, of the loop of gemm_tiled (workloads/gemm/gemm_simple.cu), by what they load of global memory: when has each done how many
// of its 32 steps? Warm; SMs 0, 33, 66 and 99.
//   nvcc -std=c++17 -arch=sm_90 -cudart shared tile_blocks.cu -o tile_blocks && ./tile_blocks > tile_blocks.csv
// Columns: loads (0 none, 1 of a, 2 of b, 3 both), blocks (an SM), sm, block, begin, after_8, after_16, after_24, end: cycles from the SM's first begin. Blocks
// of an SM are 132 apart.
#include <algorithm>
#include <cstdio>
#include <vector>

#include "tile_loop.cuh"

int main() {
    float *a, *b, *c;
    long long* clocks;
    constexpr int steps = 32, most = 1056;
    CHECK(cudaMalloc(&a, 16 << 20));
    CHECK(cudaMalloc(&b, 16 << 20));
    CHECK(cudaMalloc(&c, 16 << 20));
    CHECK(cudaMalloc(&clocks, most * (steps + 2) * 8));
    CHECK(cudaMemset(a, 0, 16 << 20));
    CHECK(cudaMemset(b, 0, 16 << 20));
    std::printf("loads,blocks,sm,block,begin,after_8,after_16,after_24,end\n");
    for (const int an_sm : {1, 2, 3, 4, 6, 8})
        for (const int ab : {0, 1, 2, 3}) {
            for (int repetition = 0; repetition < 2; ++repetition) {
                if (ab == 0) tile<0, true><<<132 * an_sm, 256>>>(a, b, c, clocks, 33, 528, 512, steps);
                if (ab == 1) tile<1, true><<<132 * an_sm, 256>>>(a, b, c, clocks, 33, 528, 512, steps);
                if (ab == 2) tile<2, true><<<132 * an_sm, 256>>>(a, b, c, clocks, 33, 528, 512, steps);
                if (ab == 3) tile<3, true><<<132 * an_sm, 256>>>(a, b, c, clocks, 33, 528, 512, steps);
                CHECK(cudaDeviceSynchronize());
            }
            std::vector<long long> found(most * (steps + 2));
            CHECK(cudaMemcpy(found.data(), clocks, found.size() * 8, cudaMemcpyDeviceToHost));
            for (int sm = 0; sm < 132; ++sm) {
                long long first = 0;
                for (int i = 0; i < 132 * an_sm; ++i) {
                    const long long* own = &found[i * (steps + 2)];
                    if (own[steps + 1] == sm && (first == 0 || own[0] < first)) first = own[0];
                }
                if (sm % 33 == 0)
                    for (int i = 0; i < 132 * an_sm; ++i) {
                        const long long* own = &found[i * (steps + 2)];
                        if (own[steps + 1] == sm)
                            std::printf("%d,%d,%d,%d,%lld,%lld,%lld,%lld,%lld\n", ab, an_sm, sm, i, own[0] - first, own[8] - first, own[16] - first, own[24] - first,
                                        own[32] - first);
                    }
            }
        }
}
