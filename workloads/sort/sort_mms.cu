// `sort mms`: GPU-MMS, the multiway mergesort of Karsin, Weichert, Casanova, Iacono and Sitchinava (ICS 2018). A warp merges K runs with a
// MinBlockHeap: a binary tree of 2K - 1 nodes of w sorted elements, no element of a node greater than one below it. The root is written out;
// its emptiness then moves down to a leaf, which the next w elements of its run fill. Two nodes are merged in registers, by shuffles. The path
// of the emptiness follows from the nodes' last elements alone, so all its nodes are loaded first and merged at once (pipelined).
// The base case is shearsort (sort_block.cu).
#include "multiway.cuh"

template <class Order>
__device__ inline void order_pair(typename Order::Element& less, typename Order::Element& greater) {
    compare_exchange<Order>(less, greater);
}

/// One of two lanes keeps the lesser, the other the greater.
template <class Order>
__device__ inline typename Order::Element keep(typename Order::Element mine, typename Order::Element theirs, bool greater) {
    const bool take = greater ? Order::less(mine, theirs) : Order::less(theirs, mine);
    return take ? theirs : mine;
}
template <>
__device__ inline unsigned keep<Keys32>(unsigned mine, unsigned theirs, bool greater) {
    return greater ? max(mine, theirs) : min(mine, theirs);
}

template <class Order, int K>
struct MinBlockHeap {
    using T = typename Order::Element;
    static constexpr int levels = K == 2 ? 1 : K == 4 ? 2 : K == 8 ? 3 : K == 16 ? 4 : 5;
    T* nodes;  ///< node v has the children 2 v + 1 and 2 v + 2; leaf K - 1 + i takes from run i

    __device__ T& at(unsigned node, unsigned index) const { return nodes[node * w + index]; }

    /// Of the children of an empty node, the one that its emptiness moves to: that whose last element is lesser.
    __device__ unsigned emptied_child(unsigned node) const {
        const unsigned left = 2 * node + 1;
        return Order::less(at(left + 1, w - 1), at(left, w - 1)) ? left + 1 : left;
    }
    __device__ static unsigned sibling(unsigned node) { return ((node - 1) ^ 1) + 1; }

    /// Merges pairs of nodes, of which each lane holds element `lane` of one in lesser and element w - 1 - lane of the other in greater.
    template <int pairs>
    __device__ static void merge(T (&lesser)[pairs], T (&greater)[pairs]) {
#pragma unroll
        for (int i = 0; i < pairs; ++i) order_pair<Order>(lesser[i], greater[i]);
#pragma unroll
        for (unsigned distance = w / 2; distance > 0; distance /= 2) {
            const bool upper = (threadIdx.x & distance) != 0;
#pragma unroll
            for (int i = 0; i < pairs; ++i) {
                lesser[i] = keep<Order>(lesser[i], __shfl_xor_sync(whole_warp, lesser[i], distance), upper);
                greater[i] = keep<Order>(greater[i], __shfl_xor_sync(whole_warp, greater[i], distance), upper);
            }
        }
    }

    /// Fills an empty node, and those that this empties, one after the other.
    __device__ void fill(unsigned node, Part<T, K>& part) const {
        const unsigned lane = threadIdx.x;
        while (node < K - 1) {
            const unsigned left = 2 * node + 1;
            const unsigned emptied = emptied_child(node);
            T lesser[1] = {at(left, lane)};
            T greater[1] = {at(left + 1, w - 1 - lane)};
            merge(lesser, greater);
            __syncwarp();
            at(node, lane) = lesser[0];
            at(sibling(emptied), lane) = greater[0];
            node = emptied;
        }
        at(node, lane) = part.template read_block<Order>(node - (K - 1));
        __syncwarp();
    }

    __device__ void build(Part<T, K>& part) const {
#pragma unroll 1
        for (int node = 2 * K - 2; node >= 0; --node) fill(node, part);
    }

    /// Fills the empty root: the whole path is loaded, then merged at once.
    __device__ void fill_root(Part<T, K>& part) const {
        const unsigned lane = threadIdx.x;
        T lesser[levels];
        T greater[levels];
        unsigned path[levels + 1];
        path[0] = 0;
#pragma unroll
        for (int level = 0; level < levels; ++level) {
            const unsigned left = 2 * path[level] + 1;
            lesser[level] = at(left, lane);
            greater[level] = at(left + 1, w - 1 - lane);
            path[level + 1] = emptied_child(path[level]);
        }
        const unsigned leaf = path[levels];
        const T block = part.template read_block<Order>(leaf - (K - 1));
        merge(lesser, greater);
        __syncwarp();
#pragma unroll
        for (int level = 0; level < levels; ++level) {
            at(path[level], lane) = lesser[level];
            at(sibling(path[level + 1]), lane) = greater[level];
        }
        at(leaf, lane) = block;
        __syncwarp();
    }
};

template <class Order, int K>
__device__ inline void merge_part(const typename Order::Element* __restrict__ in, typename Order::Element* __restrict__ out, Round round,
                                  const unsigned* __restrict__ splits) {
    using T = typename Order::Element;
    __shared__ T nodes[(2 * K - 1) * w];
    Part<T, K> part(in, out, round, splits);
    if (part.count == 0) return;
    const MinBlockHeap<Order, K> heap{nodes};
    heap.build(part);
    unsigned written = 0;
#pragma unroll 1
    while (true) {
        if (written + threadIdx.x < part.count) part.out[written + threadIdx.x] = heap.at(0, threadIdx.x);
        written += w;
        if (written >= part.count) return;
        heap.fill_root(part);
    }
}

// Kernels need plain names, which only a macro can put together.
#define SASSAFRAS_MMS(name, Order, K)                                                                                                   \
    extern "C" __global__ void __launch_bounds__(w) mms_partition_##name##_K##K(const Order::Element* in, Round round, unsigned* splits) { \
        partition<Order, K>(in, round, splits);                                                                                         \
    }                                                                                                                                   \
    extern "C" __global__ void __launch_bounds__(w) mms_merge_##name##_K##K(const Order::Element* in, Order::Element* out, Round round,  \
                                                                            const unsigned* splits) {                                   \
        merge_part<Order, K>(in, out, round, splits);                                                                                   \
    }
#define SASSAFRAS_MMS_ALL(name, Order) \
    SASSAFRAS_MMS(name, Order, 2)      \
    SASSAFRAS_MMS(name, Order, 4)      \
    SASSAFRAS_MMS(name, Order, 8)      \
    SASSAFRAS_MMS(name, Order, 16)     \
    SASSAFRAS_MMS(name, Order, 32)

// workloads/sort/compiled.cpp lists the same.
SASSAFRAS_MMS_ALL(u32, Keys32)
SASSAFRAS_MMS_ALL(u64, Keys64)
SASSAFRAS_MMS_ALL(fraction, Fractions)
