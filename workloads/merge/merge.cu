// Merges two ascending arrays, all in global memory: a thread finds where its part of the output begins in both inputs (its co-ranks) by
// binary search along its diagonal of the merge path, and merges its E outputs one after the other. Neither staged nor coalesced: each
// thread walks its own three streams.

/// How many of the first `diagonal` outputs come from a; on ties a goes first.
__device__ inline unsigned co_rank(const unsigned* a, unsigned a_count, const unsigned* b, unsigned b_count, unsigned diagonal) {
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

template <int elements>
__device__ inline void merge_part(const unsigned* __restrict__ a, unsigned a_count, const unsigned* __restrict__ b, unsigned b_count,
                                  unsigned* __restrict__ merged) {
    const unsigned total = a_count + b_count;
    const unsigned diagonal = (blockIdx.x * blockDim.x + threadIdx.x) * elements;
    if (diagonal >= total) return;
    unsigned from_a = co_rank(a, a_count, b, b_count, diagonal);
    unsigned from_b = diagonal - from_a;
    const unsigned end = min(diagonal + elements, total);
    for (unsigned out = diagonal; out < end; ++out) {
        const bool take_a = from_b >= b_count || (from_a < a_count && a[from_a] <= b[from_b]);
        merged[out] = take_a ? a[from_a++] : b[from_b++];
    }
}

extern "C" __global__ void __launch_bounds__(1024) merge_E8(const unsigned* a, unsigned a_count, const unsigned* b, unsigned b_count, unsigned* merged) {
    merge_part<8>(a, a_count, b, b_count, merged);
}
extern "C" __global__ void __launch_bounds__(1024) merge_E15(const unsigned* a, unsigned a_count, const unsigned* b, unsigned b_count, unsigned* merged) {
    merge_part<15>(a, a_count, b, b_count, merged);
}
extern "C" __global__ void __launch_bounds__(1024) merge_E32(const unsigned* a, unsigned a_count, const unsigned* b, unsigned b_count, unsigned* merged) {
    merge_part<32>(a, a_count, b, b_count, merged);
}
