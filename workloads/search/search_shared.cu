// The three searches in shared memory of B. Karsin's thesis, section 6.2: PBS (Algorithm 1 on every lane), PBS-CF (without bank
// conflicts) and PBS-CL (with few). For each query, the index of the last of `key_count` ascending keys that is not greater, or -1.
//
// A block copies the keys to shared memory once; then each thread answers `queries_per_thread` queries, neighbouring threads
// neighbouring queries. The loop over queries is not unrolled, so that each read below stays one instruction, which tests count.

constexpr unsigned w = 32;  ///< lanes of a warp, and banks of shared memory
constexpr unsigned greatest_key = 0xffffffffU;

extern __shared__ unsigned shared_keys[];

/// The least r with 2^r >= value; 0 for 0.
__device__ inline unsigned ceil_log2(unsigned value) { return value <= 1 ? 0 : 32 - __clz(static_cast<int>(value - 1)); }

/// Algorithm 1 as printed: a position, a distance that halves (rounded up), ceil(log N) steps, one comparison more.
/// Returns the index, or -1.
struct Pbs {
    static constexpr unsigned pad_before = 0;  ///< cells in front of the keys, all zero
    static __device__ inline unsigned cells(unsigned key_count) { return key_count; }

    static __device__ inline int search(unsigned key_count, unsigned query) {
        if (key_count == 0) return -1;
        const int last = static_cast<int>(key_count) - 1;
        int index = static_cast<int>(key_count / 2);
        int distance = static_cast<int>((key_count + 3) / 4);
        const unsigned steps = ceil_log2(key_count);
#pragma unroll 1
        for (unsigned step = 0; step < steps; ++step) {
            index = query >= shared_keys[index] ? min(index + distance, last) : max(index - distance, 0);
            distance = (distance + 1) / 2;
        }
        return query < shared_keys[index] ? index - 1 : index;
    }
};

/// Stage 1 of PBS-CF and PBS-CL. Cells are rows of w; lane l sees column l only, so its bank is always l. In front of the keys lies a row
/// of zeros, which no query is less than; behind them, up to a whole row and one row more, the greatest key. Algorithm 1 on the column.
/// Returns the cell of the column that is the last not greater than the query: w cells later there is a greater one (or none).
__device__ inline unsigned search_column(unsigned rows, unsigned query) {
    const int first = static_cast<int>(w + threadIdx.x % w);  // of the column's keys
    if (rows == 0) return static_cast<unsigned>(first) - w;
    const int last = first + static_cast<int>((rows - 1) * w);
    int cell = first + static_cast<int>(rows / 2 * w);
    int distance = static_cast<int>((rows + 3) / 4 * w);
    const unsigned steps = ceil_log2(rows);
#pragma unroll 1
    for (unsigned step = 0; step < steps; ++step) {
        cell = query >= shared_keys[cell] ? min(cell + distance, last) : max(cell - distance, first);
        distance = (distance / static_cast<int>(w) + 1) / 2 * static_cast<int>(w);
    }
    return static_cast<unsigned>(query < shared_keys[cell] ? cell - static_cast<int>(w) : cell);
}

__device__ inline unsigned rows_of(unsigned key_count) { return (key_count + w - 1) / w; }

/// The cells that both stages may touch: a row in front, the rows of keys, a row behind.
__device__ inline unsigned cells_of_columns(unsigned key_count) { return (rows_of(key_count) + 2) * w; }

/// A cell as an index among the keys. The cells behind the keys count as not greater only for the greatest query, whose answer is the last key.
__device__ inline int index_of_cell(unsigned cell, unsigned key_count) { return static_cast<int>(min(cell - w + 1, key_count)) - 1; }

/// Stage 2: the w - 1 cells that follow, one after the other and all of them; at every step the lanes read w different banks.
struct PbsCf {
    static constexpr unsigned pad_before = w;
    static __device__ inline unsigned cells(unsigned key_count) { return cells_of_columns(key_count); }

    static __device__ inline int search(unsigned key_count, unsigned query) {
        const unsigned cell = search_column(rows_of(key_count), query);
        unsigned found = cell;
#pragma unroll 1
        for (unsigned i = 1; i < w; ++i)
            if (shared_keys[cell + i] <= query) found = cell + i;
        return index_of_cell(found, key_count);
    }
};

/// Stage 2: a binary search in which every lane has the same distance w/2, w/4 .. 1. Before step i (from 0) a lane has moved by one of 2^i
/// multiples of w / 2^i, so at most 2^i lanes meet in a bank: w - 1 accesses at most in all log w steps.
struct PbsCl {
    static constexpr unsigned pad_before = w;
    static __device__ inline unsigned cells(unsigned key_count) { return cells_of_columns(key_count); }

    static __device__ inline int search(unsigned key_count, unsigned query) {
        unsigned cell = search_column(rows_of(key_count), query);
#pragma unroll
        for (unsigned distance = w / 2; distance != 0; distance /= 2)
            if (shared_keys[cell + distance] <= query) cell += distance;
        return index_of_cell(cell, key_count);
    }
};

template <class Method>
__device__ inline void answer(const unsigned* __restrict__ keys, unsigned key_count, const unsigned* __restrict__ queries, int* __restrict__ predecessors,
                              unsigned query_count, unsigned queries_per_thread) {
    const unsigned cells = Method::cells(key_count);
    for (unsigned cell = threadIdx.x; cell < cells; cell += blockDim.x) {
        const int key = static_cast<int>(cell - Method::pad_before);
        shared_keys[cell] = key < 0 ? 0 : key < static_cast<int>(key_count) ? keys[key] : greatest_key;
    }
    __syncthreads();
    const unsigned first = blockIdx.x * blockDim.x * queries_per_thread + threadIdx.x;
#pragma unroll 1
    for (unsigned i = 0; i < queries_per_thread; ++i) {
        const unsigned query = first + i * blockDim.x;
        if (query < query_count) predecessors[query] = Method::search(key_count, queries[query]);
    }
}

extern "C" __global__ void __launch_bounds__(1024) search_pbs(const unsigned* keys, unsigned key_count, const unsigned* queries, int* predecessors,
                                                              unsigned query_count, unsigned queries_per_thread) {
    answer<Pbs>(keys, key_count, queries, predecessors, query_count, queries_per_thread);
}
extern "C" __global__ void __launch_bounds__(1024) search_pbs_cf(const unsigned* keys, unsigned key_count, const unsigned* queries, int* predecessors,
                                                                 unsigned query_count, unsigned queries_per_thread) {
    answer<PbsCf>(keys, key_count, queries, predecessors, query_count, queries_per_thread);
}
extern "C" __global__ void __launch_bounds__(1024) search_pbs_cl(const unsigned* keys, unsigned key_count, const unsigned* queries, int* predecessors,
                                                                 unsigned query_count, unsigned queries_per_thread) {
    answer<PbsCl>(keys, key_count, queries, predecessors, query_count, queries_per_thread);
}
