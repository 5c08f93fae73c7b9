// Loads that touch another page each. The host sets the data to zero; translation.cpp says what the arguments are.

/// Each thread loads from `count` neighbouring pages of `pages`, one after the other, round and round; the next page depends on what was loaded. Neighbouring
/// threads begin in neighbouring pages, at sectors of their own.
extern "C" __global__ void __launch_bounds__(1024, 1)
    micro_translation_walk(long long* times, unsigned* sink, const unsigned* data, int count, unsigned pages, unsigned page_words) {
    const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned warp = thread / 32;
    unsigned page = thread % pages;
    const unsigned* own = data + thread * 8 % page_words;
    long long begin, end;
    __syncthreads();
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(begin) : : "memory");
#pragma unroll 1
    for (int i = 0; i < count; ++i) {
        unsigned zero;
        asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(zero) : "l"(own + static_cast<unsigned long long>(page) * page_words) : "memory");
        page += 1 + zero;
        if (page >= pages) page -= pages;
    }
    asm volatile("" : : "r"(page) : "memory");
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(end) : : "memory");
    if (threadIdx.x % 32 == 0) {
        times[2 * warp] = begin;
        times[2 * warp + 1] = end;
    }
    sink[thread] = page;
}
