// Parallel merge by co-ranks as J. Lv's thesis writes it (Parallel merge for many-core architectures): naive (4.1), single buffer (4.2), double
// buffer (4.3), each with and without half the calls of the co-rank function (5.1) and selection instead of branches (5.2). Every thread writes its own
// outputs to global memory, and the merge reads keys where the listings do. merge_co_rank.cu has what we made of these.
//
// Dynamic shared memory, in words: x (single) or 2x (double) of a, as much of b, then the co-ranks that threads hand on.

#include "co_rank_options.cuh"

/// Keys in shared memory that wrap around behind `capacity`.
struct Wrapped {
    const unsigned* keys;
    int head;
    int capacity;
    __device__ inline unsigned operator[](int index) const {
        const int place = head + index;
        return keys[place >= capacity ? place - capacity : place];
    }
    __device__ inline Wrapped operator+(int offset) const {
        const int place = head + offset;
        return {keys, place >= capacity ? place - capacity : place, capacity};
    }
};

/// Listings 3.1 and 5.2: how many of the first i outputs come from a.
template <class Options, class Run>
__device__ inline int co_rank(int i, const Run& a, int m, const Run& b, int n) {
    int j = i < m ? i : m;
    int k = i - j;
    int j_low = 0 > i - n ? 0 : i - n;
    int k_low = 0;
    int delta = 0;
    while (true) {
        if constexpr (Options::select) {
            const bool less = j > 0 && k < n && a[j - 1] > b[k];
            const bool more = k > 0 && j < m && b[k - 1] >= a[j];
            delta = less ? ((j - j_low - 1) >> 1) + 1 : more ? ((k - k_low - 1) >> 1) + 1 : delta;
            k_low = less ? k : k_low;
            j_low = more ? j : j_low;
            j = less ? j - delta : more ? j + delta : j;
            k = less ? k + delta : more ? k - delta : k;
            if (!less && !more) return j;
        } else {
            if (j > 0 && k < n && a[j - 1] > b[k]) {
                delta = ((j - j_low - 1) >> 1) + 1;
                k_low = k;
                j -= delta;
                k += delta;
            } else if (k > 0 && j < m && b[k - 1] >= a[j]) {
                delta = ((k - k_low - 1) >> 1) + 1;
                j_low = j;
                j += delta;
                k -= delta;
            } else {
                return j;
            }
        }
    }
}

/// Listing 5.1: two keys are compared, unless one run is used up; then the one is read that is taken.
template <class Run>
__device__ inline void merge_by_selection(const Run& a, int m, const Run& b, int n, unsigned* c) {
    int from_a = 0;
    int from_b = 0;
    for (int i = 0; i < m + n; ++i) {
        const bool take_a = from_b >= n ? true : from_a >= m ? false : a[from_a] > b[from_b] ? false : true;
        c[i] = take_a ? a[from_a++] : b[from_b++];
    }
}

/// Listing 2.1.
template <class Run>
__device__ inline void merge_by_branches(const Run& a, int m, const Run& b, int n, unsigned* c) {
    int i = 0;
    int j = 0;
    int k = 0;
    while (i < m && j < n) {
        if (a[i] <= b[j])
            c[k++] = a[i++];
        else
            c[k++] = b[j++];
    }
    if (i == m)
        for (; j < n; ++j) c[k++] = b[j];
    else
        for (; i < m; ++i) c[k++] = a[i];
}

/// Listing 3.2: part r of p begins at floor(r count / p).
template <class Product>
__device__ inline int part_begin(int count, unsigned r, unsigned p) {
    return static_cast<int>(static_cast<Product>(r) * static_cast<Product>(count) / p);
}

/// Part r of p: finds its co-ranks and merges it into c; returns the co-rank of its end. `first` computes the co-rank of the begin of the block's
/// first part, if threads hand theirs on. Product: an unsigned type that holds p times the outputs.
template <class Options, class Product, class Run, class First>
__device__ inline int merge_part(int count, unsigned r, unsigned p, const Run& a, int m, const Run& b, int n, unsigned* c, int* ends,
                                 const First& first) {
    const int begin = part_begin<Product>(count, r, p);
    const int end = part_begin<Product>(count, r + 1, p);
    const int a_end = co_rank<Options>(end, a, m, b, n);
    int a_begin = 0;
    if constexpr (Options::half) {
        ends[threadIdx.x] = a_end;
        __syncthreads();
        a_begin = threadIdx.x == 0 ? first(begin) : ends[threadIdx.x - 1];
    } else {
        a_begin = co_rank<Options>(begin, a, m, b, n);
    }
    const int from_a = a_end - a_begin;
    if constexpr (Options::select)
        merge_by_selection(a + a_begin, from_a, b + (begin - a_begin), end - begin - from_a, c + begin);
    else
        merge_by_branches(a + a_begin, from_a, b + (begin - a_begin), end - begin - from_a, c + begin);
    return a_end;
}

template <class Options>
__device__ inline void naive(const unsigned* a, int m, const unsigned* b, int n, unsigned* c) {
    merge_part<Options, unsigned long long>(m + n, blockIdx.x * blockDim.x + threadIdx.x, gridDim.x * blockDim.x, a, m, b, n, c,
                                            reinterpret_cast<int*>(shared_words),
                                            [&](int begin) { return co_rank<Options>(begin, a, m, b, n); });
}

/// All threads of a block do the same search in global memory.
template <class Options>
__device__ inline BlockPart part_of_block(const unsigned* a, int m, const unsigned* b, int n) {
    BlockPart part;
    part.begin = part_begin<unsigned long long>(m + n, blockIdx.x, gridDim.x);
    part.count = part_begin<unsigned long long>(m + n, blockIdx.x + 1, gridDim.x) - part.begin;
    part.a_begin = co_rank<Options>(part.begin, a, m, b, n);
    part.a_count = co_rank<Options>(part.begin + part.count, a, m, b, n) - part.a_begin;
    part.b_begin = part.begin - part.a_begin;
    part.b_count = part.count - part.a_count;
    return part;
}

/// Merges the first `count` outputs of what is staged into c; returns how many come from a.
template <class Options, class Run>
__device__ inline int merge_staged(const Run& a, int m, const Run& b, int n, int count, unsigned* c, int* ends) {
    const int a_end = merge_part<Options, unsigned>(count, threadIdx.x, blockDim.x, a, m, b, n, c, ends, [](int) { return 0; });
    const int last = Options::half ? static_cast<int>(blockDim.x) - 1 : 0;
    if (!Options::half && threadIdx.x == blockDim.x - 1) ends[0] = a_end;
    __syncthreads();
    return ends[last];
}

/// An iteration loads the next x keys of both runs, merges x outputs and wastes what it did not use.
template <class Options>
__device__ inline void single_buffer(const unsigned* a, int m, const unsigned* b, int n, unsigned* c, int x) {
    unsigned* const staged_a = shared_words;
    unsigned* const staged_b = staged_a + x;
    int* const ends = reinterpret_cast<int*>(staged_b + x);
    const BlockPart part = part_of_block<Options>(a, m, b, n);
    int a_used = 0;
    for (int done = 0; done < part.count;) {
        const int b_used = done - a_used;
        const int a_staged = min(x, part.a_count - a_used);
        const int b_staged = min(x, part.b_count - b_used);
        for (int i = static_cast<int>(threadIdx.x); i < a_staged; i += static_cast<int>(blockDim.x)) staged_a[i] = a[part.a_begin + a_used + i];
        for (int i = static_cast<int>(threadIdx.x); i < b_staged; i += static_cast<int>(blockDim.x)) staged_b[i] = b[part.b_begin + b_used + i];
        __syncthreads();
        const int count = min(x, part.count - done);
        a_used += merge_staged<Options>(static_cast<const unsigned*>(staged_a), a_staged, static_cast<const unsigned*>(staged_b), b_staged, count,
                                        c + part.begin + done, ends);
        done += count;
    }
}

/// Keys of one input in a ring of 2x.
struct LoadedRing {
    unsigned* ring;
    int capacity;
    const unsigned* from;  ///< of the block's part
    int all;
    int head = 0;
    int staged = 0;
    int loaded = 0;
    __device__ inline void load(int most) {
        const int count = min(most, all - loaded);
        for (int i = static_cast<int>(threadIdx.x); i < count; i += static_cast<int>(blockDim.x)) {
            int place = head + staged + i;
            place -= place >= capacity ? capacity : 0;
            place -= place >= capacity ? capacity : 0;
            ring[place] = from[loaded + i];
        }
        loaded += count;
        staged += count;
    }
    __device__ inline void use(int count) {
        staged -= count;
        head += count;
        head -= head >= capacity ? capacity : 0;
    }
    __device__ inline Wrapped keys() const { return {ring, head, capacity}; }
};

/// Rings of 2x keys; x more are loaded only into the one that has fewer than x left.
template <class Options>
__device__ inline void double_buffer(const unsigned* a, int m, const unsigned* b, int n, unsigned* c, int x) {
    const BlockPart part = part_of_block<Options>(a, m, b, n);
    LoadedRing ring_a{shared_words, 2 * x, a + part.a_begin, part.a_count};
    LoadedRing ring_b{shared_words + 2 * x, 2 * x, b + part.b_begin, part.b_count};
    int* const ends = reinterpret_cast<int*>(shared_words + 4 * x);
    ring_a.load(2 * x);
    ring_b.load(2 * x);
    for (int done = 0; done < part.count;) {
        if (ring_a.staged < x) ring_a.load(x);
        if (ring_b.staged < x) ring_b.load(x);
        __syncthreads();
        const int count = min(x, part.count - done);
        const int from_a = merge_staged<Options>(ring_a.keys(), ring_a.staged, ring_b.keys(), ring_b.staged, count, c + part.begin + done, ends);
        ring_a.use(from_a);
        ring_b.use(count - from_a);
        done += count;
    }
}

#define MERGE_KERNELS(suffix, Options)                                                                                                   \
    extern "C" __global__ void __launch_bounds__(1024)                                                                                   \
        merge_lv_naive##suffix(const unsigned* a, int m, const unsigned* b, int n, unsigned* c, int) {                                   \
        naive<Options>(a, m, b, n, c);                                                                                                   \
    }                                                                                                                                    \
    extern "C" __global__ void __launch_bounds__(1024)                                                                                   \
        merge_lv_single_buffer##suffix(const unsigned* a, int m, const unsigned* b, int n, unsigned* c, int x) {                         \
        single_buffer<Options>(a, m, b, n, c, x);                                                                                        \
    }                                                                                                                                    \
    extern "C" __global__ void __launch_bounds__(1024)                                                                                   \
        merge_lv_double_buffer##suffix(const unsigned* a, int m, const unsigned* b, int n, unsigned* c, int x) {                         \
        double_buffer<Options>(a, m, b, n, c, x);                                                                                        \
    }

MERGE_KERNELS(, Plain)
MERGE_KERNELS(_half, Half)
MERGE_KERNELS(_select, Select)
MERGE_KERNELS(_half_select, HalfSelect)
