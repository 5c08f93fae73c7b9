// Bandwidth of the whole GPU in segments that all blocks begin together, so that the start of the kernel, the state in which it finds the caches,
// and the steady state can be told apart. Included by micro.cu.

/// All blocks of the grid, which must be resident at once. `arrived` starts at zero; `rounds` counts from one.
__device__ inline void grid_barrier(unsigned* arrived, unsigned rounds) {
    __syncthreads();
    if (threadIdx.x == 0) {
        asm volatile("red.global.add.u32 [%0], 1;" : : "l"(arrived) : "memory");
        unsigned seen;
        do {
            // A little apart, lest the polls themselves be the load. Reading the clock also keeps execution, which a simulator lets run ahead, in step.
            const long long until = now() + 64;
            while (now() < until) {
            }
            asm volatile("ld.volatile.global.u32 %0, [%1];" : "=r"(seen) : "l"(arrived) : "memory");
        } while (seen < rounds * gridDim.x);
    }
    __syncthreads();
}

__device__ inline uint4 load_stream(const uint4* from) {
    uint4 value;
    asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(value.x), "=r"(value.y), "=r"(value.z), "=r"(value.w) : "l"(from) : "memory");
    return value;
}

/// Four blocks of 512 threads are resident on an SM: the barrier needs all. Segment s covers `count` words from data + s * advance; it is written if bit s of `writes` is set, else read. A block writes its clock at begin and
/// end of each segment and both in ns to times[4 * (s * blocks + block)]. Before the first segment there is a barrier only if `together` is set: without
/// it the first segment begins as the blocks do.
extern "C" __global__ void __launch_bounds__(512, 4) micro_stream(long long* times, uint4* data, unsigned count, unsigned advance, int segments, unsigned writes, unsigned together, unsigned* arrived) {
    __shared__ unsigned waits[512];
    const unsigned threads = gridDim.x * blockDim.x;
    unsigned rounds = 0;
#pragma unroll 1
    for (int s = 0; s < segments; ++s) {
        if (s != 0 || together != 0) grid_barrier(arrived, ++rounds);
        const long long begin = now();
        const long long begin_nanoseconds = global_nanoseconds();
        uint4* const segment = data + static_cast<unsigned long long>(advance) * static_cast<unsigned>(s);
        unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
        if ((writes >> s & 1) != 0) {
#pragma unroll 4
            for (; i < count; i += threads) segment[i] = make_uint4(i, i, i, i);
        } else {
            unsigned sum = 0;
            for (; i + 3 * threads < count; i += 4 * threads) {
                const uint4 first = load_stream(segment + i);
                const uint4 second = load_stream(segment + i + threads);
                const uint4 third = load_stream(segment + i + 2 * threads);
                const uint4 fourth = load_stream(segment + i + 3 * threads);
                sum += mixed(first) ^ mixed(second) ^ mixed(third) ^ mixed(fourth);
            }
            for (; i < count; i += threads) sum += mixed(load_stream(segment + i));
            wait_for(static_cast<unsigned>(__cvta_generic_to_shared(waits + threadIdx.x)), sum);
        }
        __syncthreads();
        if (threadIdx.x == 0) {
            long long* const mine = times + 4 * (static_cast<unsigned>(s) * gridDim.x + blockIdx.x);
            const long long end = now();
            mine[0] = begin;
            mine[1] = end;
            mine[2] = begin_nanoseconds;
            mine[3] = global_nanoseconds();
        }
    }
}
