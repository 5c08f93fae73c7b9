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

// Volatile assembly keeps the compiler's front end from folding a chain; the operands come from a run-time argument for the same reason.
struct Fp32Fma {
    float x, a, b;
    __device__ explicit Fp32Fma(unsigned seed) : x(static_cast<float>(seed)), a(x + 0.5F), b(x - 0.25F) {}
    __device__ void step() { asm volatile("fma.rn.f32 %0, %0, %1, %2;" : "+f"(x) : "f"(a), "f"(b)); }
    __device__ unsigned result() const { return __float_as_uint(x); }
};
struct Fp32Add {
    float x, a;
    __device__ explicit Fp32Add(unsigned seed) : x(static_cast<float>(seed)), a(x + 0.5F) {}
    __device__ void step() { asm volatile("add.rn.f32 %0, %0, %1;" : "+f"(x) : "f"(a)); }
    __device__ unsigned result() const { return __float_as_uint(x); }
};
struct Fp64Fma {
    double x, a, b;
    __device__ explicit Fp64Fma(unsigned seed) : x(seed), a(x + 0.5), b(x - 0.25) {}
    __device__ void step() { asm volatile("fma.rn.f64 %0, %0, %1, %2;" : "+d"(x) : "d"(a), "d"(b)); }
    __device__ unsigned result() const { return static_cast<unsigned>(__double2loint(x)); }
};
/// Two alternating terms, as in Fibonacci's recurrence: adding the same number again and again could be folded into one multiplication.
/// With three terms, as two would let ptxas put every other addition on the multiplier's pipe.
struct IntegerAdd {
    unsigned x, y, a;
    __device__ explicit IntegerAdd(unsigned seed) : x(seed + threadIdx.x), y(seed * 3 + 1), a(seed + 5) {}
    __device__ void step() {
        unsigned next = x + y + a;
        asm volatile("" : "+r"(next));
        y = x;
        x = next;
    }
    __device__ unsigned result() const { return x; }
};
struct Logic {
    unsigned x, y, a;
    __device__ explicit Logic(unsigned seed) : x(seed + threadIdx.x), y(seed * 3 + 1), a(seed + 5) {}
    __device__ void step() {
        unsigned next;
        asm volatile("lop3.b32 %0, %1, %2, %3, 0x1b;" : "=r"(next) : "r"(x), "r"(y), "r"(a));
        y = x;
        x = next;
    }
    __device__ unsigned result() const { return x; }
};
/// The product's upper half is the next factor.
struct IntegerMultiplyHigh {
    unsigned x, a;
    __device__ explicit IntegerMultiplyHigh(unsigned seed) : x(seed + threadIdx.x), a(seed * 5 + 3) {}
    __device__ void step() { asm volatile("mul.hi.u32 %0, %0, %1;" : "+r"(x) : "r"(a)); }
    __device__ unsigned result() const { return x; }
};
struct HalfFma {
    unsigned x, a, b;
    __device__ explicit HalfFma(unsigned seed) : x(seed + threadIdx.x), a(seed * 5 + 3), b(seed + 7) {}
    __device__ void step() { asm volatile("fma.rn.f16x2 %0, %0, %1, %2;" : "+r"(x) : "r"(a), "r"(b)); }
    __device__ unsigned result() const { return x; }
};
/// Comparisons, as ptxas lets every other addition or multiplication of halves run on another pipe (HFMA2.MMA).
struct HalfCompare {
    unsigned x, a;
    __device__ explicit HalfCompare(unsigned seed) : x(seed + threadIdx.x), a(seed * 5 + 3) {}
    __device__ void step() { asm volatile("set.lt.f16x2.f16x2 %0, %0, %1;" : "+r"(x) : "r"(a)); }
    __device__ unsigned result() const { return x; }
};
struct Minimum {
    int x, y, a;
    __device__ explicit Minimum(unsigned seed) : x(static_cast<int>(seed + threadIdx.x)), y(static_cast<int>(seed)), a(static_cast<int>(seed * 5)) {}
    __device__ void step() {
        int next;
        if (take_minimum)
            asm volatile("min.s32 %0, %1, %2;" : "=r"(next) : "r"(x), "r"(y));
        else
            asm volatile("max.s32 %0, %1, %2;" : "=r"(next) : "r"(x), "r"(a));
        take_minimum = !take_minimum;
        x = next;
    }
    __device__ unsigned result() const { return static_cast<unsigned>(x); }
    bool take_minimum = true;
};
/// The position of the highest bit set.
struct FindLeadingOne {
    unsigned x;
    __device__ explicit FindLeadingOne(unsigned seed) : x(seed + threadIdx.x) {}
    __device__ void step() { asm volatile("bfind.u32 %0, %0;" : "+r"(x)); }
    __device__ unsigned result() const { return x; }
};
struct FloatToInteger {
    unsigned x;
    __device__ explicit FloatToInteger(unsigned seed) : x(seed + threadIdx.x) {}
    __device__ void step() { asm volatile("cvt.rzi.s32.f32 %0, %1;" : "=r"(x) : "f"(__uint_as_float(x))); }
    __device__ unsigned result() const { return x; }
};
struct Fp64Add {
    double x, a;
    __device__ explicit Fp64Add(unsigned seed) : x(seed), a(x + 0.5) {}
    __device__ void step() { asm volatile("add.rn.f64 %0, %0, %1;" : "+d"(x) : "d"(a)); }
    __device__ unsigned result() const { return static_cast<unsigned>(__double2loint(x)); }
};
/// A vote's result decides the next vote.
struct Ballot {
    unsigned x;
    __device__ explicit Ballot(unsigned seed) : x(seed + threadIdx.x) {}
    __device__ void step() {
        asm volatile("{ .reg .pred chosen; setp.gt.u32 chosen, %0, 5; vote.sync.ballot.b32 %0, chosen, 0xffffffff; }" : "+r"(x));
    }
    __device__ unsigned result() const { return x; }
};
struct IntegerMultiplyAdd {
    unsigned x, a, b;
    __device__ explicit IntegerMultiplyAdd(unsigned seed) : x(seed + threadIdx.x), a(seed * 5 + 3), b(seed + 7) {}
    __device__ void step() { asm volatile("mad.lo.u32 %0, %0, %1, %2;" : "+r"(x) : "r"(a), "r"(b)); }
    __device__ unsigned result() const { return x; }
};
struct FunnelShift {
    unsigned x, a, b;
    __device__ explicit FunnelShift(unsigned seed) : x(seed + threadIdx.x), a(seed * 5 + 3), b(seed + 7) {}
    __device__ void step() { asm volatile("shf.l.wrap.b32 %0, %0, %1, %2;" : "+r"(x) : "r"(a), "r"(b)); }
    __device__ unsigned result() const { return x; }
};
struct ExponentialBase2 {
    float x;
    __device__ explicit ExponentialBase2(unsigned seed) : x(static_cast<float>(seed)) {}
    __device__ void step() { asm volatile("ex2.approx.ftz.f32 %0, %0;" : "+f"(x)); }
    __device__ unsigned result() const { return __float_as_uint(x); }
};
struct ReciprocalRoot {
    float x;
    __device__ explicit ReciprocalRoot(unsigned seed) : x(static_cast<float>(seed) + 2.0F) {}
    __device__ void step() { asm volatile("rsqrt.approx.ftz.f32 %0, %0;" : "+f"(x)); }
    __device__ unsigned result() const { return __float_as_uint(x); }
};
struct Shuffle {
    unsigned x;
    __device__ explicit Shuffle(unsigned seed) : x(seed + threadIdx.x) {}
    __device__ void step() { asm volatile("shfl.sync.bfly.b32 %0, %0, 1, 0x1f, 0xffffffff;" : "+r"(x)); }
    __device__ unsigned result() const { return x; }
};
struct PopulationCount {
    unsigned x;
    __device__ explicit PopulationCount(unsigned seed) : x(seed + threadIdx.x) {}
    __device__ void step() { asm volatile("popc.b32 %0, %0;" : "+r"(x)); }
    __device__ unsigned result() const { return x; }
};
/// The float's bits are the next integer.
struct IntegerToFloat {
    unsigned x;
    __device__ explicit IntegerToFloat(unsigned seed) : x(seed + threadIdx.x) {}
    __device__ void step() {
        float converted;
        asm volatile("cvt.rn.f32.s32 %0, %1;" : "=f"(converted) : "r"(x));
        x = __float_as_uint(converted);
    }
    __device__ unsigned result() const { return x; }
};
struct BlockBarrier {
    unsigned x;
    __device__ explicit BlockBarrier(unsigned seed) : x(seed) {}
    __device__ void step() { __syncthreads(); }
    __device__ unsigned result() const { return x; }
};
struct WarpBarrier {
    unsigned x;
    __device__ explicit WarpBarrier(unsigned seed) : x(seed) {}
    __device__ void step() { __syncwarp(); }
    __device__ unsigned result() const { return x; }
};

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
