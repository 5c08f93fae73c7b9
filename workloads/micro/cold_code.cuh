// Code and constants met for the first time: one miss each. Included by micro.cu.

constexpr int cold_jumps = 16;           // see cold_code.cpp
constexpr int cold_constant_lines = 24;  // likewise; of 64 bytes

/// Jumps over code that no argument reaches, farther than a prefetcher of a few lines looks. One warp; pass p is times[2 * p] to times[2 * p + 1].
extern "C" __global__ void micro_cold_jumps(long long* times, unsigned* sink, int passes, unsigned seed) {
    float x = static_cast<float>(seed);
#pragma unroll 1
    for (int pass = 0; pass < passes; ++pass) {
        const long long begin = now();
#pragma unroll
        for (int jump = 0; jump < cold_jumps; ++jump) {
            if (seed == 1000U + static_cast<unsigned>(jump)) {
#pragma unroll
                for (int j = 0; j < 96; ++j) asm volatile("fma.rn.f32 %0, %0, %0, %1;" : "+f"(x) : "f"(static_cast<float>(j)));
            }
            asm volatile("add.rn.f32 %0, %0, %0;" : "+f"(x));
        }
        const long long end = now();
        if (threadIdx.x == 0) {
            times[2 * pass] = begin;
            times[2 * pass + 1] = end;
        }
    }
    sink[threadIdx.x] = __float_as_uint(x);
}

__constant__ float constants[1024];

/// A chain of additions whose operands lie in as many lines of constants, or all in one: the same code otherwise. One pass: what a loop does not
/// change would be fetched before it.
template <int stride>
__device__ inline void constant_lines(long long* times, unsigned* sink, unsigned seed) {
    float x = static_cast<float>(seed);
    const long long begin = now();
#pragma unroll
    for (int j = 0; j < cold_constant_lines; ++j) asm volatile("add.rn.f32 %0, %0, %1;" : "+f"(x) : "f"(constants[64 + stride * j]));
    const long long end = now();
    if (threadIdx.x == 0) {
        times[0] = begin;
        times[1] = end;
    }
    sink[threadIdx.x] = __float_as_uint(x);
}
extern "C" __global__ void micro_constants_apart(long long* times, unsigned* sink, int, unsigned seed) { constant_lines<16>(times, sink, seed); }
extern "C" __global__ void micro_constants_together(long long* times, unsigned* sink, int, unsigned seed) { constant_lines<0>(times, sink, seed); }

/// Straight-line code run three times by every warp, each of which times its last pass.
template <int operations>
__device__ inline void issue_order(long long* times, unsigned* sink, unsigned seed) {
    constexpr int chains = 8;
    float x[chains];
    const float a = static_cast<float>(seed);
#pragma unroll
    for (int j = 0; j < chains; ++j) x[j] = a + static_cast<float>(j);
    __syncthreads();
    long long begin = 0;
#pragma unroll 1
    for (int pass = 0; pass < 3; ++pass) {
        begin = now();
#pragma unroll
        for (int j = 0; j < operations; ++j) asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(x[j % chains]) : "f"(a));
    }
    const long long end = now();
    report(times, begin, end);
    float sum = 0;
#pragma unroll
    for (int j = 0; j < chains; ++j) sum += x[j];
    sink[threadIdx.x] = __float_as_uint(sum);
}

extern "C" {
__global__ void __launch_bounds__(512) micro_issue_order_128(long long* times, unsigned* sink, unsigned seed) { issue_order<128>(times, sink, seed); }
__global__ void __launch_bounds__(512) micro_issue_order_192(long long* times, unsigned* sink, unsigned seed) { issue_order<192>(times, sink, seed); }
__global__ void __launch_bounds__(512) micro_issue_order_384(long long* times, unsigned* sink, unsigned seed) { issue_order<384>(times, sink, seed); }
__global__ void __launch_bounds__(512) micro_issue_order_512(long long* times, unsigned* sink, unsigned seed) { issue_order<512>(times, sink, seed); }
}
