// Pairwise mergesort of 32-bit keys, as ModernGPU and Thrust do it. Tiles of E b keys are sorted by one block each; then rounds merge
// pairs of runs. A round has two kernels: `partition` cuts every pair along the merge path at the tile boundaries, `merge` makes one tile of
// output a block, in shared memory.
//
// The last tile may be short. Its missing keys are staged as the greatest key: they sort behind (or equal) every key there is and are never
// written back, so inside a tile no count needs checking. With E odd, thread-order accesses (stride E) meet no bank conflict.

constexpr unsigned greatest_key = 0xffffffffU;

/// How many of the first `diagonal` outputs of merging a and b come from a; on ties a goes first.
__device__ inline unsigned merge_path(const unsigned* a, unsigned a_count, const unsigned* b, unsigned b_count, unsigned diagonal) {
    unsigned low = diagonal > b_count ? diagonal - b_count : 0;
    unsigned high = min(diagonal, a_count);
    while (low < high) {
        const unsigned middle = (low + high) / 2;
        if (a[middle] <= b[diagonal - 1 - middle])
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/// Takes E outputs of the merge of shared [a, a_end) and [b, b_end). The successor of each key taken is read at once, so shared memory must
/// hold one key beyond the last.
template <int E>
__device__ inline void serial_merge(const unsigned* shared, unsigned a, unsigned a_end, unsigned b, unsigned b_end, unsigned (&keys)[E]) {
    unsigned a_key = shared[a];
    unsigned b_key = shared[b];
#pragma unroll
    for (int i = 0; i < E; ++i) {
        const bool take_b = b < b_end && (a >= a_end || b_key < a_key);
        keys[i] = take_b ? b_key : a_key;
        const unsigned next = take_b ? ++b : ++a;
        const unsigned successor = shared[next];
        if (take_b)
            b_key = successor;
        else
            a_key = successor;
    }
}

/// Odd-even transposition sort of a thread's own keys; every index is known at compile time, so they stay in registers.
template <int E>
__device__ inline void sort_registers(unsigned (&keys)[E]) {
#pragma unroll
    for (int round = 0; round < E; ++round)
#pragma unroll
        for (int i = round % 2; i + 1 < E; i += 2) {
            const unsigned less = min(keys[i], keys[i + 1]);
            keys[i + 1] = max(keys[i], keys[i + 1]);
            keys[i] = less;
        }
}

template <int E>
__device__ inline void store_thread_order(unsigned* shared, const unsigned (&keys)[E]) {
#pragma unroll
    for (int i = 0; i < E; ++i) shared[threadIdx.x * E + i] = keys[i];
}

/// Writes the tile in shared memory to global memory, neighbouring threads neighbouring keys.
template <int E, int b>
__device__ inline void write_tile(unsigned* out, const unsigned* shared, unsigned count) {
#pragma unroll
    for (int i = 0; i < E; ++i) {
        const unsigned index = i * b + threadIdx.x;
        if (index < count) out[index] = shared[index];
    }
}

template <int E, int b>
__device__ inline void sort_block(const unsigned* __restrict__ in, unsigned* __restrict__ out, unsigned n) {
    constexpr unsigned tile = E * b;
    __shared__ unsigned shared[tile + 1];
    const unsigned first = blockIdx.x * tile;
    const unsigned count = min(n - first, tile);
#pragma unroll
    for (int i = 0; i < E; ++i) {
        const unsigned index = i * b + threadIdx.x;
        shared[index] = index < count ? in[first + index] : greatest_key;
    }
    __syncthreads();
    unsigned keys[E];
#pragma unroll
    for (int i = 0; i < E; ++i) keys[i] = shared[threadIdx.x * E + i];
    sort_registers(keys);

    for (unsigned threads = 2; threads <= b; threads *= 2) {  // threads that merge one pair of runs
        __syncthreads();
        store_thread_order(shared, keys);
        __syncthreads();
        const unsigned a = (threadIdx.x & ~(threads - 1)) * E;
        const unsigned middle = a + threads / 2 * E;
        const unsigned end = a + threads * E;
        const unsigned diagonal = (threadIdx.x & (threads - 1)) * E;
        const unsigned from_a = merge_path(shared + a, middle - a, shared + middle, end - middle, diagonal);
        serial_merge(shared, a + from_a, middle, middle + diagonal - from_a, end, keys);
    }

    __syncthreads();
    store_thread_order(shared, keys);
    __syncthreads();
    write_tile<E, b>(out + first, shared, count);
}

/// What a tile of output is made of: positions in the input of the round.
struct Pair {
    unsigned a;  ///< begin of the first run
    unsigned b;  ///< end of the first run, begin of the second
    unsigned end;
};

/// A run is `run_tiles` tiles long, a power of two.
__device__ inline Pair pair_of(unsigned tile_index, unsigned tile, unsigned run_tiles, unsigned n) {
    const unsigned begin = (tile_index & ~(2 * run_tiles - 1)) * tile;
    return {min(begin, n), min(begin + run_tiles * tile, n), min(begin + 2 * run_tiles * tile, n)};
}

template <int E, int b>
__device__ inline void merge_tile(const unsigned* __restrict__ in, unsigned* __restrict__ out, unsigned n, unsigned run_tiles,
                                  const unsigned* __restrict__ partitions) {
    constexpr unsigned tile = E * b;
    __shared__ unsigned shared[tile + 1];
    const unsigned first = blockIdx.x * tile;
    const unsigned count = min(n - first, tile);
    const Pair pair = pair_of(blockIdx.x, tile, run_tiles, n);
    const unsigned diagonal = first - pair.a;
    const unsigned a_begin = partitions[blockIdx.x];
    // The next boundary may be the first of the next pair, whose cut says nothing of this one.
    const unsigned a_end = first + count == pair.end ? pair.b - pair.a : partitions[blockIdx.x + 1];
    const unsigned a_count = a_end - a_begin;
    const unsigned* a = in + pair.a + a_begin;
    const unsigned* second = in + pair.b + (diagonal - a_begin);
#pragma unroll
    for (int i = 0; i < E; ++i) {
        const unsigned index = i * b + threadIdx.x;
        const unsigned* from = index < a_count ? a + index : second + (index - a_count);
        shared[index] = index < count ? *from : greatest_key;
    }
    __syncthreads();
    const unsigned from_a = merge_path(shared, a_count, shared + a_count, tile - a_count, threadIdx.x * E);
    unsigned keys[E];
    serial_merge(shared, from_a, a_count, a_count + threadIdx.x * E - from_a, tile, keys);
    __syncthreads();
    store_thread_order(shared, keys);
    __syncthreads();
    write_tile<E, b>(out + first, shared, count);
}

/// partitions[i], for i in [0, tiles]: how many keys of the first run of its pair precede output position i * tile.
extern "C" __global__ void __launch_bounds__(1024) sort_partition(const unsigned* in, unsigned n, unsigned run_tiles, unsigned tile, unsigned boundaries,
                                                                  unsigned* partitions) {
    const unsigned boundary = blockIdx.x * blockDim.x + threadIdx.x;
    if (boundary >= boundaries) return;
    const unsigned position = min(boundary * tile, n);
    const Pair pair = pair_of(boundary, tile, run_tiles, n);
    partitions[boundary] = merge_path(in + pair.a, pair.b - pair.a, in + pair.b, pair.end - pair.b, position - pair.a);
}

extern "C" __global__ void __launch_bounds__(128) sort_blocksort_E15_b128(const unsigned* in, unsigned* out, unsigned n) { sort_block<15, 128>(in, out, n); }
extern "C" __global__ void __launch_bounds__(256) sort_blocksort_E17_b256(const unsigned* in, unsigned* out, unsigned n) { sort_block<17, 256>(in, out, n); }
extern "C" __global__ void __launch_bounds__(512) sort_blocksort_E15_b512(const unsigned* in, unsigned* out, unsigned n) { sort_block<15, 512>(in, out, n); }

extern "C" __global__ void __launch_bounds__(128) sort_merge_E15_b128(const unsigned* in, unsigned* out, unsigned n, unsigned run_tiles, const unsigned* partitions) {
    merge_tile<15, 128>(in, out, n, run_tiles, partitions);
}
extern "C" __global__ void __launch_bounds__(256) sort_merge_E17_b256(const unsigned* in, unsigned* out, unsigned n, unsigned run_tiles, const unsigned* partitions) {
    merge_tile<17, 256>(in, out, n, run_tiles, partitions);
}
extern "C" __global__ void __launch_bounds__(512) sort_merge_E15_b512(const unsigned* in, unsigned* out, unsigned n, unsigned run_tiles, const unsigned* partitions) {
    merge_tile<15, 512>(in, out, n, run_tiles, partitions);
}
