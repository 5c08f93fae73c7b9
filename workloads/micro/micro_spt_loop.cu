// The loop in shared memory of micro_spt.cu with what a loop costs beside its accesses: nine instructions an iteration, each of which waits for the one
// before. README.md says why nine. In a file of its own: the cubin of micro_spt.cu is what was recorded on a GPU.
//
// Threads work on elements that lie as many words apart as there are threads, so that every access of a warp is coalesced.

#include "spt_shared_rows.cuh"

/// Terms of the index arithmetic, of the host's choice, so that the compiler can leave none of it out. `mask` is 0, and the others make 1 of 0.
struct Terms {
    unsigned mask, first_addend, first_flips, second_addend, second_flips;
};

/// How far an iteration that has read `word` counts: six instructions. Additions and logic take turns, lest two become one.
__device__ inline unsigned step_of(unsigned word, unsigned column, const Terms& terms) {
    unsigned index = word - column;
    index &= terms.mask;
    index += terms.first_addend;
    index ^= terms.first_flips;
    index += terms.second_addend;
    index ^= terms.second_flips;
    return index;
}

/// So many accesses on each of `ilp` words. An iteration begins when the one before has read its first word and gone through all that it computes from it.
template <unsigned ilp>
__device__ inline void follow(unsigned (&words)[ilp], unsigned accesses, unsigned column, const Terms& terms) {
#pragma unroll 1
    for (unsigned left = accesses; left != 0; left -= step_of(words[0], column, terms)) {
#pragma unroll
        for (unsigned& word : words) asm volatile("ld.shared.u32 %0, [%0];" : "+r"(word) : : "memory");
    }
}

template <unsigned ilp>
__device__ inline void group(unsigned* to, const unsigned* from, unsigned place, unsigned stride, unsigned accesses, unsigned column,
                             unsigned row_bytes, const Terms& terms) {
    unsigned words[ilp];
#pragma unroll
    for (unsigned k = 0; k < ilp; ++k) words[k] = column + from[place + k * stride] % rows * row_bytes;
    follow(words, accesses, column, terms);
#pragma unroll
    for (unsigned k = 0; k < ilp; ++k) to[place + k * stride] = words[k] - column;
}

/// An element names the row where its chain begins, and ends as the bytes from the first row to the row where it ends.
template <unsigned ilp>
__device__ inline void loop_indexed(unsigned* to, const unsigned* from, unsigned count, unsigned accesses, const unsigned* next, const Terms& terms) {
    const SharedRows shared = fill_rows(next);
    const unsigned column = shared.column;
    const unsigned row_bytes = shared.row_bytes;
    const unsigned stride = gridDim.x * blockDim.x;
    unsigned place = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll 1
    for (; count >= ilp; count -= ilp, place += ilp * stride) group<ilp>(to, from, place, stride, accesses, column, row_bytes, terms);
    if constexpr (ilp > 1) {
#pragma unroll 1
        for (; count != 0; --count, place += stride) group<1>(to, from, place, stride, accesses, column, row_bytes, terms);
    }
}

#define KERNEL_OF(ilp)                                                                                                                           \
    extern "C" __global__ void __launch_bounds__(most_threads, blocks_of_them) micro_spt_loop_##ilp(                                             \
        unsigned* to, const unsigned* from, unsigned count, unsigned accesses, const unsigned* next, Terms terms) {                              \
        loop_indexed<ilp>(to, from, count, accesses, next, terms);                                                                               \
    }

KERNEL_OF(1)
KERNEL_OF(2)
KERNEL_OF(4)
KERNEL_OF(8)
