// CF-Merge (Berney and Sitchinava, SPAA 2025): a thread reads the E elements of its part of the merge unsorted and sorts them in registers. The
// second run of a pair lies reversed behind the first. Then the words of a thread have all residues modulo E, and in round j every thread reads
// its word at j modulo E: the words of a warp fill one period of w E in steps of E, so with E odd they lie in w different banks.
//
// Not stable: of equal elements, any may come first.
#pragma once

#include "pairwise.cuh"

struct GatherMerge {
    /// Runs lie one behind the other, every second one reversed. A reversed thread writes its elements in reverse, so that round i of all
    /// threads writes words at i modulo E.
    template <class T, int E>
    static __device__ void store_runs(T* shared, const T (&elements)[E], unsigned threads_a_run) {
        const bool reversed = (threadIdx.x & threads_a_run) != 0;
        const unsigned place = reversed ? threadIdx.x ^ (threads_a_run - 1) : threadIdx.x;
#pragma unroll
        for (int i = 0; i < E; ++i) shared[place * E + i] = reversed ? elements[E - 1 - i] : elements[i];
    }

    static __device__ unsigned second_index(unsigned index, unsigned /*a_count*/, unsigned tile) { return tile - 1 - index; }

    template <class Order, int E, int b>
    static __device__ void take(const typename Order::Element* shared, unsigned begin, unsigned a_count, unsigned count, unsigned threads,
                                typename Order::Element (&elements)[E]) {
        using T = typename Order::Element;
        __shared__ unsigned first_of_warp[b / 32 + 1];
        const unsigned in_pair = threadIdx.x & (threads - 1);
        const unsigned diagonal = in_pair * E;
        const T* last = shared + begin + count - 1;
        const unsigned from_a = merge_path<Order>(shared + begin, a_count, [last](unsigned i) { return *(last - i); }, count - a_count, diagonal);

        // Where the next thread begins is where this one ends.
        unsigned next = __shfl_down_sync(0xffffffffU, from_a, 1);
        if (threads > 32) {
            if (threadIdx.x % 32 == 0) first_of_warp[threadIdx.x / 32] = from_a;
            __syncthreads();
            if (threadIdx.x % 32 == 31) next = first_of_warp[threadIdx.x / 32 + 1];
        }
        if (in_pair == threads - 1) next = a_count;

        const unsigned count_a = next - from_a;
        const unsigned a = begin + from_a;
        const unsigned second = begin + count - (diagonal - from_a) - E;  // plus the round's step: ascending addresses, descending elements
        const unsigned first_step = a % E;
#pragma unroll
        for (int j = 0; j < E; ++j) {
            const unsigned step = j >= first_step ? j - first_step : j - first_step + E;
            elements[j] = shared[(step < count_a ? a : second) + step];
        }
        sort_registers<Order>(elements);
    }
};
