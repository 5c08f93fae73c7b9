// Microbenchmarks: what one number of the machine is, from clock reads around a long loop.
//
// Chains: every operation needs the result of the one before. Launched with one warp, a chain shows the operation's latency; launched with 32
// warps in one block, where eight warps share a scheduler, it shows the rate of its pipe.
//
// Each warp writes when it began and when it ended (clock64) into times[2 * warp] and times[2 * warp + 1], and something that depends on all its
// work into sink, so that the compiler keeps the work. The host runs a loop twice as often and takes the difference, which removes what surrounds it.

constexpr int unrolled = 64;  // operations in one trip of a chain's loop; see chain_length in micro.cpp

__device__ inline unsigned warp_of_grid() { return (blockIdx.x * blockDim.x + threadIdx.x) / 32; }

/// The clock, kept in its place among the other volatile operations and memory accesses.
__device__ inline long long now() {
    long long cycles;
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(cycles) : : "memory");
    return cycles;
}

template <class Operation>
__device__ inline void chain(long long* times, unsigned* sink, int iterations, unsigned seed) {
    Operation operation(seed);
    __syncthreads();
    const long long begin = now();
#pragma unroll 1
    for (int i = 0; i < iterations; ++i)
#pragma unroll
        for (int j = 0; j < unrolled; ++j) operation.step();
    const unsigned result = operation.result();
    // The result joins the clock read, so that the last operation has ended.
    asm volatile("" : : "r"(result) : "memory");
    const long long end = now();
    if (threadIdx.x % 32 == 0) {
        times[2 * warp_of_grid()] = begin;
        times[2 * warp_of_grid() + 1] = end;
    }
    sink[blockIdx.x * blockDim.x + threadIdx.x] = result;
}

#include "chain_operations.cuh"

extern "C" {
__global__ void micro_null() {}
__global__ void micro_chain_ffma(long long* times, unsigned* sink, int iterations, unsigned seed) { chain<Fp32Fma>(times, sink, iterations, seed); }
__global__ void micro_chain_fadd(long long* times, unsigned* sink, int iterations, unsigned seed) { chain<Fp32Add>(times, sink, iterations, seed); }
__global__ void micro_chain_dfma(long long* times, unsigned* sink, int iterations, unsigned seed) { chain<Fp64Fma>(times, sink, iterations, seed); }
__global__ void micro_chain_iadd3(long long* times, unsigned* sink, int iterations, unsigned seed) { chain<IntegerAdd>(times, sink, iterations, seed); }
__global__ void micro_chain_imad(long long* times, unsigned* sink, int iterations, unsigned seed) { chain<IntegerMultiplyAdd>(times, sink, iterations, seed); }
__global__ void micro_chain_shf(long long* times, unsigned* sink, int iterations, unsigned seed) { chain<FunnelShift>(times, sink, iterations, seed); }
__global__ void micro_chain_mufu_ex2(long long* times, unsigned* sink, int iterations, unsigned seed) { chain<ExponentialBase2>(times, sink, iterations, seed); }
__global__ void micro_chain_mufu_rsq(long long* times, unsigned* sink, int iterations, unsigned seed) { chain<ReciprocalRoot>(times, sink, iterations, seed); }
__global__ void micro_chain_shfl(long long* times, unsigned* sink, int iterations, unsigned seed) { chain<Shuffle>(times, sink, iterations, seed); }
__global__ void micro_chain_popc(long long* times, unsigned* sink, int iterations, unsigned seed) { chain<PopulationCount>(times, sink, iterations, seed); }
__global__ void micro_chain_i2fp(long long* times, unsigned* sink, int iterations, unsigned seed) { chain<IntegerToFloat>(times, sink, iterations, seed); }
__global__ void micro_chain_lop3(long long* times, unsigned* sink, int iterations, unsigned seed) { chain<Logic>(times, sink, iterations, seed); }
__global__ void micro_chain_imad_hi(long long* times, unsigned* sink, int iterations, unsigned seed) { chain<IntegerMultiplyHigh>(times, sink, iterations, seed); }
__global__ void micro_chain_hfma2(long long* times, unsigned* sink, int iterations, unsigned seed) { chain<HalfFma>(times, sink, iterations, seed); }
__global__ void micro_chain_hset2(long long* times, unsigned* sink, int iterations, unsigned seed) { chain<HalfCompare>(times, sink, iterations, seed); }
__global__ void micro_chain_imnmx(long long* times, unsigned* sink, int iterations, unsigned seed) { chain<Minimum>(times, sink, iterations, seed); }
__global__ void micro_chain_flo(long long* times, unsigned* sink, int iterations, unsigned seed) { chain<FindLeadingOne>(times, sink, iterations, seed); }
__global__ void micro_chain_f2i(long long* times, unsigned* sink, int iterations, unsigned seed) { chain<FloatToInteger>(times, sink, iterations, seed); }
__global__ void micro_chain_dadd(long long* times, unsigned* sink, int iterations, unsigned seed) { chain<Fp64Add>(times, sink, iterations, seed); }
__global__ void micro_chain_vote(long long* times, unsigned* sink, int iterations, unsigned seed) { chain<Ballot>(times, sink, iterations, seed); }
__global__ void micro_chain_bar_sync(long long* times, unsigned* sink, int iterations, unsigned seed) { chain<BlockBarrier>(times, sink, iterations, seed); }
__global__ void micro_chain_warpsync(long long* times, unsigned* sink, int iterations, unsigned seed) { chain<WarpBarrier>(times, sink, iterations, seed); }
}

// Memory chains. A chain in global memory is made by the host: each element is the device address of the next.

template <bool in_l1>
__device__ inline void chase_global(long long* times, unsigned* sink, int iterations, const unsigned long long* first) {
    unsigned long long address = reinterpret_cast<unsigned long long>(first + threadIdx.x);
    const long long begin = now();
#pragma unroll 1
    for (int i = 0; i < iterations; ++i)
#pragma unroll
        for (int j = 0; j < unrolled; ++j) {
            if constexpr (in_l1)
                asm volatile("ld.global.ca.u64 %0, [%0];" : "+l"(address) : : "memory");
            else
                asm volatile("ld.global.cg.u64 %0, [%0];" : "+l"(address) : : "memory");
        }
    const unsigned result = static_cast<unsigned>(address);
    asm volatile("" : : "r"(result) : "memory");
    const long long end = now();
    if (threadIdx.x % 32 == 0) {
        times[2 * warp_of_grid()] = begin;
        times[2 * warp_of_grid() + 1] = end;
    }
    sink[blockIdx.x * blockDim.x + threadIdx.x] = result;
}

extern "C" __global__ void micro_chase_global(long long* times, unsigned* sink, int iterations, const unsigned long long* first) {
    chase_global<true>(times, sink, iterations, first);
}
extern "C" __global__ void micro_chase_global_l2(long long* times, unsigned* sink, int iterations, const unsigned long long* first) {
    chase_global<false>(times, sink, iterations, first);
}

constexpr int shared_words = 8192;  // 32 KiB
__device__ inline unsigned shared_address(const void* pointer) { return static_cast<unsigned>(__cvta_generic_to_shared(pointer)); }

/// Each lane follows its own chain, `stride_words` apart from its neighbour's: stride 1 has no bank conflict, stride 32 all lanes in one bank.
extern "C" __global__ void micro_chase_shared(long long* times, unsigned* sink, int iterations, int stride_words) {
    __shared__ unsigned words[shared_words];
    for (int i = static_cast<int>(threadIdx.x); i < shared_words; i += static_cast<int>(blockDim.x)) words[i] = shared_address(words + i);
    __syncthreads();
    unsigned address = shared_address(words + threadIdx.x * stride_words % shared_words);
    const long long begin = now();
#pragma unroll 1
    for (int i = 0; i < iterations; ++i)
#pragma unroll
        for (int j = 0; j < unrolled; ++j) asm volatile("ld.shared.u32 %0, [%0];" : "+r"(address) : : "memory");
    asm volatile("" : : "r"(address) : "memory");
    const long long end = now();
    if (threadIdx.x % 32 == 0) {
        times[2 * warp_of_grid()] = begin;
        times[2 * warp_of_grid() + 1] = end;
    }
    sink[blockIdx.x * blockDim.x + threadIdx.x] = address;
}

/// Atomic additions of zero; the old value is the next address.
extern "C" __global__ void micro_chain_atoms(long long* times, unsigned* sink, int iterations, int stride_words, unsigned zero) {
    __shared__ unsigned words[shared_words];
    for (int i = static_cast<int>(threadIdx.x); i < shared_words; i += static_cast<int>(blockDim.x)) words[i] = shared_address(words + i);
    __syncthreads();
    unsigned address = shared_address(words + threadIdx.x * stride_words % shared_words);
    const long long begin = now();
#pragma unroll 1
    for (int i = 0; i < iterations; ++i)
#pragma unroll
        for (int j = 0; j < unrolled; ++j) asm volatile("atom.shared.add.u32 %0, [%0], %1;" : "+r"(address) : "r"(zero) : "memory");
    asm volatile("" : : "r"(address) : "memory");
    const long long end = now();
    if (threadIdx.x % 32 == 0) {
        times[2 * warp_of_grid()] = begin;
        times[2 * warp_of_grid() + 1] = end;
    }
    sink[blockIdx.x * blockDim.x + threadIdx.x] = address;
}

/// The same in global memory, where the second-level cache does them. first[i] is the address of itself.
extern "C" __global__ void micro_chain_atomg(long long* times, unsigned* sink, int iterations, unsigned long long* first, unsigned long long zero) {
    unsigned long long address = reinterpret_cast<unsigned long long>(first + threadIdx.x);
    const long long begin = now();
#pragma unroll 1
    for (int i = 0; i < iterations; ++i)
#pragma unroll
        for (int j = 0; j < unrolled; ++j) asm volatile("atom.global.add.u64 %0, [%0], %1;" : "+l"(address) : "l"(zero) : "memory");
    asm volatile("" : : "l"(address) : "memory");
    const long long end = now();
    if (threadIdx.x % 32 == 0) {
        times[2 * warp_of_grid()] = begin;
        times[2 * warp_of_grid() + 1] = end;
    }
    sink[blockIdx.x * blockDim.x + threadIdx.x] = static_cast<unsigned>(address);
}

/// The index is a run-time value, so the loads go through the indexed constant port. The table stays zero: each load leads to its first element,
/// and the compiler cannot know, as a host may write it.
__constant__ unsigned table[1024];
extern "C" __global__ void micro_chase_constant(long long* times, unsigned* sink, int iterations, unsigned first) {
    unsigned index = first;
    const long long begin = now();
#pragma unroll 1
    for (int i = 0; i < iterations; ++i)
#pragma unroll
        for (int j = 0; j < unrolled; ++j) index = *reinterpret_cast<const unsigned*>(reinterpret_cast<const char*>(table) + (index & 4092U));
    asm volatile("" : : "r"(index) : "memory");
    const long long end = now();
    if (threadIdx.x % 32 == 0) {
        times[2 * warp_of_grid()] = begin;
        times[2 * warp_of_grid() + 1] = end;
    }
    sink[blockIdx.x * blockDim.x + threadIdx.x] = index;
}

// Throughput with many warps.

extern "C" __global__ void __launch_bounds__(1024) micro_write_shared(long long* times, unsigned* sink, int iterations, int stride_words) {
    __shared__ unsigned words[shared_words];
    const unsigned address = shared_address(words + threadIdx.x * stride_words % (shared_words / 2));
    __syncthreads();
    const long long begin = now();
#pragma unroll 1
    for (int i = 0; i < iterations; ++i)
#pragma unroll
        for (int j = 0; j < unrolled; ++j) asm volatile("st.shared.u32 [%0], %1;" : : "r"(address + j * 128), "r"(i) : "memory");
    const long long end = now();
    if (threadIdx.x % 32 == 0) {
        times[2 * warp_of_grid()] = begin;
        times[2 * warp_of_grid() + 1] = end;
    }
    __syncthreads();
    sink[blockIdx.x * blockDim.x + threadIdx.x] = words[threadIdx.x];
}

__device__ inline unsigned mixed(uint4 value) { return value.x ^ value.y ^ value.z ^ value.w; }

/// Grid-stride reads of `count` 16-byte words.
extern "C" __global__ void __launch_bounds__(1024) micro_read_global(long long* times, unsigned* sink, const uint4* data, unsigned count) {
    const unsigned threads = gridDim.x * blockDim.x;
    unsigned sum = 0;
    const long long begin = now();
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    for (; i + 3 * threads < count; i += 4 * threads) {
        const uint4 first = data[i];
        const uint4 second = data[i + threads];
        const uint4 third = data[i + 2 * threads];
        const uint4 fourth = data[i + 3 * threads];
        sum += mixed(first) ^ mixed(second) ^ mixed(third) ^ mixed(fourth);
    }
    for (; i < count; i += threads) sum += mixed(data[i]);
    asm volatile("" : : "r"(sum) : "memory");
    const long long end = now();
    if (threadIdx.x % 32 == 0) {
        times[2 * warp_of_grid()] = begin;
        times[2 * warp_of_grid() + 1] = end;
    }
    sink[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

/// Grid-stride copy of `count` 16-byte words.
extern "C" __global__ void __launch_bounds__(1024) micro_copy_global(long long* times, unsigned* sink, uint4* to, const uint4* from, unsigned count) {
    const unsigned threads = gridDim.x * blockDim.x;
    const long long begin = now();
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    for (; i + 3 * threads < count; i += 4 * threads) {
        const uint4 first = from[i];
        const uint4 second = from[i + threads];
        const uint4 third = from[i + 2 * threads];
        const uint4 fourth = from[i + 3 * threads];
        to[i] = first;
        to[i + threads] = second;
        to[i + 2 * threads] = third;
        to[i + 3 * threads] = fourth;
    }
    for (; i < count; i += threads) to[i] = from[i];
    const long long end = now();
    if (threadIdx.x % 32 == 0) {
        times[2 * warp_of_grid()] = begin;
        times[2 * warp_of_grid() + 1] = end;
    }
    sink[blockIdx.x * blockDim.x + threadIdx.x] = i;
}

/// Reads `count` 16-byte words again and again, past the first-level cache: with a small footprint the second level answers all but the first pass.
extern "C" __global__ void __launch_bounds__(1024) micro_read_l2(long long* times, unsigned* sink, const uint4* data, unsigned count, int passes) {
    const unsigned threads = gridDim.x * blockDim.x;
    unsigned sum = 0;
    const long long begin = now();
#pragma unroll 1
    for (int pass = 0; pass < passes; ++pass)
#pragma unroll 4
        for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += threads) {
            uint4 value;
            asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];"
                         : "=r"(value.x), "=r"(value.y), "=r"(value.z), "=r"(value.w)
                         : "l"(data + i)
                         : "memory");
            sum += mixed(value);
        }
    asm volatile("" : : "r"(sum) : "memory");
    const long long end = now();
    if (threadIdx.x % 32 == 0) {
        times[2 * warp_of_grid()] = begin;
        times[2 * warp_of_grid() + 1] = end;
    }
    sink[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

#include "probes.cuh"
#include "chosen_warps.cuh"
#include "cold_code.cuh"
#include "dispatch.cuh"
#include "fences.cuh"
#include "multiply.cuh"
#include "samples.cuh"
#include "scatter.cuh"
#include "streams.cuh"
#include "numbers.cuh"
