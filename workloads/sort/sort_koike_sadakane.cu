// `sort koike-sadakane`: the multiway mergesort of Koike and Sadakane (2015), as Karsin's thesis describes it (7.2); their code is not published.
// All work is in shared memory, by one warp a block. Base case: each thread sorts w keys by a bitonic network. A merge round takes K runs
// through a heap of 2K - 1 nodes of 2w keys. The root's w least are written out. A node with w keys takes on the w least of its two children's
// 4w, which are sorted by bitonic merging; of the other 3w, the child with the greatest key keeps the 2w greatest, and the other one the w
// between, with which it is as its parent was. (Those w are no greater than anything below it: its own old 2w keys were none of them greater.)
// A leaf reads the next w keys of its run.
#include "bitonic.cuh"
#include "multiway.cuh"

template <class Order>
__device__ inline void sort_lists(const typename Order::Element* __restrict__ in, typename Order::Element* __restrict__ out, unsigned n) {
    using T = typename Order::Element;
    __shared__ T shared[w * w];
    const unsigned lane = threadIdx.x;
    const unsigned first = blockIdx.x * (w * w);
    // Thread `lane` has its element e in bank lane + e: a bank of its own at any time.
    const auto mine = [lane](unsigned e) { return e * w + ((lane + e) & (w - 1)); };
    const auto lanes_of = [lane](unsigned list) { return lane * w + ((list + lane) & (w - 1)); };  // element `lane` of a list
    for (unsigned list = 0; list < w; ++list) {
        const unsigned index = first + list * w + lane;
        shared[lanes_of(list)] = index < n ? in[index] : Order::greatest();
    }
    __syncwarp();
    // A warp's threads are at the same pair at any time; no one reads what another has written.
#pragma unroll 1
    for (unsigned size = 2; size <= w; size *= 2) {
#pragma unroll 1
        for (unsigned pair = 0; pair < w / 2; ++pair) {
            const unsigned at = first_of_pair(pair, size / 2);
            compare_exchange_shared<Order>(shared + mine(at), shared + mine(at ^ (size - 1)), false);
        }
#pragma unroll 1
        for (unsigned stride = size / 4; stride > 0; stride /= 2)
#pragma unroll 1
            for (unsigned pair = 0; pair < w / 2; ++pair) {
                const unsigned at = first_of_pair(pair, stride);
                compare_exchange_shared<Order>(shared + mine(at), shared + mine(at + stride), false);
            }
    }
    __syncwarp();
    for (unsigned list = 0; list < w; ++list) {
        const unsigned index = first + list * w + lane;
        if (index < n) out[index] = shared[lanes_of(list)];
    }
}

template <class Order, int K>
struct BlockHeap {
    using T = typename Order::Element;
    T* nodes;  ///< node v has the children 2 v + 1 and 2 v + 2; leaf K - 1 + i takes from run i

    __device__ T* node(unsigned index) const { return nodes + index * 2 * w; }

    /// Sorts 4w keys, the two nodes' 2w each: the least 2w then lie in `lesser`.
    __device__ static void merge(T* lesser, T* greater) {
        const unsigned lane = threadIdx.x;
        for (unsigned half = 0; half < 2 * w; half += w)
            compare_exchange_shared<Order>(lesser + half + lane, greater + (2 * w - 1 - half - lane), false);
        for (unsigned stride = w; stride > 0; stride /= 2) {
            __syncwarp();
            const unsigned at = first_of_pair(lane, stride);
            const bool second_first = stride < w && lane >= w / 2;
            compare_exchange_shared<Order>(lesser + at, lesser + at + stride, second_first);
            compare_exchange_shared<Order>(greater + at, greater + at + stride, second_first);
        }
        __syncwarp();
    }

    /// Gives a node w more keys, at `to` of its 2w, and then those that this takes keys from.
    __device__ void refill(unsigned index, unsigned to, Part<T, K>& part) const {
        const unsigned lane = threadIdx.x;
#pragma unroll 1
        while (index < K - 1) {
            const unsigned left = 2 * index + 1;
            const bool right_is_lesser = Order::less(node(left + 1)[2 * w - 1], node(left)[2 * w - 1]);
            T* const lesser = node(right_is_lesser ? left + 1 : left);
            __syncwarp();
            merge(lesser, node(right_is_lesser ? left : left + 1));
            const T least = lesser[lane];
            const T rest = lesser[w + lane];
            node(index)[to + lane] = least;
            lesser[lane] = rest;
            index = right_is_lesser ? left + 1 : left;
            to = w;
        }
        node(index)[to + lane] = part.template read_block<Order>(index - (K - 1));
        __syncwarp();
    }

    __device__ void build(Part<T, K>& part) const {
#pragma unroll 1
        for (int index = 2 * K - 2; index >= 0; --index)
#pragma unroll 1
            for (unsigned to = 0; to < 2 * w; to += w) refill(index, to, part);
    }
};

template <class Order, int K>
__device__ inline void merge_part(const typename Order::Element* __restrict__ in, typename Order::Element* __restrict__ out, Round round,
                                  const unsigned* __restrict__ splits) {
    using T = typename Order::Element;
    __shared__ T nodes[(2 * K - 1) * 2 * w];
    Part<T, K> part(in, out, round, splits);
    if (part.count == 0) return;
    const BlockHeap<Order, K> heap{nodes};
    heap.build(part);
    unsigned written = 0;
#pragma unroll 1
    while (true) {
        if (written + threadIdx.x < part.count) part.out[written + threadIdx.x] = nodes[threadIdx.x];
        written += w;
        if (written >= part.count) return;
        nodes[threadIdx.x] = nodes[w + threadIdx.x];
        __syncwarp();
        heap.refill(0, w, part);
    }
}

extern "C" __global__ void __launch_bounds__(w) koike_sadakane_base_u32(const unsigned* in, unsigned* out, unsigned n) {
    sort_lists<Keys32>(in, out, n);
}

// Kernels need plain names, which only a macro can put together.
#define SASSAFRAS_KOIKE_SADAKANE(K)                                                                                                          \
    extern "C" __global__ void __launch_bounds__(w) koike_sadakane_partition_u32_K##K(const unsigned* in, Round round, unsigned* splits) {    \
        partition<Keys32, K>(in, round, splits);                                                                                             \
    }                                                                                                                                        \
    extern "C" __global__ void __launch_bounds__(w) koike_sadakane_merge_u32_K##K(const unsigned* in, unsigned* out, Round round,             \
                                                                                  const unsigned* splits) {                                  \
        merge_part<Keys32, K>(in, out, round, splits);                                                                                       \
    }

// workloads/sort/compiled.cpp lists the same.
SASSAFRAS_KOIKE_SADAKANE(2)
SASSAFRAS_KOIKE_SADAKANE(4)
SASSAFRAS_KOIKE_SADAKANE(8)
SASSAFRAS_KOIKE_SADAKANE(16)
SASSAFRAS_KOIKE_SADAKANE(32)
