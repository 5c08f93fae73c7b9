// Three plain ways to C = A B in FP32, A m x k, B k x n, C m x n, for any m, n and k. Every element of C is one FMA chain over
// ascending k from zero, as in gemm.cu. What stands where in the sources: README.md.

constexpr int side = 16;  ///< naive, tiled: rows and columns of a block

/// A thread an element of C, all operands from global memory. Row-major.
extern "C" __global__ void __launch_bounds__(side* side) gemm_naive(const float* a, const float* b, float* c, int m, int n, int k) {
    const int row = static_cast<int>(blockIdx.y) * side + static_cast<int>(threadIdx.x) / side;
    const int column = static_cast<int>(blockIdx.x) * side + static_cast<int>(threadIdx.x) % side;
    if (row >= m || column >= n) return;
    float sum = 0.0F;
    for (int step = 0; step < k; ++step)
        sum = __fmaf_rn(a[static_cast<long long>(row) * k + step], b[static_cast<long long>(step) * n + column], sum);
    c[static_cast<long long>(row) * n + column] = sum;
}

/// A thread an element of C; a block stages one 16 x 16 tile of A and one of B at a time in shared memory. Row-major.
extern "C" __global__ void __launch_bounds__(side* side) gemm_tiled(const float* a, const float* b, float* c, int m, int n, int k) {
    __shared__ float tile_a[side][side];
    __shared__ float tile_b[side][side];
    const int down = static_cast<int>(threadIdx.x) / side;
    const int across = static_cast<int>(threadIdx.x) % side;
    const int row = static_cast<int>(blockIdx.y) * side + down;
    const int column = static_cast<int>(blockIdx.x) * side + across;
    float sum = 0.0F;
    for (int first = 0; first < k; first += side) {
        tile_a[down][across] = row < m && first + across < k ? a[static_cast<long long>(row) * k + first + across] : 0.0F;
        tile_b[down][across] = first + down < k && column < n ? b[static_cast<long long>(first + down) * n + column] : 0.0F;
        __syncthreads();
#pragma unroll
        for (int step = 0; step < side; ++step) sum = __fmaf_rn(tile_a[down][step], tile_b[step][across], sum);
        __syncthreads();
    }
    if (row < m && column < n) c[static_cast<long long>(row) * n + column] = sum;
}

/// A thread 16 elements of a row of C; a block stages 8 x 16 elements of B at a time in shared memory, A comes straight from global
/// memory. A and C are column-major (so that lanes, which have consecutive rows, touch consecutive words), B is row-major.
extern "C" __global__ void __launch_bounds__(128) gemm_regtile(const float* a, const float* b, float* c, int m, int n, int k) {
    constexpr int rows = 128;  // of a block
    constexpr int columns = 16;
    constexpr int depth = 8;
    __shared__ __align__(16) float tile_b[depth][columns];
    const int thread = static_cast<int>(threadIdx.x);
    const int row = static_cast<int>(blockIdx.x) * rows + thread;
    const int first_column = static_cast<int>(blockIdx.y) * columns;
    const int staged_row = thread / columns;
    const int staged_column = first_column + thread % columns;
    float sums[columns];
#pragma unroll
    for (int i = 0; i < columns; ++i) sums[i] = 0.0F;
    for (int first = 0; first < k; first += depth) {
        tile_b[staged_row][thread % columns] =
            first + staged_row < k && staged_column < n ? b[static_cast<long long>(first + staged_row) * n + staged_column] : 0.0F;
        __syncthreads();
#pragma unroll
        for (int step = 0; step < depth; ++step) {
            const float element = row < m && first + step < k ? a[static_cast<long long>(first + step) * m + row] : 0.0F;
#pragma unroll
            for (int i = 0; i < columns; ++i) sums[i] = __fmaf_rn(element, tile_b[step][i], sums[i]);
        }
        __syncthreads();
    }
    if (row >= m) return;
#pragma unroll
    for (int i = 0; i < columns; ++i)
        if (first_column + i < n) c[static_cast<long long>(first_column + i) * m + row] = sums[i];
}
