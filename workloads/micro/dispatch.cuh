// Blocks as the GPU hands them out, and kernels of one instruction's work, for what a launch costs. Included by micro.cu.

/// Nanoseconds, the same for all SMs; an H200 counts in steps of 32.
__device__ inline long long global_nanoseconds() {
    long long nanoseconds;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(nanoseconds) : : "memory");
    return nanoseconds;
}

/// Each block writes its clock and the ns at begin and end. Between them its first warp waits `cycles`, and `cycles_a_block` times the block's number
/// modulo `groups`, so that blocks can be made to end one after another.
extern "C" __global__ void __launch_bounds__(1024) micro_block_times(long long* times, int cycles, int cycles_a_block, unsigned groups) {
    const long long begin = now();
    const long long begin_nanoseconds = global_nanoseconds();
    if (threadIdx.x >= 32) return;
    const long long until = begin + cycles + static_cast<long long>(cycles_a_block) * (blockIdx.x % groups);
    if (cycles != 0)
        while (now() < until) {
        }
    if (threadIdx.x != 0) return;
    times[4 * blockIdx.x] = begin;
    times[4 * blockIdx.x + 2] = begin_nanoseconds;
    times[4 * blockIdx.x + 3] = global_nanoseconds();
    times[4 * blockIdx.x + 1] = now();
}

extern "C" __global__ void micro_one_store(unsigned* to) { to[threadIdx.x] = threadIdx.x; }

/// The comparison needs the load; nothing is stored unless memory holds what it never does here.
extern "C" __global__ void micro_one_load(const unsigned* from, unsigned* to, unsigned never) {
    const unsigned loaded = from[threadIdx.x];
    if (loaded == never) to[threadIdx.x] = loaded;
}
