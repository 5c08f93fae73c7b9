// Numbers that `sassafras calibrate` looks for and that no other measurement shows alone: tensor cores, conversions of doubles, clocks, the start of
// warps, L2 at its full rate. Included by micro.cu.

/// Two conversions, to FP32 and back.
struct DoubleToFloatAndBack {
    double x;
    __device__ explicit DoubleToFloatAndBack(unsigned seed) : x(seed) {}
    __device__ void step() {
        float half;
        asm volatile("cvt.rn.f32.f64 %0, %1;" : "=f"(half) : "d"(x));
        asm volatile("cvt.f64.f32 %0, %1;" : "=d"(x) : "f"(half));
    }
    __device__ unsigned result() const { return static_cast<unsigned>(__double2loint(x)); }
};
/// Through the accumulators, of 16 x 8 x 8.
struct TensorShort {
    unsigned d[4], a[2], b;
    __device__ explicit TensorShort(unsigned seed) : d{seed, seed, seed, seed}, a{seed, seed}, b(seed) {}
    __device__ void step() {
        asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
                     : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
                     : "r"(a[0]), "r"(a[1]), "r"(b));
    }
    __device__ unsigned result() const { return d[0] ^ d[1] ^ d[2] ^ d[3]; }
};
#if __CUDA_ARCH__ >= 800
/// Of 16 x 8 x 16.
struct Tensor {
    unsigned d[4], a[4], b[2];
    __device__ explicit Tensor(unsigned seed) : d{seed, seed, seed, seed}, a{seed, seed, seed, seed}, b{seed, seed} {}
    __device__ void step() {
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                     : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
                     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    }
    __device__ unsigned result() const { return d[0] ^ d[1] ^ d[2] ^ d[3]; }
};
/// FP64, of 8 x 8 x 4.
struct TensorDouble {
    double d[2], a, b;
    __device__ explicit TensorDouble(unsigned seed) : d{static_cast<double>(seed), static_cast<double>(seed)}, a(seed), b(seed) {}
    __device__ void step() {
        asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};" : "+d"(d[0]), "+d"(d[1]) : "d"(a), "d"(b));
    }
    __device__ unsigned result() const { return static_cast<unsigned>(__double2loint(d[0]) ^ __double2loint(d[1])); }
};
#endif

extern "C" {
__global__ void micro_chain_f2f(long long* times, unsigned* sink, int iterations, unsigned seed) { chain<DoubleToFloatAndBack>(times, sink, iterations, seed); }
__global__ void micro_chain_hmma_1688(long long* times, unsigned* sink, int iterations, unsigned seed) { chain<TensorShort>(times, sink, iterations, seed); }
#if __CUDA_ARCH__ >= 800
__global__ void micro_chain_hmma_16816(long long* times, unsigned* sink, int iterations, unsigned seed) { chain<Tensor>(times, sink, iterations, seed); }
__global__ void micro_chain_dmma_884(long long* times, unsigned* sink, int iterations, unsigned seed) { chain<TensorDouble>(times, sink, iterations, seed); }
#endif
}

/// One thread waits for `ticks` ticks of the timer, from a tick on: times[0], [1] are the clock at the first and at the last, times[2], [3] the timer, in ns, there.
/// times[4], [5]: what divides all that it went on by, as if a third warp had measured it: reading may take longer than a step.
extern "C" __global__ void micro_clock(long long* times, unsigned* sink, int ticks) {
    if (threadIdx.x != 0) return;
    unsigned step = 0;
    long long last = global_nanoseconds();
    long long first_clock = 0, first_timer = 0, last_clock = 0;
    for (int i = 0; i <= ticks; ++i) {
        long long next;
        do next = global_nanoseconds();
        while (next == last);
        last_clock = now();
        if (i == 0) {
            first_clock = last_clock;
            first_timer = next;
        } else {
            for (unsigned rest = static_cast<unsigned>(next - last); rest != 0;) {
                const unsigned larger = step;
                step = rest;
                rest = larger == 0 ? 0 : larger % rest;
            }
        }
        last = next;
    }
    times[0] = first_clock;
    times[1] = last_clock;
    times[2] = first_timer;
    times[3] = last;
    times[4] = 0;
    times[5] = step;
    sink[0] = 0;
}

/// Each warp's first clock reading, from the earliest of its block on.
extern "C" __global__ void micro_warp_start(long long* times, unsigned* sink) {
    __shared__ long long begins[32];
    const long long begin = now();
    if (threadIdx.x % 32 == 0) begins[threadIdx.x / 32] = begin;
    __syncthreads();
    if (threadIdx.x % 32 != 0) return;
    long long earliest = begin;
    for (unsigned warp = 0; warp < blockDim.x / 32; ++warp) earliest = begins[warp] < earliest ? begins[warp] : earliest;
    times[2 * warp_of_grid()] = earliest;
    times[2 * warp_of_grid() + 1] = begin;
    sink[warp_of_grid()] = 0;
}

/// Each block, alone on its SM, reads `vectors` words of 16 bytes of its own again and again past L1, four loads of each thread under way; `trips` of
/// four. After a pass that brings them. Of 1,024 threads; `vectors` is a multiple of 4,096.
extern "C" __global__ void __launch_bounds__(1024) micro_read_own(long long* times, unsigned* sink, const uint4* data, unsigned vectors, int trips) {
    const uint4* const own = data + static_cast<unsigned long long>(blockIdx.x) * vectors;
    unsigned sum = 0;
    for (unsigned i = threadIdx.x; i < vectors; i += blockDim.x) sum += mixed(load_stream(own + i));
    asm volatile("" : : "r"(sum) : "memory");
    __syncthreads();
    const long long begin = now();
    unsigned at = threadIdx.x;
#pragma unroll 1
    for (int trip = 0; trip < trips; ++trip) {
        const uint4 first = load_stream(own + at);
        const uint4 second = load_stream(own + at + 1024);
        const uint4 third = load_stream(own + at + 2048);
        const uint4 fourth = load_stream(own + at + 3072);
        sum += mixed(first) ^ mixed(second) ^ mixed(third) ^ mixed(fourth);
        at = at + 4096 >= vectors ? threadIdx.x : at + 4096;
    }
    asm volatile("" : : "r"(sum) : "memory");
    const long long end = now();
    if (threadIdx.x % 32 == 0) {
        times[2 * warp_of_grid()] = begin;
        times[2 * warp_of_grid() + 1] = end;
    }
    sink[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
