// Stores and loads of 4 bytes, each lane `stride` words from its neighbour, by all SMs: what L2 slices make of single sectors. Included by micro.cu.

/// Access k of a warp begins 32 * stride words after that of the warp before it in the grid; the grid sweeps through `words` words (a power of two) again
/// and again.
__device__ inline unsigned* scattered(unsigned* data, unsigned access, unsigned stride, unsigned words) {
    const unsigned warps = gridDim.x * blockDim.x / 32;
    return data + (((access * warps + warp_of_grid()) * 32 + threadIdx.x % 32) * stride & (words - 1));
}

extern "C" __global__ void __launch_bounds__(256) micro_scatter(unsigned* data, int count, unsigned stride, unsigned words) {
#pragma unroll 8
    for (int k = 0; k < count; ++k) asm volatile("st.global.u32 [%0], %1;" : : "l"(scattered(data, static_cast<unsigned>(k), stride, words)), "r"(k) : "memory");
}

/// `count` is a multiple of eight: as many loads of a warp are under way at once. The data are even.
extern "C" __global__ void __launch_bounds__(256) micro_gather(long long* times, unsigned* sink, unsigned* data, int count, unsigned stride, unsigned words) {
    unsigned sum = 0;
    __syncthreads();
    const long long begin = now();
#pragma unroll 1
    for (int k = 0; k < count; k += 8) {
        unsigned loaded[8];
#pragma unroll
        for (int j = 0; j < 8; ++j)
            asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(loaded[j]) : "l"(scattered(data, static_cast<unsigned>(k + j), stride, words)) : "memory");
#pragma unroll
        for (int j = 0; j < 8; ++j) sum += loaded[j];
    }
    asm volatile("" : : "r"(sum) : "memory");
    report(times, begin, now());
    if (sum == 1) sink[0] = sum;
}
