// C = A B in FP32, row-major: A is m x k, B is k x n, C is m x n, without padding between rows.
//
// A block computes a rows x columns tile of C. It walks along k in slabs of `depth`, staged in shared memory; a thread keeps
// rows_each x columns_each sums in registers. Every sum is one FMA chain over ascending k from zero, so a CPU that does the
// same chain gets the same bits. Elements outside the matrices are staged as zeros: fma(0, 0, s) is s (but for s = -0, which a chain
// that starts at +0 reaches only by underflow).
//
// A's slab is stored transposed, so that the sums of one k read consecutive words of both slabs. A thread's rows (and columns)
// come in groups of `vector` consecutive ones, read by one wide load; the groups of the threads interleave, so a warp's wide loads touch
// consecutive words.

template <int vector>
struct Words;
template <>
struct Words<1> {
    using Type = float;
};
template <>
struct Words<2> {
    using Type = float2;
};
template <>
struct Words<4> {
    using Type = float4;
};

template <int count, int groups_apart>
__device__ inline void read_operand(float (&values)[count], const float* slab_row, int thread) {
    constexpr int vector = count % 4 == 0 ? 4 : count % 2 == 0 ? 2 : 1;
    using Vector = typename Words<vector>::Type;
#pragma unroll
    for (int group = 0; group < count / vector; ++group) {
        const Vector read = *reinterpret_cast<const Vector*>(slab_row + (group * groups_apart + thread) * vector);
        const float* words = reinterpret_cast<const float*>(&read);
#pragma unroll
        for (int word = 0; word < vector; ++word) values[group * vector + word] = words[word];
    }
}

/// Offset within the tile of a thread's i-th row (or column); the inverse of what read_operand reads.
template <int count, int groups_apart>
__device__ inline int offset_of(int i, int thread) {
    constexpr int vector = count % 4 == 0 ? 4 : count % 2 == 0 ? 2 : 1;
    return (i / vector * groups_apart + thread) * vector + i % vector;
}

template <int rows, int columns, int depth, int rows_each, int columns_each>
__device__ inline void multiply(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int m, int n, int k) {
    constexpr int threads_across = columns / columns_each;
    constexpr int threads_down = rows / rows_each;
    constexpr int threads = threads_across * threads_down;
    static_assert(rows * depth % threads == 0 && depth * columns % threads == 0, "every thread stages as many elements");
    // Four words of padding keep wide loads aligned and spread the transposing stores over more banks.
    __shared__ __align__(16) float slab_a[depth][rows + 4];
    __shared__ __align__(16) float slab_b[depth][columns + 4];

    const int thread = static_cast<int>(threadIdx.x);
    const int across = thread % threads_across;
    const int down = thread / threads_across;
    const int first_row = static_cast<int>(blockIdx.y) * rows;
    const int first_column = static_cast<int>(blockIdx.x) * columns;

    float sums[rows_each][columns_each];
#pragma unroll
    for (int i = 0; i < rows_each; ++i)
#pragma unroll
        for (int j = 0; j < columns_each; ++j) sums[i][j] = 0.0F;

    for (int first = 0; first < k; first += depth) {
#pragma unroll
        for (int i = 0; i < rows * depth / threads; ++i) {
            const int element = i * threads + thread;
            const int row = first_row + element / depth;
            const int column = first + element % depth;
            slab_a[element % depth][element / depth] = row < m && column < k ? a[static_cast<long long>(row) * k + column] : 0.0F;
        }
#pragma unroll
        for (int i = 0; i < depth * columns / threads; ++i) {
            const int element = i * threads + thread;
            const int row = first + element / columns;
            const int column = first_column + element % columns;
            slab_b[element / columns][element % columns] = row < k && column < n ? b[static_cast<long long>(row) * n + column] : 0.0F;
        }
        __syncthreads();
#pragma unroll
        for (int step = 0; step < depth; ++step) {
            float operand_a[rows_each];
            float operand_b[columns_each];
            read_operand<rows_each, threads_down>(operand_a, slab_a[step], down);
            read_operand<columns_each, threads_across>(operand_b, slab_b[step], across);
#pragma unroll
            for (int i = 0; i < rows_each; ++i)
#pragma unroll
                for (int j = 0; j < columns_each; ++j) sums[i][j] = __fmaf_rn(operand_a[i], operand_b[j], sums[i][j]);
        }
        __syncthreads();
    }

#pragma unroll
    for (int i = 0; i < rows_each; ++i) {
        const int row = first_row + offset_of<rows_each, threads_down>(i, down);
#pragma unroll
        for (int j = 0; j < columns_each; ++j) {
            const int column = first_column + offset_of<columns_each, threads_across>(j, across);
            if (row < m && column < n) c[static_cast<long long>(row) * n + column] = sums[i][j];
        }
    }
}

// All with 256 threads a block; the name is rows x columns x depth.
extern "C" __global__ void __launch_bounds__(256) gemm_16x16x16(const float* a, const float* b, float* c, int m, int n, int k) {
    multiply<16, 16, 16, 1, 1>(a, b, c, m, n, k);
}
extern "C" __global__ void __launch_bounds__(256) gemm_32x32x32(const float* a, const float* b, float* c, int m, int n, int k) {
    multiply<32, 32, 32, 2, 2>(a, b, c, m, n, k);
}
extern "C" __global__ void __launch_bounds__(256) gemm_64x64x16(const float* a, const float* b, float* c, int m, int n, int k) {
    multiply<64, 64, 16, 4, 4>(a, b, c, m, n, k);
}
extern "C" __global__ void __launch_bounds__(256) gemm_96x96x16(const float* a, const float* b, float* c, int m, int n, int k) {
    multiply<96, 96, 16, 6, 6>(a, b, c, m, n, k);
}
extern "C" __global__ void __launch_bounds__(256) gemm_128x128x8(const float* a, const float* b, float* c, int m, int n, int k) {
    multiply<128, 128, 8, 8, 8>(a, b, c, m, n, k);
}
