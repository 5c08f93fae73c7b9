// C = alpha A B^T + beta C as the Parboil benchmarks have it, which Gehrke's thesis measures. A (m x k), B (n x k) and C (m x n) are column-major;
// m and n are multiples of the tile, k is one of `depth` for the second kernel: nothing is tested. The order of FMAs is that of gemm.cu.
#include "../address_halves.cuh"

/// A thread an element of C, all operands from global memory; a block is 16 x 16 threads.
extern "C" __global__ void gemm_parboil_base(const float* a, const float* b, float* c, int m, int n, int k, float alpha, float beta) {
    const int row = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const int column = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
    float sum = 0.0F;
    for (int step = 0; step < k; ++step) sum = __fmaf_rn(read(element(a, row + step * m)), read(element(b, column + step * n)), sum);
    const unsigned long long own = element(c, row + column * m);
    write(own, __fmaf_rn(read(own), beta, __fmul_rn(alpha, sum)));
}

/// A thread 16 elements of a row of C; a block is 16 x 8 threads, a tile of 128 x 16, and stages 8 x 16 elements of B at a time.
extern "C" __global__ void gemm_parboil_regtile(const float* a, const float* b, float* c, int m, int n, int k, float alpha, float beta) {
    constexpr int columns = 16;
    constexpr int depth = 8;
    __shared__ float tile_b[depth][columns];
    const int across = static_cast<int>(threadIdx.x);
    const int down = static_cast<int>(threadIdx.y);
    const int row = static_cast<int>(blockIdx.x) * columns * depth + down * static_cast<int>(blockDim.x) + across;
    const int column = static_cast<int>(blockIdx.y) * columns + across;
    float sums[columns];
#pragma unroll
    for (int i = 0; i < columns; ++i) sums[i] = 0.0F;
    for (int first = 0; first < k; first += depth) {
        tile_b[down][across] = read(element(b, column + (first + down) * n));
        __syncthreads();
#pragma unroll
        for (int step = 0; step < depth; ++step) {
            const float of_a = read(element(a, row + (first + step) * m));
#pragma unroll
            for (int i = 0; i < columns; ++i) sums[i] = __fmaf_rn(of_a, tile_b[step][i], sums[i]);
        }
        __syncthreads();
    }
    const int own = m * static_cast<int>(blockIdx.y) * columns + row;
#pragma unroll
    for (int i = 0; i < columns; ++i) {
        const unsigned long long element_of_c = element(c, own + i * m);
        write(element_of_c, __fmaf_rn(read(element_of_c), beta, __fmul_rn(alpha, sums[i])));
    }
}
