// `sort mgpu-words`: mgpu's kernels for E = 16, each element in shared memory an access of its own, as the algorithm has it. Of neighbouring ones
// nvcc makes accesses of four words (STS.128) where it knows that they are aligned: a quarter of the requests, and of the wavefronts.
#include "elements.cuh"

/// The block's dynamic shared memory, of which the compiler cannot tell how it is aligned: grids are flat, so blockIdx.z is 0.
template <>
__device__ inline unsigned* dynamic_shared<unsigned>() {
    extern __shared__ __align__(16) unsigned char dynamic_shared_bytes[];
    return reinterpret_cast<unsigned*>(dynamic_shared_bytes) + blockIdx.z;
}

#include "serial_merge.cuh"

#define SASSAFRAS_WORDS(E, b)                                                                                                              \
    extern "C" __global__ void __launch_bounds__(b) words_blocksort_u32_E##E##_b##b(const unsigned* in, unsigned* out, unsigned n) {      \
        sort_block<Keys32, SerialMerge, E, b>(in, out, n);                                                                                \
    }                                                                                                                                      \
    extern "C" __global__ void __launch_bounds__(b)                                                                                       \
        words_merge_u32_E##E##_b##b(const unsigned* in, unsigned* out, unsigned n, unsigned run, unsigned pair_tiles, const unsigned* partitions) { \
        merge_tile<Keys32, SerialMerge, E, b>(in, out, n, run, pair_tiles, partitions);                                                   \
    }

// workloads/sort/compiled.cpp lists the same.
SASSAFRAS_WORDS(16, 128)
SASSAFRAS_WORDS(16, 256)
SASSAFRAS_WORDS(16, 512)
