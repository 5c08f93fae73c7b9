// Blocks of an SM beside each other, of the loop of gemm_tiled (workloads/gemm/gemm_simple.cu), by what they load of global memory: when has each done how many
// of its 32 steps? Warm; SMs 0, 33, 66 and 99.
//   nvcc -std=c++17 -arch=sm_90 -cudart shared tile_blocks.cu -o tile_blocks && ./tile_blocks > tile_blocks.csv
// Columns: loads (0 none, 1 of a, 2 of b, 3 both), blocks (an SM), sm, block, begin, after_8, after_16, after_24, end: cycles from the SM's first begin. Blocks
// of an SM are 132 apart.
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
    long long* own = clocks + blockIdx.x * (steps + 2);
    if (threadIdx.x == 0) *own++ = clock64();
    for (int start = 0; start < steps * side; start += side) {
        a_tile[y][x] = (ab & 1) != 0 ? a[static_cast<long long>(row) * k + start + x] : sum;
        b_tile[y][x] = (ab & 2) != 0 ? b[static_cast<long long>(start + y) * n + column] : sum;
        __syncthreads();
        for (int i = 0; i < side; ++i) sum += a_tile[y][i] * b_tile[i][x];
        __syncthreads();
        if (threadIdx.x == 0) *own++ = clock64();
    }
    if (threadIdx.x == 0) {
        unsigned sm;
        asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
        *own = sm;
    }
    c[blockIdx.x * 256 + threadIdx.x] = sum;
}

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
                if (ab == 0) tile<0><<<132 * an_sm, 256>>>(a, b, c, clocks, 33, 528, 512, steps);
                if (ab == 1) tile<1><<<132 * an_sm, 256>>>(a, b, c, clocks, 33, 528, 512, steps);
                if (ab == 2) tile<2><<<132 * an_sm, 256>>>(a, b, c, clocks, 33, 528, 512, steps);
                if (ab == 3) tile<3><<<132 * an_sm, 256>>>(a, b, c, clocks, 33, 528, 512, steps);
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
