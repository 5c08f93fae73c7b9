// Memory barriers of three scopes, alone and behind stores. Included by micro.cu.

enum class Scope { block, gpu, system };

template <Scope scope>
__device__ inline void fence() {
    if constexpr (scope == Scope::block)
        asm volatile("membar.cta;" : : : "memory");
    else if constexpr (scope == Scope::gpu)
        asm volatile("membar.gl;" : : : "memory");
    else
        asm volatile("membar.sys;" : : : "memory");
}

/// Each fence follows `stores` stores of the warp, 128 bytes each, to different lines of 32 KiB at `data`.
template <Scope scope>
__device__ inline void fences(long long* times, unsigned* sink, int iterations, unsigned* data, int stores) {
    unsigned line = 0;
    const long long begin = now();
#pragma unroll 1
    for (int i = 0; i < iterations; ++i) {
#pragma unroll 1
        for (int j = 0; j < stores; ++j) {
            asm volatile("st.global.u32 [%0], %1;" : : "l"(data + line % 256 * 32 + threadIdx.x % 32), "r"(line) : "memory");
            ++line;
        }
        fence<scope>();
    }
    report(times, begin, now());
    sink[blockIdx.x * blockDim.x + threadIdx.x] = line;
}

extern "C" {
__global__ void micro_fence_cta(long long* times, unsigned* sink, int iterations, unsigned* data, int stores) { fences<Scope::block>(times, sink, iterations, data, stores); }
__global__ void micro_fence_gpu(long long* times, unsigned* sink, int iterations, unsigned* data, int stores) { fences<Scope::gpu>(times, sink, iterations, data, stores); }
__global__ void micro_fence_sys(long long* times, unsigned* sink, int iterations, unsigned* data, int stores) { fences<Scope::system>(times, sink, iterations, data, stores); }
}
