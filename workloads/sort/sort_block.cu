// The block sorts `shearsort` and `bitonic`. What they leave sorted is merged by the kernels of sort_mgpu.cu.
#include "bitonic.cuh"
#include "shearsort.cuh"

extern "C" __global__ void __launch_bounds__(w) shearsort_u32(const unsigned* in, unsigned* out, unsigned n) { shearsort_block<Keys32>(in, out, n); }
extern "C" __global__ void __launch_bounds__(w) shearsort_u64(const unsigned long long* in, unsigned long long* out, unsigned n) {
    shearsort_block<Keys64>(in, out, n);
}
extern "C" __global__ void __launch_bounds__(w) shearsort_fraction(const unsigned long long* in, unsigned long long* out, unsigned n) {
    shearsort_block<Fractions>(in, out, n);
}

/// A block of b threads, b a power of two, sorts 2 b keys by Batcher's network in shared memory: a thread compares one pair a step.
extern "C" __global__ void __launch_bounds__(1024) bitonic_u32(const unsigned* __restrict__ in, unsigned* __restrict__ out, unsigned n) {
    unsigned* const shared = dynamic_shared<unsigned>();
    const unsigned tile = 2 * blockDim.x;
    const unsigned first = blockIdx.x * tile;
#pragma unroll
    for (int half = 0; half < 2; ++half) {
        const unsigned index = half * blockDim.x + threadIdx.x;
        shared[index] = first + index < n ? in[first + index] : Keys32::greatest();
    }
    const bool upper = threadIdx.x % w >= w / 2;
#pragma unroll 1
    for (unsigned size = 2; size <= tile; size *= 2) {
        __syncthreads();
        const unsigned at = first_of_pair(threadIdx.x, size / 2);  // both halves ascend: the second is taken backwards
        compare_exchange_shared<Keys32>(shared + at, shared + (at ^ (size - 1)), upper && size / 2 < w);
#pragma unroll 1
        for (unsigned stride = size / 4; stride > 0; stride /= 2) {
            __syncthreads();
            const unsigned pair = first_of_pair(threadIdx.x, stride);
            compare_exchange_shared<Keys32>(shared + pair, shared + pair + stride, upper && stride < w);
        }
    }
    __syncthreads();
#pragma unroll
    for (int half = 0; half < 2; ++half) {
        const unsigned index = half * blockDim.x + threadIdx.x;
        if (first + index < n) out[first + index] = shared[index];
    }
}
