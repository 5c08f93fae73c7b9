// The latency of single warp loads, each timed on its own, and the capacity of L1. Included by micro.cu.

constexpr int greatest_samples = 1024;       // of one warp; see samples.cpp
constexpr unsigned no_line = 0xffffffffU;  // this lane does not load

/// Waits for `value`: a store to shared memory cannot issue before it is there, nor the clock be read before the store issues.
__device__ inline void wait_for(unsigned shared_slot, unsigned value) { asm volatile("st.volatile.shared.u32 [%0], %1;" : : "r"(shared_slot), "r"(value) : "memory"); }

__device__ inline unsigned load_past_l1(unsigned long long address, unsigned loads) {
    unsigned value = 0;
    asm volatile("{ .reg .pred loads; setp.ne.u32 loads, %2, 0; @loads ld.global.cg.u32 %0, [%1]; }" : "+r"(value) : "l"(address), "r"(loads) : "memory");
    return value;
}

/// One warp a block. Lane l of sample i loads from line lines[(block * count + i) * 32 + l] of `data`. The table of lines is made by the host, so any
/// pattern can be asked for. Samples are taken in the last of `passes` passes.
extern "C" __global__ void __launch_bounds__(32) micro_sample_loads(long long* samples, const unsigned char* data, const unsigned* lines, int count, int passes) {
    __shared__ long long taken[greatest_samples];  // 64 bits: the clock's lower half alone would be read through the uniform pipe
    __shared__ unsigned waits[32];
    const unsigned slot = static_cast<unsigned>(__cvta_generic_to_shared(waits + threadIdx.x));
#pragma unroll 1
    for (int pass = 0; pass < passes; ++pass)
#pragma unroll 1
        for (int i = 0; i < count; ++i) {
            const unsigned line = load_past_l1(reinterpret_cast<unsigned long long>(lines + (blockIdx.x * count + i) * 32 + threadIdx.x), 1);
            const unsigned long long address = reinterpret_cast<unsigned long long>(data) + static_cast<unsigned long long>(line == no_line ? 0 : line) * 128;
            wait_for(slot, static_cast<unsigned>(address));
            const long long begin = now();
            const unsigned value = load_past_l1(address, line == no_line ? 0 : 1);
            wait_for(slot, value);
            const long long end = now();
            if (threadIdx.x == 0) taken[i] = end - begin;
        }
    __syncwarp();
    for (int i = static_cast<int>(threadIdx.x); i < count; i += 32) samples[blockIdx.x * count + i] = taken[i];
}

/// One thread loads `lines` lines in order, then again in the opposite order, each timed: those that L1 has kept answer sooner.
extern "C" __global__ void micro_l1_capacity(long long* samples, const unsigned char* data, int lines) {
    __shared__ unsigned waits[1];
    const unsigned slot = static_cast<unsigned>(__cvta_generic_to_shared(waits));
#pragma unroll 1
    for (int i = 0; i < 2 * lines; ++i) {
        const unsigned long long address = reinterpret_cast<unsigned long long>(data) + 128ULL * static_cast<unsigned>(i < lines ? i : 2 * lines - 1 - i);
        wait_for(slot, static_cast<unsigned>(address));
        const long long begin = now();
        unsigned value;
        asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(value) : "l"(address) : "memory");
        wait_for(slot, value);
        const long long end = now();
        samples[i] = end - begin;
    }
}
