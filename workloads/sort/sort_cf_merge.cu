// `sort cf-merge`: pairwise mergesort whose merges gather from shared memory without a bank conflict.
#include "gather_merge.cuh"

// Kernels need plain names, which only a macro can put together.
#define SASSAFRAS_CF_MERGE(name, Order, E, b)                                                                                                      \
    extern "C" __global__ void __launch_bounds__(b) cf_blocksort_##name##_E##E##_b##b(const Order::Element* in, Order::Element* out, unsigned n) { \
        sort_block<Order, GatherMerge, E, b>(in, out, n);                                                                                          \
    }                                                                                                                                              \
    extern "C" __global__ void __launch_bounds__(b) cf_merge_##name##_E##E##_b##b(const Order::Element* in, Order::Element* out, unsigned n,       \
                                                                                  unsigned run, unsigned pair_tiles, const unsigned* partitions) { \
        merge_tile<Order, GatherMerge, E, b>(in, out, n, run, pair_tiles, partitions);                                                             \
    }
#define SASSAFRAS_CF_MERGE_BLOCKS(E)        \
    SASSAFRAS_CF_MERGE(u32, Keys32, E, 128) \
    SASSAFRAS_CF_MERGE(u32, Keys32, E, 256) \
    SASSAFRAS_CF_MERGE(u32, Keys32, E, 512)

// workloads/sort/compiled.cpp lists the same. The partition kernels are those of sort_mgpu.cu.
SASSAFRAS_CF_MERGE_BLOCKS(11)
SASSAFRAS_CF_MERGE_BLOCKS(15)
SASSAFRAS_CF_MERGE_BLOCKS(16)
SASSAFRAS_CF_MERGE_BLOCKS(17)
SASSAFRAS_CF_MERGE_BLOCKS(31)
SASSAFRAS_CF_MERGE(u64, Keys64, 11, 128)
SASSAFRAS_CF_MERGE(u64, Keys64, 11, 256)
SASSAFRAS_CF_MERGE(u64, Keys64, 17, 256)
