// MAGMA's GEMM: C = A B in FP32, row-major, A is m x k, B is k x n, for any m, n and k.
//
// A block of b threads computes an N_TB x N_TB tile of C. It walks along k in batches of lambda: a batch of A (N_TB x lambda) and one of B
// (lambda x N_TB) lie in shared memory; while they are multiplied, every thread fetches its part of the next batch into registers, which it
// stores between two barriers once all have done with the old batch. A thread's sums stay in registers until the end. That is
// magmablas/gemm_template_device.cuh with its names BLK_M = BLK_N = N_TB, BLK_K = lambda (and with A and B exchanged, as MAGMA's matrices are
// column-major). README.md says where this kernel departs from it.
//
// Every sum is one FMA chain over ascending k from zero, so a CPU that does the same chain gets the same bits. Rows
// and columns outside the matrices are zeros in shared memory: fma(0, 0, s) is s (but for s = -0, which a chain that starts at +0 reaches
// only by underflow).

/// `values` consecutive words of a tile's row, or of C, in one access.
template <int values>
struct Words;
template <>
struct Words<2> {
    using Type = float2;
};
template <>
struct Words<4> {
    using Type = float4;
};

// A thread's rows (or columns) of the tile come in groups of four consecutive ones, with at most one group of two at the end. The groups of
// all `threads` that share the tile side lie side by side, so that a warp's wide reads touch consecutive words.
template <int count>
struct Groups {
    static constexpr int of_four = count / 4;
    static constexpr int of_two = count % 4 / 2;
    static_assert(count % 2 == 0, "a thread computes an even number of rows and columns");
};

template <int count, int threads>
__device__ inline void read_operand(float (&values)[count], const float* tile_row, int thread) {
#pragma unroll
    for (int group = 0; group < Groups<count>::of_four; ++group) {
        const float4 read = *reinterpret_cast<const float4*>(tile_row + (group * threads + thread) * 4);
        values[group * 4] = read.x;
        values[group * 4 + 1] = read.y;
        values[group * 4 + 2] = read.z;
        values[group * 4 + 3] = read.w;
    }
    if constexpr (Groups<count>::of_two != 0) {
        const float2 read = *reinterpret_cast<const float2*>(tile_row + Groups<count>::of_four * threads * 4 + thread * 2);
        values[count - 2] = read.x;
        values[count - 1] = read.y;
    }
}

/// Offset within the tile of a thread's i-th row or column: the inverse of what read_operand reads.
template <int count, int threads>
__device__ inline int offset_of(int i, int thread) {
    constexpr int in_fours = Groups<count>::of_four * 4;
    return i < in_fours ? (i / 4 * threads + thread) * 4 + i % 4 : in_fours * threads + thread * 2 + (i - in_fours);
}

template <int values>
__device__ inline void write_group(float* c, const float* sums, int row, int column, int m, int n) {
    if (row >= m) return;
    float* const to = c + static_cast<long long>(row) * n + column;
    if (n % values == 0 && column + values <= n) {
        using Vector = typename Words<values>::Type;
        Vector written;
        float* const words = reinterpret_cast<float*>(&written);
#pragma unroll
        for (int i = 0; i < values; ++i) words[i] = sums[i];
        *reinterpret_cast<Vector*>(to) = written;
    } else {
#pragma unroll
        for (int i = 0; i < values; ++i)
            if (column + i < n) to[i] = sums[i];
    }
}

template <int N_TB, int lambda, int b>
__device__ inline void multiply(const float* __restrict__ a, const float* __restrict__ b_matrix, float* __restrict__ c, int m, int n, int k) {
    constexpr int across = b == 64 ? 8 : 16;  // threads along a row of the tile
    constexpr int down = b / across;
    constexpr int rows_each = N_TB / down;
    constexpr int columns_each = N_TB / across;
    // A batch is fetched in patches: of A 8 columns by b/8 rows, so that a row of a patch is a whole sector; of B 32 columns by b/32 rows.
    constexpr int a_rows = b / 8;
    constexpr int b_rows = b / 32;
    constexpr int a_patches_down = N_TB / a_rows;
    constexpr int a_patches_across = lambda / 8;
    constexpr int b_patches_across = N_TB / 32;
    constexpr int b_patches_down = lambda / b_rows;
    static_assert(N_TB % 32 == 0 && N_TB % a_rows == 0 && lambda % 8 == 0 && lambda % b_rows == 0, "every thread fetches as many elements");
    // Four words of padding: wide reads stay aligned, and the stores of A, which turn columns into rows, go to 8 x 4 different banks.
    __shared__ __align__(16) float tile_a[lambda][N_TB + 4];
    __shared__ __align__(16) float tile_b[lambda][N_TB + 4];

    const int thread = static_cast<int>(threadIdx.x);
    // A warp is 8 threads across and 4 down, in an order in which lanes n and n^1 read the same words of A, and n and n^2 the same of B:
    // then wide reads of neighbouring groups of lanes are served at once.
    const int lane = thread % 32;
    const int warp = thread / 32;
    const int x = warp % (across / 8) * 8 + (lane & 1) + (lane >> 1 & 2) + (lane >> 1 & 4);
    const int y = warp / (across / 8) * 4 + (lane >> 1 & 1) + (lane >> 3 & 2);
    const int first_row = static_cast<int>(blockIdx.y) * N_TB;
    const int first_column = static_cast<int>(blockIdx.x) * N_TB;

    const int a_column = thread % 8;
    const int a_row = thread / 8;
    const int b_column = thread % 32;
    const int b_row = thread / 32;
    const bool inside = first_row + N_TB <= m && first_column + N_TB <= n;
    const float* from_a = a + static_cast<long long>(first_row + a_row) * k + a_column;
    const float* from_b = b_matrix + static_cast<long long>(b_row) * n + first_column + b_column;

    float next_a[a_patches_across][a_patches_down];
    float next_b[b_patches_down][b_patches_across];
    // Fetches the batch that begins at column `first` of A, which the two pointers have reached, and moves them on.
    const auto fetch = [&](int first) {
        if (inside && first + lambda <= k) {
#pragma unroll
            for (int i = 0; i < a_patches_down; ++i)
#pragma unroll
                for (int j = 0; j < a_patches_across; ++j) next_a[j][i] = from_a[static_cast<long long>(i * a_rows) * k + j * 8];
#pragma unroll
            for (int i = 0; i < b_patches_down; ++i)
#pragma unroll
                for (int j = 0; j < b_patches_across; ++j) next_b[i][j] = from_b[static_cast<long long>(i * b_rows) * n + j * 32];
        } else {
#pragma unroll
            for (int i = 0; i < a_patches_down; ++i)
#pragma unroll
                for (int j = 0; j < a_patches_across; ++j) {
                    const bool exists = first_row + i * a_rows + a_row < m && first + j * 8 + a_column < k;
                    next_a[j][i] = exists ? from_a[static_cast<long long>(i * a_rows) * k + j * 8] : 0.0F;
                }
#pragma unroll
            for (int i = 0; i < b_patches_down; ++i)
#pragma unroll
                for (int j = 0; j < b_patches_across; ++j) {
                    const bool exists = first + i * b_rows + b_row < k && first_column + j * 32 + b_column < n;
                    next_b[i][j] = exists ? from_b[static_cast<long long>(i * b_rows) * n + j * 32] : 0.0F;
                }
        }
        from_a += lambda;
        from_b += static_cast<long long>(lambda) * n;
    };
    const auto store = [&] {
#pragma unroll
        for (int j = 0; j < a_patches_across; ++j)
#pragma unroll
            for (int i = 0; i < a_patches_down; ++i) tile_a[j * 8 + a_column][i * a_rows + a_row] = next_a[j][i];
#pragma unroll
        for (int i = 0; i < b_patches_down; ++i)
#pragma unroll
            for (int j = 0; j < b_patches_across; ++j) tile_b[i * b_rows + b_row][j * 32 + b_column] = next_b[i][j];
    };

    float sums[rows_each][columns_each];
#pragma unroll
    for (int i = 0; i < rows_each; ++i)
#pragma unroll
        for (int j = 0; j < columns_each; ++j) sums[i][j] = 0.0F;
    // As many steps in line as the instruction caches take.
    constexpr int fma_in_line = 1024;
    constexpr int whole = lambda * rows_each * columns_each;
    constexpr int unrolled = whole <= fma_in_line ? lambda : whole <= 2 * fma_in_line ? lambda / 2 : lambda / 4;
    const auto multiply_batch = [&] {
#pragma unroll unrolled
        for (int step = 0; step < lambda; ++step) {
            float operand_a[rows_each];
            float operand_b[columns_each];
            read_operand<rows_each, down>(operand_a, tile_a[step], y);
            read_operand<columns_each, across>(operand_b, tile_b[step], x);
#pragma unroll
            for (int i = 0; i < rows_each; ++i)
#pragma unroll
                for (int j = 0; j < columns_each; ++j) sums[i][j] = __fmaf_rn(operand_a[i], operand_b[j], sums[i][j]);
        }
    };

    if (k > 0) {
        fetch(0);
        store();
        __syncthreads();
        for (int next = lambda;; next += lambda) {
            if (next < k) fetch(next);
            multiply_batch();
            if (next >= k) break;
            __syncthreads();
            store();
            __syncthreads();
        }
    }

#pragma unroll
    for (int i = 0; i < rows_each; ++i) {
        const int row = first_row + offset_of<rows_each, down>(i, y);
#pragma unroll
        for (int group = 0; group < Groups<columns_each>::of_four; ++group)
            write_group<4>(c, &sums[i][group * 4], row, first_column + offset_of<columns_each, across>(group * 4, x), m, n);
        if constexpr (Groups<columns_each>::of_two != 0)
            write_group<2>(c, &sums[i][columns_each - 2], row, first_column + offset_of<columns_each, across>(columns_each - 2, x), m, n);
    }
}

// The last number is how many blocks an SM should hold: as many as the sums, the next batch and two steps' operands leave registers for.
#define MAGMA(N_TB, lambda, b, blocks)                                                                                             \
    extern "C" __global__ void __launch_bounds__(b, blocks)                                                                        \
        gemm_magma_##N_TB##_##lambda##_##b(const float* a, const float* b_matrix, float* c, int m, int n, int k) {                 \
        multiply<N_TB, lambda, b>(a, b_matrix, c, m, n, k);                                                                        \
    }

MAGMA(32, 16, 256, 4)
MAGMA(32, 32, 256, 4)
MAGMA(64, 8, 256, 3)
MAGMA(64, 16, 256, 3)
MAGMA(64, 32, 256, 2)
MAGMA(96, 8, 256, 2)
MAGMA(96, 16, 256, 2)
MAGMA(96, 32, 256, 2)
MAGMA(128, 8, 256, 2)
MAGMA(128, 16, 256, 2)
MAGMA(160, 8, 256, 1)
MAGMA(160, 16, 256, 1)
MAGMA(192, 8, 256, 1)
MAGMA(192, 16, 256, 1)
MAGMA(32, 16, 128, 6)
MAGMA(64, 16, 128, 4)
MAGMA(96, 16, 128, 3)
MAGMA(128, 16, 128, 2)
MAGMA(32, 16, 64, 10)
MAGMA(64, 16, 64, 6)
MAGMA(96, 16, 64, 4)
