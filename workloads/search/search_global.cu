// The three searches in global memory of B. Karsin's thesis, section 6.1: a sorted list, a binary search tree in level order and a B-tree
// with B = w in level order (see layout.hpp). For each query, the index of the last of `key_count` ascending keys that is not greater, or -1.
//
// Neighbouring threads answer neighbouring queries, `queries_per_thread` each. bst and btree first copy the top of the tree to shared memory.

constexpr unsigned w = 32;  ///< lanes of a warp, and keys of a B-tree's node

extern __shared__ unsigned shared_cells[];

/// Binary search as on a CPU: every step reads a key in global memory.
extern "C" __global__ void __launch_bounds__(1024) search_sorted(const unsigned* __restrict__ keys, unsigned key_count,
                                                                 const unsigned* __restrict__ queries, int* __restrict__ predecessors,
                                                                 unsigned query_count, unsigned queries_per_thread) {
    const unsigned first = blockIdx.x * blockDim.x * queries_per_thread + threadIdx.x;
    for (unsigned i = 0; i < queries_per_thread; ++i) {
        const unsigned index = first + i * blockDim.x;
        if (index >= query_count) break;
        const unsigned query = queries[index];
        unsigned low = 0;
        unsigned high = key_count;
        while (low < high) {
            const unsigned middle = (low + high) / 2;
            if (keys[middle] <= query)
                low = middle + 1;
            else
                high = middle;
        }
        predecessors[index] = static_cast<int>(low) - 1;
    }
}

__device__ inline void copy_top(const unsigned* __restrict__ tree, unsigned cells) {
    for (unsigned i = threadIdx.x; i < cells; i += blockDim.x) shared_cells[i] = tree[i];
    __syncthreads();
}

/// The place where a search left the tree, as the number of keys not greater than the query. Only the last level may be incomplete: a search
/// leaves below it (at `first_below` or behind), or beside its last node, with all of its keys passed.
__device__ inline unsigned rank_of(unsigned node, unsigned last_level_first, unsigned first_below, unsigned last_level_keys) {
    return node >= first_below ? node - first_below : node - last_level_first + last_level_keys;
}

/// Node i has its children at 2i + 1 and 2i + 2; the first `top_cells` keys are read in shared memory, the others in global memory.
extern "C" __global__ void __launch_bounds__(1024) search_bst(const unsigned* __restrict__ tree, unsigned key_count,
                                                              const unsigned* __restrict__ queries, int* __restrict__ predecessors,
                                                              unsigned query_count, unsigned queries_per_thread, unsigned last_level_first,
                                                              unsigned top_cells) {
    copy_top(tree, top_cells);
    const unsigned first = blockIdx.x * blockDim.x * queries_per_thread + threadIdx.x;
    for (unsigned i = 0; i < queries_per_thread; ++i) {
        const unsigned index = first + i * blockDim.x;
        if (index >= query_count) break;
        const unsigned query = queries[index];
        unsigned node = 0;
        while (node < top_cells) node = 2 * node + 1 + (shared_cells[node] <= query ? 1 : 0);
        while (node < key_count) node = 2 * node + 1 + (tree[node] <= query ? 1 : 0);
        predecessors[index] = static_cast<int>(rank_of(node, last_level_first, 2 * last_level_first + 1, key_count - last_level_first)) - 1;
    }
}

/// How many of a node's w ascending keys are not greater: ceil(log2(w + 1)) reads.
__device__ inline unsigned keys_not_greater(const unsigned* node, unsigned query) {
    unsigned found = 0;
#pragma unroll
    for (unsigned distance = w / 2; distance != 0; distance /= 2)
        if (node[found + distance - 1] <= query) found += distance;
    return found + (node[found] <= query ? 1 : 0);
}

/// Node i has its children at (w + 1) i + 1 ... Each lane follows a query of its own. On every level the warp reads the lanes' nodes one
/// after the other, each with one coalesced access, into shared memory, a tile of rows w + 1 apart; then each lane searches its row.
/// The first `top_cells` keys (whole nodes) lie in shared memory from the start. Whole warps only.
extern "C" __global__ void __launch_bounds__(1024) search_btree(const unsigned* __restrict__ tree, unsigned key_count,
                                                                const unsigned* __restrict__ queries, int* __restrict__ predecessors,
                                                                unsigned query_count, unsigned queries_per_thread, unsigned last_level_first,
                                                                unsigned top_cells) {
    constexpr unsigned all = 0xffffffffU;
    copy_top(tree, top_cells);
    const unsigned lane = threadIdx.x % w;
    const unsigned nodes = (key_count + w - 1) / w;
    const unsigned top_nodes = top_cells / w;
    unsigned* tile = shared_cells + top_cells + threadIdx.x / w * (w * (w + 1));
    const unsigned first = blockIdx.x * blockDim.x * queries_per_thread + threadIdx.x;
    for (unsigned i = 0; i < queries_per_thread; ++i) {
        const unsigned index = first + i * blockDim.x;
        const bool active = index < query_count;
        if (!__any_sync(all, active)) break;
        const unsigned query = active ? queries[index] : 0;
        unsigned node = active ? 0 : nodes;
        while (__any_sync(all, node < nodes)) {
            const bool wants = node >= top_nodes && node < nodes;
            if (__any_sync(all, wants)) {
                // All of a level's loads are under way before the first is stored. A lane that wants no node reads the root again: loads
                // under conditions of their own would wait for one another, as there are only seven predicates.
                const unsigned fetched = wants ? node : 0;
                unsigned keys[w];
#pragma unroll
                for (unsigned j = 0; j < w; ++j) keys[j] = tree[__shfl_sync(all, fetched, static_cast<int>(j)) * w + lane];
#pragma unroll
                for (unsigned j = 0; j < w; ++j) tile[j * (w + 1) + lane] = keys[j];
                __syncwarp();
            }
            if (node < nodes) {
                const unsigned* cells = node < top_nodes ? shared_cells + node * w : tile + lane * (w + 1);
                node = (w + 1) * node + 1 + keys_not_greater(cells, query);
            }
            __syncwarp();
        }
        if (active) {
            const unsigned rank = rank_of(node, last_level_first, (w + 1) * last_level_first + 1, key_count - last_level_first * w);
            predecessors[index] = static_cast<int>(min(rank, key_count)) - 1;  // the last node's padding counts for the greatest query
        }
    }
}
