// Probes of one mechanism each: the shared-memory and L1 pipelines, register ports, taken branches, instruction caches. Included by micro.cu.
// As there, the host takes the difference of two numbers of trips, so that what surrounds a loop cancels.

constexpr int accesses_each_trip = 8;  // see accesses_each_trip in probes.cpp; as many 16-byte results as fit the registers of 1024 threads
constexpr int stores_each_trip = 32;   // no results, so more: one warp's trip must outlast the loop's branch
constexpr int probe_shared_words = 4096;  // 16 KiB: 32 lanes, 32 elements of 16 bytes apart

__device__ inline void report(long long* times, long long begin, long long end) {
    if (threadIdx.x % 32 == 0) {
        times[2 * warp_of_grid()] = begin;
        times[2 * warp_of_grid() + 1] = end;
    }
}

// One block of 1024 threads leaves 64 registers each: with fewer, ptxas waits between the loads of 16 bytes.

/// Volatile, so that each load is executed; the loads' result joins the next trip's address, so that no trip overlaps the one before.
template <int bytes>
__device__ inline unsigned load_volatile(unsigned address) {
    if constexpr (bytes == 4) {
        unsigned x;
        asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(x) : "r"(address) : "memory");
        return x;
    } else if constexpr (bytes == 8) {
        unsigned x, y;
        asm volatile("ld.volatile.shared.v2.u32 {%0, %1}, [%2];" : "=r"(x), "=r"(y) : "r"(address) : "memory");
        return x;
    } else {
        unsigned x, y, z, w;
        asm volatile("ld.volatile.shared.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(x), "=r"(y), "=r"(z), "=r"(w) : "r"(address) : "memory");
        return x;
    }
}

template <int bytes>
__device__ inline void load_shared(long long* times, unsigned* sink, int iterations, int stride_elements) {
    __shared__ __align__(16) unsigned words[probe_shared_words];
#pragma unroll 1
    for (int i = static_cast<int>(threadIdx.x); i < probe_shared_words; i += static_cast<int>(blockDim.x)) words[i] = 0;
    __syncthreads();
    unsigned address = shared_address(words) + threadIdx.x % 32 * stride_elements * bytes;
    const long long begin = now();
#pragma unroll 1
    for (int i = 0; i < iterations; ++i) {
        unsigned loaded[accesses_each_trip];
#pragma unroll
        for (int j = 0; j < accesses_each_trip; ++j) loaded[j] = load_volatile<bytes>(address);
#pragma unroll
        for (int j = 0; j < accesses_each_trip; ++j) address += loaded[j];
    }
    asm volatile("" : : "r"(address) : "memory");
    report(times, begin, now());
    sink[blockIdx.x * blockDim.x + threadIdx.x] = address;
}

template <int bytes>
__device__ inline void store_shared(long long* times, unsigned* sink, int iterations, int stride_elements) {
    __shared__ __align__(16) unsigned words[probe_shared_words];
    const unsigned address = shared_address(words) + threadIdx.x % 32 * stride_elements * bytes;
    __syncthreads();
    const long long begin = now();
#pragma unroll 1
    for (int i = 0; i < iterations; ++i)
#pragma unroll
        for (int j = 0; j < stores_each_trip; ++j) {
            if constexpr (bytes == 4)
                asm volatile("st.volatile.shared.u32 [%0], %1;" : : "r"(address), "r"(i) : "memory");
            else if constexpr (bytes == 8)
                asm volatile("st.volatile.shared.v2.u32 [%0], {%1, %1};" : : "r"(address), "r"(i) : "memory");
            else
                asm volatile("st.volatile.shared.v4.u32 [%0], {%1, %1, %1, %1};" : : "r"(address), "r"(i) : "memory");
        }
    report(times, begin, now());
    __syncthreads();
    sink[blockIdx.x * blockDim.x + threadIdx.x] = words[threadIdx.x];
}

/// Each warp's load touches `lines` lines of 128 bytes (a power of two), 32 / lines lanes in each. `zeros` holds 32 KiB of zeros, which stay in L1.
extern "C" __global__ void __launch_bounds__(1024) micro_load_lines(long long* times, unsigned* sink, int iterations, const unsigned char* zeros, int lines) {
    const unsigned lane = threadIdx.x % 32;
    const unsigned lanes_a_line = 32 / static_cast<unsigned>(lines);
    unsigned long long address = reinterpret_cast<unsigned long long>(zeros) + lane / lanes_a_line * 128 + lane % lanes_a_line * 4;
    __syncthreads();
    const long long begin = now();
#pragma unroll 1
    for (int i = 0; i < iterations; ++i) {
        unsigned loaded[accesses_each_trip];
#pragma unroll
        for (int j = 0; j < accesses_each_trip; ++j)
            asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(loaded[j]) : "l"(address + j * 4096) : "memory");
        unsigned sum = 0;
#pragma unroll
        for (int j = 0; j < accesses_each_trip; ++j) sum += loaded[j];
        address += sum;
    }
    asm volatile("" : : "l"(address) : "memory");
    report(times, begin, now());
    sink[blockIdx.x * blockDim.x + threadIdx.x] = static_cast<unsigned>(address);
}

/// Three different registers in each FFMA: three reads of two banks. Which registers is ptxas's choice; eight chains hide the latency.
extern "C" __global__ void __launch_bounds__(1024) micro_register_ports(long long* times, unsigned* sink, int iterations, unsigned seed) {
    constexpr int chains = 8;
    float a[chains], b[chains], c[chains];
    const float s = static_cast<float>(seed + threadIdx.x);  // differs by lane: no operand may sit in a uniform register
#pragma unroll
    for (int j = 0; j < chains; ++j) {
        a[j] = s + static_cast<float>(j);
        b[j] = s * static_cast<float>(j + 2);
        c[j] = s - static_cast<float>(j);
    }
    __syncthreads();
    const long long begin = now();
#pragma unroll 1
    for (int i = 0; i < iterations; ++i)
#pragma unroll
        for (int j = 0; j < unrolled; ++j)
            asm volatile("fma.rn.f32 %0, %1, %2, %0;" : "+f"(c[j % chains]) : "f"(a[j % chains]), "f"(b[j % chains]));
    float sum = 0;
#pragma unroll
    for (int j = 0; j < chains; ++j) sum += c[j];
    asm volatile("" : : "f"(sum) : "memory");
    report(times, begin, now());
    sink[blockIdx.x * blockDim.x + threadIdx.x] = __float_as_uint(sum);
}

/// A loop of so few instructions that its branch is not hidden.
template <int operations>
__device__ inline void tight_loop(long long* times, unsigned* sink, int iterations, unsigned seed) {
    float x = static_cast<float>(seed);
    const float a = x;
    const long long begin = now();
#pragma unroll 1
    for (int i = 0; i < iterations; ++i)
#pragma unroll
        for (int j = 0; j < operations; ++j) asm volatile("fma.rn.f32 %0, %0, %0, %1;" : "+f"(x) : "f"(a));
    asm volatile("" : : "f"(x) : "memory");
    report(times, begin, now());
    sink[blockIdx.x * blockDim.x + threadIdx.x] = __float_as_uint(x);
}

/// Code without branches, passed `passes` times; pass p begins at times[2 * p] and ends at times[2 * p + 1]. For one warp.
template <int operations>
__device__ inline void straight_line(long long* times, unsigned* sink, int passes, unsigned seed) {
    constexpr int chains = 8;
    float x[chains];
    const float a = static_cast<float>(seed);
#pragma unroll
    for (int j = 0; j < chains; ++j) x[j] = a + static_cast<float>(j);
#pragma unroll 1
    for (int pass = 0; pass < passes; ++pass) {
        const long long begin = now();
#pragma unroll
        for (int j = 0; j < operations; ++j) asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(x[j % chains]) : "f"(a));
        const long long end = now();
        if (threadIdx.x == 0) {
            times[2 * pass] = begin;
            times[2 * pass + 1] = end;
        }
    }
    float sum = 0;
#pragma unroll
    for (int j = 0; j < chains; ++j) sum += x[j];
    sink[threadIdx.x] = __float_as_uint(sum);
}

extern "C" {
__global__ void __launch_bounds__(1024, 1) micro_load_shared_4(long long* times, unsigned* sink, int iterations, int stride) { load_shared<4>(times, sink, iterations, stride); }
__global__ void __launch_bounds__(1024, 1) micro_load_shared_8(long long* times, unsigned* sink, int iterations, int stride) { load_shared<8>(times, sink, iterations, stride); }
__global__ void __launch_bounds__(1024, 1) micro_load_shared_16(long long* times, unsigned* sink, int iterations, int stride) { load_shared<16>(times, sink, iterations, stride); }
__global__ void __launch_bounds__(1024) micro_store_shared_4(long long* times, unsigned* sink, int iterations, int stride) { store_shared<4>(times, sink, iterations, stride); }
__global__ void __launch_bounds__(1024) micro_store_shared_8(long long* times, unsigned* sink, int iterations, int stride) { store_shared<8>(times, sink, iterations, stride); }
__global__ void __launch_bounds__(1024) micro_store_shared_16(long long* times, unsigned* sink, int iterations, int stride) { store_shared<16>(times, sink, iterations, stride); }
__global__ void micro_tight_loop_4(long long* times, unsigned* sink, int iterations, unsigned seed) { tight_loop<4>(times, sink, iterations, seed); }
__global__ void micro_tight_loop_16(long long* times, unsigned* sink, int iterations, unsigned seed) { tight_loop<16>(times, sink, iterations, seed); }
__global__ void micro_straight_line_512(long long* times, unsigned* sink, int passes, unsigned seed) { straight_line<512>(times, sink, passes, seed); }
__global__ void micro_straight_line_2048(long long* times, unsigned* sink, int passes, unsigned seed) { straight_line<2048>(times, sink, passes, seed); }
__global__ void micro_straight_line_4096(long long* times, unsigned* sink, int passes, unsigned seed) { straight_line<4096>(times, sink, passes, seed); }
}
