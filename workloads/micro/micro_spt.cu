// The five measurements that instantiate the SPT model (B. Karsin's thesis, chapter 4), each kernel with M_I operations of a thread independent of
// each other. spt.cpp says what the arguments are; README.md counts the operations.
//
// Threads work on elements that lie as many words apart as there are threads, so that every access of a warp is coalesced.

#include "spt_shared_rows.cuh"

__device__ inline unsigned thread_of_grid() { return blockIdx.x * blockDim.x + threadIdx.x; }
__device__ inline unsigned threads_of_grid() { return gridDim.x * blockDim.x; }

/// Opaque, lest the compiler keep every place in a register of its own.
__device__ inline unsigned further(unsigned place, unsigned stride) {
    place += stride;
    asm volatile("" : "+r"(place));
    return place;
}

template <unsigned ilp>
struct Group {
    unsigned words[ilp];
    __device__ void load(const unsigned* from, unsigned place, unsigned stride) {
#pragma unroll
        for (unsigned k = 0; k < ilp; ++k, place = further(place, stride)) words[k] = from[place];
    }
    __device__ void store(unsigned* to, unsigned place, unsigned stride) const {
#pragma unroll
        for (unsigned k = 0; k < ilp; ++k, place = further(place, stride)) to[place] = words[k];
    }
};

template <class AnyGroup>
constexpr unsigned size_of = 0;
template <unsigned ilp>
constexpr unsigned size_of<Group<ilp>&> = ilp;

/// Groups of ilp elements, then what is left one by one. work() changes a group's words. All elements together are less than 2^32.
template <unsigned ilp, class Work>
__device__ inline void for_each_group(unsigned* to, const unsigned* from, unsigned count, Work work) {
    const unsigned stride = threads_of_grid();
    unsigned first = thread_of_grid();
#pragma unroll 1
    for (; count >= ilp; count -= ilp) {
        Group<ilp> group;
        group.load(from, first, stride);
        work(group);
        group.store(to, first, stride);
        first += ilp * stride;
    }
    if constexpr (ilp > 1) {
#pragma unroll 1
        for (; count != 0; --count) {
            Group<1> one;
            one.load(from, first, stride);
            work(one);
            one.store(to, first, stride);
            first += stride;
        }
    }
}

/// step() so many times, most of them in straight lines of about a hundred operations, whatever the ilp.
template <unsigned ilp, class Step>
__device__ inline void repeat(unsigned times, Step step) {
    constexpr unsigned unrolled = ilp <= 4 ? 100 / ilp : 80 / ilp;  // a divisor of 100 and of 500
#pragma unroll 1
    for (; times >= unrolled; times -= unrolled)
#pragma unroll
        for (unsigned i = 0; i < unrolled; ++i) step();
#pragma unroll 1
    for (; times != 0; --times) step();
}

template <unsigned ilp>
__device__ inline void copy_global(unsigned* to, const unsigned* from, unsigned count) {
    for_each_group<ilp>(to, from, count, [](auto&) {});
}

/// An element names the row where its chain begins, and ends as the bytes from the first row to the row where it ends.
template <unsigned ilp>
__device__ inline void loop_shared(unsigned* to, const unsigned* from, unsigned count, unsigned accesses, const unsigned* next) {
    const SharedRows shared = fill_rows(next);
    const unsigned column = shared.column;  // not bound by name: C++17 does not capture such
    const unsigned row_bytes = shared.row_bytes;
    for_each_group<ilp>(to, from, count, [&](auto& group) {
        constexpr unsigned some = size_of<decltype(group)>;
#pragma unroll
        for (unsigned k = 0; k < some; ++k) group.words[k] = column + group.words[k] % rows * row_bytes;
        repeat<some>(accesses, [&] {
#pragma unroll
            for (unsigned k = 0; k < some; ++k) asm volatile("ld.shared.u32 %0, [%0];" : "+r"(group.words[k]) : : "memory");
        });
#pragma unroll
        for (unsigned k = 0; k < some; ++k) group.words[k] -= column;
    });
}

/// Multiplications with additions: one instruction an operation. Of a chain of integer additions the compiler would make another with other terms, half of
/// it on the multiplier's pipe.
struct IntegerMultiplyAdd {
    static __device__ void step(unsigned& word, unsigned factor, unsigned addend) {
        asm volatile("mad.lo.u32 %0, %0, %1, %2;" : "+r"(word) : "r"(factor), "r"(addend));
    }
};
/// The words are floats. One register read an operation, as the addend is uniform: with more, it would depend on the registers that the compiler happens to
/// choose whether the reads fit into a cycle.
struct FloatAdd {
    static __device__ void step(unsigned& word, unsigned, unsigned addend) {
        asm volatile("add.rn.f32 %0, %0, %1;" : "+r"(word) : "r"(addend));
    }
};

template <unsigned ilp, class Operation>
__device__ inline void loop_registers(unsigned* to, const unsigned* from, unsigned count, unsigned operations, unsigned factor, unsigned addend) {
    for_each_group<ilp>(to, from, count, [&](auto& group) {
        repeat<size_of<decltype(group)>>(operations, [&] {
#pragma unroll
            for (unsigned& word : group.words) Operation::step(word, factor, addend);
        });
    });
}

/// One operation, one barrier, `count` times.
extern "C" __global__ void __launch_bounds__(most_threads, blocks_of_them)
    micro_spt_barriers(unsigned* to, const unsigned* from, unsigned count, unsigned factor, unsigned addend) {
    unsigned word = from[thread_of_grid()];
    constexpr unsigned unrolled = 20;
    const auto step = [&] {
        IntegerMultiplyAdd::step(word, factor, addend);
        __syncthreads();
    };
#pragma unroll 1
    for (; count >= unrolled; count -= unrolled)
#pragma unroll
        for (unsigned i = 0; i < unrolled; ++i) step();
#pragma unroll 1
    for (; count != 0; --count) step();
    to[thread_of_grid()] = word;
}

/// `words` are those of the kernel's part.
template <unsigned ilp>
__device__ inline void add_global(unsigned* words, unsigned count, unsigned addend) {
    for_each_group<ilp>(words, words, count, [&](auto& group) {
        constexpr unsigned some = size_of<decltype(group)>;
#pragma unroll
        for (unsigned k = 0; k < some; ++k) group.words[k] += addend;
    });
}

#define KERNELS_OF(ilp)                                                                                                                     \
    extern "C" __global__ void __launch_bounds__(most_threads, blocks_of_them)                                                              \
        micro_spt_copy_##ilp(unsigned* to, const unsigned* from, unsigned count) {                                                          \
        copy_global<ilp>(to, from, count);                                                                                                  \
    }                                                                                                                                       \
    extern "C" __global__ void __launch_bounds__(most_threads, blocks_of_them)                                                              \
        micro_spt_shared_##ilp(unsigned* to, const unsigned* from, unsigned count, unsigned accesses, const unsigned* next) {               \
        loop_shared<ilp>(to, from, count, accesses, next);                                                                                  \
    }                                                                                                                                       \
    extern "C" __global__ void __launch_bounds__(most_threads, blocks_of_them)                                                              \
        micro_spt_imad_##ilp(unsigned* to, const unsigned* from, unsigned count, unsigned operations, unsigned factor, unsigned addend) {   \
        loop_registers<ilp, IntegerMultiplyAdd>(to, from, count, operations, factor, addend);                                               \
    }                                                                                                                                       \
    extern "C" __global__ void __launch_bounds__(most_threads, blocks_of_them)                                                              \
        micro_spt_fadd_##ilp(unsigned* to, const unsigned* from, unsigned count, unsigned operations, unsigned factor, unsigned addend) {   \
        loop_registers<ilp, FloatAdd>(to, from, count, operations, factor, addend);                                                 \
    }                                                                                                                                       \
    extern "C" __global__ void __launch_bounds__(most_threads, blocks_of_them)                                                              \
        micro_spt_add_##ilp(unsigned* words, unsigned count, unsigned addend) {                                                             \
        add_global<ilp>(words, count, addend);                                                                                              \
    }

KERNELS_OF(1)
KERNELS_OF(2)
KERNELS_OF(4)
KERNELS_OF(8)
