// Parallel merge by co-ranks as in J. Lv's thesis, Parallel merge for many-core architectures: naive (chapter 4.1), single buffer (4.2) and double buffer
// (4.3), each with and without the two later optimisations: half the calls of the co-rank function (5.1), selection instead of branches (5.2).
//
// The co-rank of i is how many of the first i outputs come from a; on ties a goes first. All counts fit in 31 bits.
//
// Dynamic shared memory, in words: x (single) or 2x (double) of a, as much of b, x of output, then the co-ranks that threads hand on.

#include "co_rank_options.cuh"

/// Keys in a ring; `head` and every index are less than `capacity`.
struct Ring {
    const unsigned* keys;
    int head;
    int capacity;
    __device__ inline const unsigned* place(int index) const {
        const int wrapped = head + index;
        return keys + (wrapped >= capacity ? wrapped - capacity : wrapped);
    }
    __device__ inline unsigned operator[](int index) const { return *place(index); }
    __device__ inline Ring operator+(int offset) const {
        const int place = head + offset;
        return {keys, place >= capacity ? place - capacity : place, capacity};
    }
};

/// Listings 3.1 and 5.2.
template <class Options, class Run>
__device__ inline int co_rank(int i, const Run& a, int m, const Run& b, int n) {
    int j = min(i, m);
    int k = i - j;
    int j_low = max(0, i - n);
    int k_low = max(0, i - m);
    if constexpr (Options::select) {
        while (true) {
            const bool less = j > 0 && k < n && a[j - 1] > b[k];
            const bool more = k > 0 && j < m && b[k - 1] >= a[j];
            if (!less && !more) return j;
            const int delta = ((less ? j - j_low : k - k_low) + 1) >> 1;
            k_low = less ? k : k_low;
            j_low = less ? j_low : j;
            j += less ? -delta : delta;
            k = i - j;
        }
    } else {
        while (true) {
            if (j > 0 && k < n && a[j - 1] > b[k]) {
                const int delta = ((j - j_low - 1) >> 1) + 1;
                k_low = k;
                j -= delta;
                k += delta;
            } else if (k > 0 && j < m && b[k - 1] >= a[j]) {
                const int delta = ((k - k_low - 1) >> 1) + 1;
                j_low = j;
                j += delta;
                k -= delta;
            } else {
                return j;
            }
        }
    }
}

constexpr unsigned greatest_key = 0xffffffffU;

/// Listing 5.1 with the first key of either run held in a register: an output costs one read, not two or three. A run that is used up counts
/// as the greatest key: what is then taken from it equals what the other run still has.
__device__ inline void merge_by_selection(const unsigned* a, int m, const unsigned* b, int n, unsigned* c) {
    const unsigned* const a_end = a + m;
    const unsigned* const b_end = b + n;
    unsigned* const c_end = c + (m + n);
    unsigned a_key = m > 0 ? *a : greatest_key;
    unsigned b_key = n > 0 ? *b : greatest_key;
#pragma unroll 1
    while (c < c_end) {
        const bool take_a = a_key <= b_key;
        *c++ = take_a ? a_key : b_key;
        a += take_a ? 1 : 0;
        b += take_a ? 0 : 1;
        const unsigned* const follows = take_a ? a : b;
        const unsigned next = follows < (take_a ? a_end : b_end) ? *follows : greatest_key;
        a_key = take_a ? next : a_key;
        b_key = take_a ? b_key : next;
    }
}
__device__ inline void merge_by_selection(const Ring& a, int m, const Ring& b, int n, unsigned* c) {
    unsigned a_key = m > 0 ? a[0] : greatest_key;
    unsigned b_key = n > 0 ? b[0] : greatest_key;
    int i = 0;
    int j = 0;
#pragma unroll 1
    for (int k = 0; k < m + n; ++k) {
        const bool take_a = a_key <= b_key;
        c[k] = take_a ? a_key : b_key;
        i += take_a ? 1 : 0;
        j = k + 1 - i;
        const bool more = take_a ? i < m : j < n;
        const unsigned next = more ? *(take_a ? a.place(i) : b.place(j)) : greatest_key;
        a_key = take_a ? next : a_key;
        b_key = take_a ? b_key : next;
    }
}

/// Listing 2.1, too with the first keys held in registers.
template <class Run>
__device__ inline void merge_by_branches(const Run& a, int m, const Run& b, int n, unsigned* c) {
    unsigned a_key = m > 0 ? a[0] : 0;
    unsigned b_key = n > 0 ? b[0] : 0;
    int i = 0;
    int j = 0;
    int k = 0;
    while (i < m && j < n) {
        if (a_key <= b_key) {
            c[k] = a_key;
            ++i;
            if (i < m) a_key = a[i];
        } else {
            c[k] = b_key;
            ++j;
            if (j < n) b_key = b[j];
        }
        ++k;
    }
    if (i == m)
        for (; j < n; ++j) c[k++] = b[j];
    else
        for (; i < m; ++i) c[k++] = a[i];
}

/// Where part r of p parts of [0, count) begins; parts differ by one at most. `quotient` is count / p.
__device__ inline int part_begin(unsigned count, unsigned quotient, unsigned r, unsigned p) {
    return static_cast<int>(r * quotient + min(r, count - quotient * p));
}

/// Part r of p: finds its co-ranks and merges it into c; returns the co-rank of its end. `first` computes the co-rank of the begin of the block's
/// first part, if threads hand theirs on.
template <class Options, class Run, class First>
__device__ inline int merge_part(unsigned count, unsigned quotient, unsigned r, unsigned p, const Run& a, int m, const Run& b, int n, unsigned* c,
                                 int* ends, const First& first) {
    const int begin = part_begin(count, quotient, r, p);
    const int end = part_begin(count, quotient, r + 1, p);
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

/// Every thread merges its own part, all in global memory.
template <class Options>
__device__ inline void naive(const unsigned* __restrict__ a, int m, const unsigned* __restrict__ b, int n, unsigned* __restrict__ c) {
    const unsigned r = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned p = gridDim.x * blockDim.x;
    const auto count = static_cast<unsigned>(m + n);
    merge_part<Options>(count, count / p, r, p, a, m, b, n, c, reinterpret_cast<int*>(shared_words),
                        [&](int begin) { return co_rank<Options>(begin, a, m, b, n); });
}

/// Neighbouring threads copy neighbouring words; six loads are under way at a time. `threads` are the block's.
template <class Threads>
__device__ inline void copy_by(Threads threads, unsigned* __restrict__ to, const unsigned* __restrict__ from, int count) {
    constexpr int batch = 6;
    to += threadIdx.x;
    from += threadIdx.x;
    for (int left = count - static_cast<int>(threadIdx.x); left > 0; left -= batch * threads) {
        unsigned words[batch];
#pragma unroll
        for (int j = 0; j < batch; ++j)
            if (j * threads < left) words[j] = from[j * threads];
#pragma unroll
        for (int j = 0; j < batch; ++j)
            if (j * threads < left) to[j * threads] = words[j];
        from += batch * threads;
        to += batch * threads;
    }
}
template <int value>
struct Constant {
    __device__ constexpr operator int() const { return value; }
};
/// The usual block sizes have code of their own, in which the addresses of a batch differ by constants.
__device__ inline void copy(unsigned* __restrict__ to, const unsigned* __restrict__ from, int count) {
    switch (blockDim.x) {
        case 128: copy_by(Constant<128>{}, to, from, count); break;
        case 256: copy_by(Constant<256>{}, to, from, count); break;
        case 512: copy_by(Constant<512>{}, to, from, count); break;
        default: copy_by(static_cast<int>(blockDim.x), to, from, count); break;
    }
}
/// The same into a ring, behind its `staged` words.
__device__ inline void append(unsigned* __restrict__ ring, int head, int capacity, int staged, const unsigned* __restrict__ from, int count) {
#pragma unroll 4
    for (int i = static_cast<int>(threadIdx.x); i < count; i += static_cast<int>(blockDim.x)) {
        int place = head + staged + i;
        place -= place >= capacity ? capacity : 0;
        place -= place >= capacity ? capacity : 0;
        ring[place] = from[i];
    }
}

/// Merges the first `count` outputs of what is staged into `output`, every thread its part; returns how many come from a. `quotient` is x divided by
/// the threads.
template <class Options, class Run>
__device__ inline int merge_staged(const Run& a, int m, const Run& b, int n, int count, int x, unsigned quotient, unsigned* output, int* ends) {
    const unsigned part = count == x ? quotient : static_cast<unsigned>(count) / blockDim.x;
    const int a_end =
        merge_part<Options>(static_cast<unsigned>(count), part, threadIdx.x, blockDim.x, a, m, b, n, output, ends, [](int) { return 0; });
    const int last = Options::half ? static_cast<int>(blockDim.x) - 1 : 0;
    if (!Options::half && threadIdx.x == blockDim.x - 1) ends[0] = a_end;
    __syncthreads();
    return ends[last];
}

/// Every thread computes the same two co-ranks in global memory.
template <class Options>
__device__ inline BlockPart part_of_block(const unsigned* a, int m, const unsigned* b, int n) {
    const auto total = static_cast<unsigned>(m + n);
    BlockPart part;
    part.begin = part_begin(total, total / gridDim.x, blockIdx.x, gridDim.x);
    part.count = part_begin(total, total / gridDim.x, blockIdx.x + 1, gridDim.x) - part.begin;
    part.a_begin = co_rank<Options>(part.begin, a, m, b, n);
    part.a_count = co_rank<Options>(part.begin + part.count, a, m, b, n) - part.a_begin;
    part.b_begin = part.begin - part.a_begin;
    part.b_count = part.count - part.a_count;
    return part;
}

/// An iteration stages the next x keys of both runs, merges x outputs and forgets what it did not use.
template <class Options>
__device__ inline void single_buffer(const unsigned* __restrict__ a, int m, const unsigned* __restrict__ b, int n, unsigned* __restrict__ c, int x) {
    unsigned* const staged_a = shared_words;
    unsigned* const staged_b = staged_a + x;
    unsigned* const output = staged_b + x;
    int* const ends = reinterpret_cast<int*>(output + x);
    const unsigned quotient = static_cast<unsigned>(x) / blockDim.x;
    const BlockPart part = part_of_block<Options>(a, m, b, n);
    a += part.a_begin;
    b += part.b_begin;
    c += part.begin;
    int a_left = part.a_count;
    int b_left = part.b_count;
    while (a_left + b_left > 0) {
        const int a_staged = min(x, a_left);
        const int b_staged = min(x, b_left);
        copy(staged_a, a, a_staged);
        copy(staged_b, b, b_staged);
        __syncthreads();
        const int count = min(x, a_left + b_left);
        const int from_a = merge_staged<Options>(static_cast<const unsigned*>(staged_a), a_staged, static_cast<const unsigned*>(staged_b), b_staged, count,
                                                 x, quotient, output, ends);
        copy(c, output, count);
        a += from_a;
        b += count - from_a;
        c += count;
        a_left -= from_a;
        b_left -= count - from_a;
    }
}

/// Rings of 2x keys; x more are loaded only into the one that has fewer than x left.
template <class Options>
__device__ inline void double_buffer(const unsigned* __restrict__ a, int m, const unsigned* __restrict__ b, int n, unsigned* __restrict__ c, int x) {
    const int capacity = 2 * x;
    unsigned* const ring_a = shared_words;
    unsigned* const ring_b = ring_a + capacity;
    unsigned* const output = ring_b + capacity;
    int* const ends = reinterpret_cast<int*>(output + x);
    const unsigned quotient = static_cast<unsigned>(x) / blockDim.x;
    const BlockPart part = part_of_block<Options>(a, m, b, n);
    a += part.a_begin;
    b += part.b_begin;
    c += part.begin;
    int a_head = 0;
    int b_head = 0;
    int a_staged = min(capacity, part.a_count);
    int b_staged = min(capacity, part.b_count);
    copy(ring_a, a, a_staged);
    copy(ring_b, b, b_staged);
    int a_loaded = a_staged;
    int b_loaded = b_staged;
    int left = part.count;
    while (left > 0) {
        if (a_staged < x && a_loaded < part.a_count) {
            const int count = min(x, part.a_count - a_loaded);
            append(ring_a, a_head, capacity, a_staged, a + a_loaded, count);
            a_loaded += count;
            a_staged += count;
        }
        if (b_staged < x && b_loaded < part.b_count) {
            const int count = min(x, part.b_count - b_loaded);
            append(ring_b, b_head, capacity, b_staged, b + b_loaded, count);
            b_loaded += count;
            b_staged += count;
        }
        __syncthreads();
        const int count = min(x, left);
        const int from_a = merge_staged<Options>(Ring{ring_a, a_head, capacity}, a_staged, Ring{ring_b, b_head, capacity}, b_staged, count, x, quotient, output, ends);
        copy(c, output, count);
        c += count;
        left -= count;
        a_staged -= from_a;
        b_staged -= count - from_a;
        a_head = (Ring{ring_a, a_head, capacity} + from_a).head;
        b_head = (Ring{ring_b, b_head, capacity} + (count - from_a)).head;
    }
}

#define MERGE_KERNELS(suffix, Options)                                                                                                                      \
    extern "C" __global__ void __launch_bounds__(1024) merge_naive##suffix(const unsigned* a, int m, const unsigned* b, int n, unsigned* c, int) {          \
        naive<Options>(a, m, b, n, c);                                                                                                                      \
    }                                                                                                                                                       \
    extern "C" __global__ void __launch_bounds__(1024) merge_single_buffer##suffix(const unsigned* a, int m, const unsigned* b, int n, unsigned* c, int x) { \
        single_buffer<Options>(a, m, b, n, c, x);                                                                                                           \
    }                                                                                                                                                       \
    extern "C" __global__ void __launch_bounds__(1024) merge_double_buffer##suffix(const unsigned* a, int m, const unsigned* b, int n, unsigned* c, int x) { \
        double_buffer<Options>(a, m, b, n, c, x);                                                                                                           \
    }

MERGE_KERNELS(, Plain)
MERGE_KERNELS(_half, Half)
MERGE_KERNELS(_select, Select)
MERGE_KERNELS(_half_select, HalfSelect)
