// One level of the memory hierarchy at a time: a pointer chase and reads at full rate. micro_levels.cpp says what the arguments are.

enum class Level { shared, l1, l2 };  // l2: past L1, so from L2 or, what that has not, from DRAM

constexpr unsigned most_threads = 1024;  // a block
constexpr unsigned blocks_of_them = 2;   // an SM: 32 registers a thread, so that 2048 threads are resident

extern __shared__ uint4 shared_words[];

__device__ inline unsigned shared_begin() { return static_cast<unsigned>(__cvta_generic_to_shared(shared_words)); }

/// Each pointer leads to the next; a straight line of loads between two branches.
template <class Pointer, class Follow>
__device__ inline Pointer chase(Pointer pointer, unsigned steps, Follow follow) {
    constexpr unsigned unrolled = 50;
#pragma unroll 1
    for (; steps >= unrolled; steps -= unrolled)
#pragma unroll
        for (unsigned i = 0; i < unrolled; ++i) follow(pointer);
#pragma unroll 1
    for (; steps != 0; --steps) follow(pointer);
    return pointer;
}

// One warp, whose lanes follow the same pointers. It ends at `result` bytes from where it began.

extern "C" __global__ void micro_levels_chase_l1(unsigned* result, const unsigned long long* ring, unsigned steps) {
    const unsigned long long begin = reinterpret_cast<unsigned long long>(ring);
    result[threadIdx.x] = static_cast<unsigned>(
        chase(begin, steps, [](unsigned long long& p) { asm volatile("ld.global.ca.u64 %0, [%0];" : "+l"(p) : : "memory"); }) - begin);
}

extern "C" __global__ void micro_levels_chase_l2(unsigned* result, const unsigned long long* ring, unsigned steps) {
    const unsigned long long begin = reinterpret_cast<unsigned long long>(ring);
    result[threadIdx.x] = static_cast<unsigned>(
        chase(begin, steps, [](unsigned long long& p) { asm volatile("ld.global.cg.u64 %0, [%0];" : "+l"(p) : : "memory"); }) - begin);
}

/// `ring` has `words` offsets in bytes from its own begin; they become addresses as they come into shared memory.
extern "C" __global__ void micro_levels_chase_shared(unsigned* result, const unsigned* ring, unsigned steps, unsigned words) {
    const unsigned begin = shared_begin();
    for (unsigned i = threadIdx.x; i < words; i += blockDim.x)
        asm volatile("st.shared.u32 [%0], %1;" : : "r"(begin + 4 * i), "r"(begin + ring[i]) : "memory");
    __syncthreads();
    result[threadIdx.x] = chase(begin, steps, [](unsigned& p) { asm volatile("ld.shared.u32 %0, [%0];" : "+r"(p) : : "memory"); }) - begin;
}

template <Level level>
__device__ inline uint4 load(const uint4* data, unsigned place) {
    uint4 word;
    if constexpr (level == Level::shared)
        asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(word.x), "=r"(word.y), "=r"(word.z), "=r"(word.w) : "r"(shared_begin() + 16 * place) : "memory");
    else if constexpr (level == Level::l1)
        asm volatile("ld.global.ca.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(word.x), "=r"(word.y), "=r"(word.z), "=r"(word.w) : "l"(data + place) : "memory");
    else
        asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(word.x), "=r"(word.y), "=r"(word.z), "=r"(word.w) : "l"(data + place) : "memory");
    return word;
}

/// A place in a ring of words, and the one `step` further; step is less than words.
__device__ inline unsigned further(unsigned place, unsigned step, unsigned words) {
    place += step;
    return place >= words ? place - words : place;
}

/// Each thread reads `count` words of 16 bytes, ilp at a time, and adds them up. Of shared memory and L1 a block's threads read neighbouring words of all
/// the block's data, past L1 the grid's of the grid's, round and round.
template <Level level, unsigned ilp>
__device__ inline void read(unsigned* sums, const uint4* data, unsigned words, unsigned count) {
    const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    if constexpr (level == Level::shared) {
        for (unsigned i = threadIdx.x; i < words; i += blockDim.x) shared_words[i] = data[i];
        __syncthreads();
    }
    const bool whole_grid = level == Level::l2;
    const unsigned step = (whole_grid ? gridDim.x * blockDim.x : blockDim.x) % words;
    unsigned place = (whole_grid ? thread : threadIdx.x) % words;
    unsigned sum = 0;
    const auto add = [&](uint4 word) { sum += word.x + word.y + word.z + word.w; };
#pragma unroll 1
    for (; count >= ilp; count -= ilp) {
        uint4 read[ilp];
#pragma unroll
        for (unsigned k = 0; k < ilp; ++k, place = further(place, step, words)) read[k] = load<level>(data, place);
#pragma unroll
        for (unsigned k = 0; k < ilp; ++k) add(read[k]);
    }
#pragma unroll 1
    for (; count != 0; --count, place = further(place, step, words)) add(load<level>(data, place));
    sums[thread] = sum;
}

#define KERNELS_OF(ilp)                                                                                  \
    extern "C" __global__ void __launch_bounds__(most_threads, blocks_of_them)                           \
        micro_levels_read_shared_##ilp(unsigned* sums, const uint4* data, unsigned words, unsigned count) { \
        read<Level::shared, ilp>(sums, data, words, count);                                              \
    }                                                                                                    \
    extern "C" __global__ void __launch_bounds__(most_threads, blocks_of_them)                           \
        micro_levels_read_l1_##ilp(unsigned* sums, const uint4* data, unsigned words, unsigned count) {  \
        read<Level::l1, ilp>(sums, data, words, count);                                                  \
    }                                                                                                    \
    extern "C" __global__ void __launch_bounds__(most_threads, blocks_of_them)                           \
        micro_levels_read_l2_##ilp(unsigned* sums, const uint4* data, unsigned words, unsigned count) {  \
        read<Level::l2, ilp>(sums, data, words, count);                                                  \
    }

KERNELS_OF(1)
KERNELS_OF(2)
KERNELS_OF(4)
