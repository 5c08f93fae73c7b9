// Pairwise mergesort: a block sorts a tile of E b elements; then rounds merge pairs of runs. A round has two kernels: `partition` cuts each
// pair along the merge path where tiles begin, `merge` makes one tile of output a block, in shared memory. How a thread takes its E
// elements of a merge is the template parameter Merge (serial_merge.cuh, gather_merge.cuh).
//
// The last tile may be short. What is missing is staged as the greatest element: it lies behind every element there is and is never written
// back, so inside a tile no count needs checking. With E odd, accesses in thread order (stride E) meet no bank conflict.
#pragma once

#include "elements.cuh"

/// How many of the first `diagonal` outputs of merging a and b come from a; on ties a goes first. `b_at(i)` is b's element i.
template <class Order, class At>
__device__ inline unsigned merge_path(const typename Order::Element* a, unsigned a_count, At b_at, unsigned b_count, unsigned diagonal) {
    unsigned low = diagonal > b_count ? diagonal - b_count : 0;
    unsigned high = min(diagonal, a_count);
#pragma unroll 1
    while (low < high) {
        const unsigned middle = (low + high) / 2;
        if (!Order::less(b_at(diagonal - 1 - middle), a[middle]))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/// Odd-even transposition sort of a thread's own elements, stable; every index is known at compile time, so they stay in registers.
template <class Order, int E>
__device__ inline void sort_registers(typename Order::Element (&elements)[E]) {
#pragma unroll
    for (int round = 0; round < E; ++round)
#pragma unroll
        for (int i = round % 2; i + 1 < E; i += 2) compare_exchange<Order>(elements[i], elements[i + 1]);
}

template <class T, int E>
__device__ inline void store_thread_order(T* shared, const T (&elements)[E]) {
#pragma unroll
    for (int i = 0; i < E; ++i) shared[threadIdx.x * E + i] = elements[i];
}

/// Writes the tile in shared memory to global memory, neighbouring threads neighbouring elements.
template <int E, int b, class T>
__device__ inline void write_tile(T* out, const T* shared, unsigned count) {
    if (count == E * b) {
#pragma unroll
        for (int i = 0; i < E; ++i) out[i * b + threadIdx.x] = shared[i * b + threadIdx.x];
    } else {
#pragma unroll
        for (int i = 0; i < E; ++i) {
            const unsigned index = i * b + threadIdx.x;
            if (index < count) out[index] = shared[index];
        }
    }
}

template <class Order, class Merge, int E, int b>
__device__ inline void sort_block(const typename Order::Element* __restrict__ in, typename Order::Element* __restrict__ out, unsigned n) {
    using T = typename Order::Element;
    constexpr unsigned tile = E * b;
    T* const shared = dynamic_shared<T>();
    const unsigned first = blockIdx.x * tile;
    const unsigned count = min(n - first, tile);
    T elements[E];
    if (count == tile) {
#pragma unroll
        for (int i = 0; i < E; ++i) elements[i] = in[first + i * b + threadIdx.x];
    } else {
#pragma unroll
        for (int i = 0; i < E; ++i) {
            const unsigned index = i * b + threadIdx.x;
            elements[i] = index < count ? in[first + index] : Order::greatest();
        }
    }
#pragma unroll
    for (int i = 0; i < E; ++i) shared[i * b + threadIdx.x] = elements[i];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < E; ++i) elements[i] = shared[threadIdx.x * E + i];
    sort_registers<Order>(elements);

#pragma unroll 1
    for (unsigned threads = 2; threads <= b; threads *= 2) {  // threads that merge one pair of runs
        __syncthreads();
        Merge::template store_runs<T, E>(shared, elements, threads / 2);
        __syncthreads();
        const unsigned begin = (threadIdx.x & ~(threads - 1)) * E;
        Merge::template take<Order, E, b>(shared, begin, threads / 2 * E, threads * E, threads, elements);
    }

    __syncthreads();
    store_thread_order(shared, elements);
    __syncthreads();
    write_tile<E, b>(out + first, shared, count);
}

/// Which part of a round's output a tile is. The runs are `run` elements long, the last may be shorter; a pair of them has `pair_tiles` tiles.
struct Tile {
    unsigned a;         ///< begin of the pair's first run
    unsigned b;         ///< end of the first run, begin of the second
    unsigned end;       ///< end of the second
    unsigned diagonal;  ///< outputs of the pair before this tile
};

__device__ inline Tile tile_of(unsigned index, unsigned tile, unsigned run, unsigned pair_tiles, unsigned n) {
    const unsigned begin = index / pair_tiles * 2 * run;
    return {begin, min(begin + run, n), min(begin + 2 * run, n), index % pair_tiles * tile};
}

template <class Order, class Merge, int E, int b>
__device__ inline void merge_tile(const typename Order::Element* __restrict__ in, typename Order::Element* __restrict__ out, unsigned n, unsigned run,
                                  unsigned pair_tiles, const unsigned* __restrict__ partitions) {
    using T = typename Order::Element;
    constexpr unsigned tile = E * b;
    T* const shared = dynamic_shared<T>();
    const Tile at = tile_of(blockIdx.x, tile, run, pair_tiles, n);
    if (at.a + at.diagonal >= at.end) return;
    const unsigned count = min(at.end - at.a - at.diagonal, tile);
    const unsigned a_begin = partitions[blockIdx.x];
    // The next tile may be the first of the next pair, whose cut says nothing of this one.
    const unsigned a_end = at.a + at.diagonal + count == at.end ? at.b - at.a : partitions[blockIdx.x + 1];
    const unsigned a_count = a_end - a_begin;
    const T* a = in + at.a + a_begin;
    const T* second = in + at.b + (at.diagonal - a_begin);
    T elements[E];
#pragma unroll
    for (int i = 0; i < E; ++i) {
        const unsigned index = i * b + threadIdx.x;
        const unsigned from_second = Merge::second_index(index, a_count, tile);
        const T* from = index < a_count ? a + index : second + from_second;
        elements[i] = index < a_count || from_second < count - a_count ? *from : Order::greatest();
    }
#pragma unroll
    for (int i = 0; i < E; ++i) shared[i * b + threadIdx.x] = elements[i];
    __syncthreads();
    Merge::template take<Order, E, b>(shared, 0, a_count, tile, b, elements);
    __syncthreads();
    store_thread_order(shared, elements);
    __syncthreads();
    write_tile<E, b>(out + (at.a + at.diagonal), shared, count);
}

/// partitions[i], for i in [0, tiles): how many elements of the first run of its pair precede tile i.
template <class Order>
__device__ inline void partition(const typename Order::Element* in, unsigned n, unsigned run, unsigned pair_tiles, unsigned tile, unsigned tiles,
                                 unsigned* partitions) {
    const unsigned index = blockIdx.x * blockDim.x + threadIdx.x;
    if (index >= tiles) return;
    const Tile at = tile_of(index, tile, run, pair_tiles, n);
    const typename Order::Element* b = in + at.b;
    partitions[index] = merge_path<Order>(
        in + at.a, at.b - at.a, [b](unsigned i) { return b[i]; }, at.end - at.b, min(at.diagonal, at.end - at.a));
}
