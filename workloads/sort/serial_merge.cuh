// A thread takes its E elements one after the other, as ModernGPU and Thrust do: two heads, the lesser is taken and the next of its run read.
// Which banks the threads of a warp read is up to the data.
#pragma once

#include "pairwise.cuh"

struct SerialMerge {
    /// Runs lie one behind the other.
    template <class T, int E>
    static __device__ void store_runs(T* shared, const T (&elements)[E], unsigned /*threads_a_run*/) {
        store_thread_order(shared, elements);
    }

    /// What lies at `index` of a staged tile, behind the a_count elements of the first run.
    static __device__ unsigned second_index(unsigned index, unsigned a_count, unsigned /*tile*/) { return index - a_count; }

    /// The pair of runs at `begin`, a_count and count - a_count elements long, is merged by `threads` threads, each E of its outputs. Shared
    /// memory must hold one element beyond the last: the successor of each element taken is read at once.
    template <class Order, int E, int b>
    static __device__ void take(const typename Order::Element* shared, unsigned begin, unsigned a_count, unsigned count, unsigned threads,
                                typename Order::Element (&elements)[E]) {
        using T = typename Order::Element;
        const unsigned diagonal = (threadIdx.x & (threads - 1)) * E;
        const T* second = shared + begin + a_count;
        const unsigned from_a =
            merge_path<Order>(shared + begin, a_count, [second](unsigned i) { return second[i]; }, count - a_count, diagonal);
        unsigned a = begin + from_a;
        const unsigned a_end = begin + a_count;
        unsigned next_b = a_end + diagonal - from_a;
        const unsigned b_end = begin + count;
        T a_head = shared[a];
        T b_head = shared[next_b];
#pragma unroll
        for (int i = 0; i < E; ++i) {
            const bool take_b = next_b < b_end && (a >= a_end || Order::less(b_head, a_head));
            elements[i] = take_b ? b_head : a_head;
            const unsigned next = take_b ? ++next_b : ++a;
            const T successor = shared[next];
            if (take_b)
                b_head = successor;
            else
                a_head = successor;
        }
    }
};
