// Shearsort of w^2 elements by one warp, after Afshani and Sitchinava: the elements are a w x w matrix in shared memory; w = 32 threads sort its
// rows, every second one descending, then its columns, log2 w times, and the rows once more. A thread sorts its row or column in registers.
// Row r begins in bank r, so that neither the rows nor the columns of different threads meet in a bank.
#pragma once

#include "elements.cuh"

constexpr int w = 32;

/// Bitonic sort of a thread's own 32 elements.
template <class Order>
__device__ inline void bitonic_sort_registers(typename Order::Element (&elements)[w]) {
#pragma unroll
    for (int size = 2; size <= w; size *= 2) {
#pragma unroll
        for (int i = 0; i < w; ++i)  // both halves ascend: the second is taken backwards
            if ((i & (size / 2)) == 0) compare_exchange<Order>(elements[i], elements[i ^ (size - 1)]);
#pragma unroll
        for (int stride = size / 4; stride > 0; stride /= 2)
#pragma unroll
            for (int i = 0; i < w; ++i)
                if ((i & stride) == 0) compare_exchange<Order>(elements[i], elements[i ^ stride]);
    }
}

/// The word of a cell.
__device__ inline unsigned rotated(unsigned row, unsigned column) { return row * w + ((column + row) & (w - 1)); }

template <class Order>
__device__ inline void shearsort_block(const typename Order::Element* __restrict__ in, typename Order::Element* __restrict__ out, unsigned n) {
    using T = typename Order::Element;
    __shared__ T matrix[w * w];
    const unsigned lane = threadIdx.x;
    const unsigned first = blockIdx.x * (w * w);
    T line[w];  // the thread's row, or column
#pragma unroll
    for (int i = 0; i < w; ++i) {
        const unsigned index = first + i * w + lane;
        line[i] = index < n ? in[index] : Order::greatest();
    }
    constexpr int iterations = 5;  // log2 w: each halves the rows that hold more than one value, of zeros and ones
#pragma unroll 1
    for (int iteration = 0; iteration < iterations; ++iteration) {
        bitonic_sort_registers<Order>(line);
#pragma unroll
        for (int i = 0; i < w; ++i) matrix[rotated(lane, i)] = lane % 2 == 0 ? line[i] : line[w - 1 - i];
        __syncwarp();
#pragma unroll
        for (int i = 0; i < w; ++i) line[i] = matrix[rotated(i, lane)];
        bitonic_sort_registers<Order>(line);
#pragma unroll
        for (int i = 0; i < w; ++i) matrix[rotated(i, lane)] = line[i];
        __syncwarp();
#pragma unroll
        for (int i = 0; i < w; ++i) line[i] = matrix[rotated(lane, i)];
    }
    bitonic_sort_registers<Order>(line);
#pragma unroll
    for (int i = 0; i < w; ++i) matrix[rotated(lane, i)] = line[i];
    __syncwarp();
#pragma unroll
    for (int i = 0; i < w; ++i) {
        const unsigned index = first + i * w + lane;
        if (index < n) out[index] = matrix[rotated(i, lane)];
    }
}
