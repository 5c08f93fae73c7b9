// `sort mgpu`: pairwise mergesort as ModernGPU and Thrust do it, for many E and b.
#include "serial_merge.cuh"

// Kernels need plain names, which only a macro can put together.
#define SASSAFRAS_PARTITION(name, Order)                                                                                                             \
    extern "C" __global__ void __launch_bounds__(256) mgpu_partition_##name(const Order::Element* in, unsigned n, unsigned run, unsigned pair_tiles, \
                                                                            unsigned tile, unsigned tiles, unsigned* partitions) {                   \
        partition<Order>(in, n, run, pair_tiles, tile, tiles, partitions);                                                                           \
    }
#define SASSAFRAS_MGPU(name, Order, E, b)                                                                                                      \
    extern "C" __global__ void __launch_bounds__(b) mgpu_blocksort_##name##_E##E##_b##b(const Order::Element* in, Order::Element* out, unsigned n) { \
        sort_block<Order, SerialMerge, E, b>(in, out, n);                                                                                      \
    }                                                                                                                                          \
    extern "C" __global__ void __launch_bounds__(b) mgpu_merge_##name##_E##E##_b##b(const Order::Element* in, Order::Element* out, unsigned n, \
                                                                                    unsigned run, unsigned pair_tiles, const unsigned* partitions) { \
        merge_tile<Order, SerialMerge, E, b>(in, out, n, run, pair_tiles, partitions);                                                         \
    }
#define SASSAFRAS_MGPU_BLOCKS(E)            \
    SASSAFRAS_MGPU(u32, Keys32, E, 128)     \
    SASSAFRAS_MGPU(u32, Keys32, E, 256)     \
    SASSAFRAS_MGPU(u32, Keys32, E, 512)
#define SASSAFRAS_MGPU_WIDE(name, Order)  \
    SASSAFRAS_PARTITION(name, Order)      \
    SASSAFRAS_MGPU(name, Order, 11, 128)  \
    SASSAFRAS_MGPU(name, Order, 11, 256)  \
    SASSAFRAS_MGPU(name, Order, 17, 256)

// workloads/sort/compiled.cpp lists the same.
SASSAFRAS_PARTITION(u32, Keys32)
SASSAFRAS_MGPU_BLOCKS(11)
SASSAFRAS_MGPU_BLOCKS(15)
SASSAFRAS_MGPU_BLOCKS(16)
SASSAFRAS_MGPU_BLOCKS(17)
SASSAFRAS_MGPU_BLOCKS(31)
SASSAFRAS_MGPU_WIDE(u64, Keys64)
SASSAFRAS_MGPU_WIDE(pair, Pairs)
SASSAFRAS_MGPU_WIDE(fraction, Fractions)
