// Loads and stores of shared memory by chosen warps of a block: warps w and w + 4 share a sub-core. Included by micro.cu.

/// Bit w of `active` says whether warp w takes part; the others only wait at the barrier.
template <int bytes, bool stores>
__device__ inline void shared_of_chosen(long long* times, unsigned* sink, int iterations, int stride_elements, unsigned active) {
    __shared__ __align__(16) unsigned words[probe_shared_words];
#pragma unroll 1
    for (int i = static_cast<int>(threadIdx.x); i < probe_shared_words; i += static_cast<int>(blockDim.x)) words[i] = 0;
    unsigned address = shared_address(words) + threadIdx.x % 32 * stride_elements * bytes;
    if ((active >> threadIdx.x / 32 & 1) == 0) iterations = 0;
    __syncthreads();
    const long long begin = now();
#pragma unroll 1
    for (int i = 0; i < iterations; ++i) {
        if constexpr (stores) {
#pragma unroll
            for (int j = 0; j < stores_each_trip; ++j) {
                if constexpr (bytes == 4)
                    asm volatile("st.volatile.shared.u32 [%0], %1;" : : "r"(address), "r"(i) : "memory");
                else if constexpr (bytes == 8)
                    asm volatile("st.volatile.shared.v2.u32 [%0], {%1, %1};" : : "r"(address), "r"(i) : "memory");
                else
                    asm volatile("st.volatile.shared.v4.u32 [%0], {%1, %1, %1, %1};" : : "r"(address), "r"(i) : "memory");
            }
        } else {
            unsigned loaded[accesses_each_trip];
#pragma unroll
            for (int j = 0; j < accesses_each_trip; ++j) loaded[j] = load_volatile<bytes>(address);
#pragma unroll
            for (int j = 0; j < accesses_each_trip; ++j) address += loaded[j];
        }
    }
    asm volatile("" : : "r"(address) : "memory");
    report(times, begin, now());
    __syncthreads();
    sink[blockIdx.x * blockDim.x + threadIdx.x] = words[threadIdx.x] + address;
}

/// A store, then a load of the same word, which gives the next address.
extern "C" __global__ void micro_store_then_load(long long* times, unsigned* sink, int iterations, unsigned seed) {
    __shared__ unsigned words[32];
    unsigned address = shared_address(words + threadIdx.x % 32);
    const long long begin = now();
#pragma unroll 1
    for (int i = 0; i < iterations; ++i)
#pragma unroll
        for (int j = 0; j < unrolled; ++j) {
            asm volatile("st.volatile.shared.u32 [%0], %0;" : : "r"(address) : "memory");
            asm volatile("ld.volatile.shared.u32 %0, [%0];" : "+r"(address) : : "memory");
        }
    asm volatile("" : : "r"(address) : "memory");
    report(times, begin, now());
    sink[blockIdx.x * blockDim.x + threadIdx.x] = address + seed;
}

extern "C" {
__global__ void __launch_bounds__(256) micro_load_chosen_4(long long* times, unsigned* sink, int iterations, int stride, unsigned active) { shared_of_chosen<4, false>(times, sink, iterations, stride, active); }
__global__ void __launch_bounds__(256) micro_load_chosen_8(long long* times, unsigned* sink, int iterations, int stride, unsigned active) { shared_of_chosen<8, false>(times, sink, iterations, stride, active); }
__global__ void __launch_bounds__(256) micro_load_chosen_16(long long* times, unsigned* sink, int iterations, int stride, unsigned active) { shared_of_chosen<16, false>(times, sink, iterations, stride, active); }
__global__ void __launch_bounds__(256) micro_store_chosen_4(long long* times, unsigned* sink, int iterations, int stride, unsigned active) { shared_of_chosen<4, true>(times, sink, iterations, stride, active); }
__global__ void __launch_bounds__(256) micro_store_chosen_8(long long* times, unsigned* sink, int iterations, int stride, unsigned active) { shared_of_chosen<8, true>(times, sink, iterations, stride, active); }
__global__ void __launch_bounds__(256) micro_store_chosen_16(long long* times, unsigned* sink, int iterations, int stride, unsigned active) { shared_of_chosen<16, true>(times, sink, iterations, stride, active); }
}
