// Batched predecessor search: for each query, the index of the last of `key_count` ascending keys that is not greater than the query, or -1.
//
// A block copies the keys to shared memory once; then each thread answers `queries_per_thread` queries, neighbouring threads neighbouring
// queries, so the only irregular accesses are those to shared memory.

/// Interval bisection with an early end; a query takes as many steps as its own path through the tree needs.
struct Bisection {
    static __device__ inline unsigned keys_not_greater(const unsigned* keys, unsigned key_count, unsigned query) {
        unsigned low = 0;
        unsigned high = key_count;
        while (low < high) {
            const unsigned middle = (low + high) / 2;
            if (keys[middle] <= query)
                low = middle + 1;
            else
                high = middle;
        }
        return low;
    }
};

/// Strides that halve from the largest power of two; every query takes the same steps and no branch depends on a key.
struct Halving {
    static __device__ inline unsigned keys_not_greater(const unsigned* keys, unsigned key_count, unsigned query) {
        unsigned found = 0;
        for (unsigned stride = key_count == 0 ? 0 : 1U << (31 - __clz(static_cast<int>(key_count))); stride != 0; stride /= 2) {
            const unsigned candidate = found + stride;
            // The address is clamped instead of the access skipped, so that the access stays unconditional.
            const unsigned key = keys[min(candidate, key_count) - 1];
            if (candidate <= key_count && key <= query) found = candidate;
        }
        return found;
    }
};

template <class Method>
__device__ inline void answer(const unsigned* __restrict__ keys, unsigned key_count, const unsigned* __restrict__ queries, int* __restrict__ predecessors,
                              unsigned query_count, unsigned queries_per_thread) {
    extern __shared__ unsigned shared_keys[];
    for (unsigned i = threadIdx.x; i < key_count; i += blockDim.x) shared_keys[i] = keys[i];
    __syncthreads();
    const unsigned first = blockIdx.x * blockDim.x * queries_per_thread + threadIdx.x;
    for (unsigned i = 0; i < queries_per_thread; ++i) {
        const unsigned query = first + i * blockDim.x;
        if (query < query_count) predecessors[query] = static_cast<int>(Method::keys_not_greater(shared_keys, key_count, queries[query])) - 1;
    }
}

extern "C" __global__ void __launch_bounds__(1024) search_bisection(const unsigned* keys, unsigned key_count, const unsigned* queries, int* predecessors,
                                                                    unsigned query_count, unsigned queries_per_thread) {
    answer<Bisection>(keys, key_count, queries, predecessors, query_count, queries_per_thread);
}
extern "C" __global__ void __launch_bounds__(1024) search_halving(const unsigned* keys, unsigned key_count, const unsigned* queries, int* predecessors,
                                                                  unsigned query_count, unsigned queries_per_thread) {
    answer<Halving>(keys, key_count, queries, predecessors, query_count, queries_per_thread);
}
