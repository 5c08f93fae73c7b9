// Latencies by clock64, as people measure them: cycles of one access or operation that waits for the one before.
#include "check.cuh"

__global__ void chase(const unsigned long long* start, int steps, long long* cycles, unsigned long long* sink) {
    const unsigned long long* p = start;
    for (int i = 0; i < 64; ++i) p = reinterpret_cast<const unsigned long long*>(*p);
    const long long begin = clock64();
#pragma unroll 16
    for (int i = 0; i < steps; ++i) p = reinterpret_cast<const unsigned long long*>(*p);
    const long long end = clock64() + (reinterpret_cast<unsigned long long>(p) == 1 ? 1 : 0);
    *cycles = end - begin;
    *sink = *p;
}
__global__ void chase_l2(const unsigned long long* start, int steps, long long* cycles, unsigned long long* sink) {
    unsigned long long p = reinterpret_cast<unsigned long long>(start);
    for (int i = 0; i < 64; ++i) asm volatile("ld.global.cg.u64 %0, [%0];" : "+l"(p));
    const long long begin = clock64();
#pragma unroll 16
    for (int i = 0; i < steps; ++i) asm volatile("ld.global.cg.u64 %0, [%0];" : "+l"(p));
    const long long end = clock64() + (p == 1 ? 1 : 0);
    *cycles = end - begin;
    *sink = p;
}
__global__ void chase_shared(int steps, long long* cycles, unsigned* sink) {
    __shared__ unsigned next[256];
    const unsigned base = static_cast<unsigned>(__cvta_generic_to_shared(next));
    for (unsigned i = threadIdx.x; i < 256; i += blockDim.x) next[i] = base + (i * 4 + 68) % 1024;
    __syncthreads();
    unsigned p = base;
    for (int i = 0; i < 32; ++i) asm volatile("ld.shared.u32 %0, [%0];" : "+r"(p));
    const long long begin = clock64();
#pragma unroll 16
    for (int i = 0; i < steps; ++i) asm volatile("ld.shared.u32 %0, [%0];" : "+r"(p));
    const long long end = clock64() + (p == 1 ? 1 : 0);
    *cycles = end - begin;
    *sink = p;
}
template <class Step>
__global__ void chain(Step step, long long* cycles, float* sink, float x) {
    for (int i = 0; i < 64; ++i) x = step(x);
    const long long begin = clock64();
#pragma unroll
    for (int i = 0; i < 256; ++i) x = step(x);
    const long long end = clock64() + (x == -1.0f ? 1 : 0);
    *cycles = end - begin;
    *sink = x;
}
__global__ void barriers(int steps, long long* cycles) {
    __syncthreads();
    const long long begin = clock64();
#pragma unroll 16
    for (int i = 0; i < steps; ++i) __syncthreads();
    const long long end = clock64();
    if (threadIdx.x == 0) *cycles = end - begin;
}
__global__ void global_time(unsigned long long* out) {
    unsigned long long begin = 0;
    unsigned long long end = 0;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begin));
    const long long from = clock64();
    while (clock64() - from < 2000000) {
    }
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(end));
    *out = end - begin;
}
struct Multiply {
    __device__ float operator()(float x) const { return fmaf(x, 1.0001f, 0.5f); }
};
struct Add {
    __device__ float operator()(float x) const { return __int_as_float((__float_as_int(x) ^ 0x155) + 3); }
};
struct Root {
    __device__ float operator()(float x) const {
        asm volatile("rsqrt.approx.ftz.f32 %0, %0;" : "+f"(x));
        return x;
    }
};

/// A ring of pointers `stride` bytes apart, in an order that no prefetcher guesses.
unsigned long long* ring(unsigned long long* base, std::size_t bytes, std::size_t stride) {
    const std::size_t n = bytes / stride;
    std::vector<std::size_t> order(n);
    for (std::size_t i = 0; i < n; ++i) order[i] = i;
    for (std::size_t i = n - 1; i > 0; --i) std::swap(order[i], order[mix(i) % (i + 1)]);
    std::vector<unsigned long long> words(bytes / 8, 0);
    for (std::size_t i = 0; i < n; ++i)
        words[order[i] * stride / 8] = reinterpret_cast<unsigned long long>(base) + order[(i + 1) % n] * stride;
    CHECK(cudaMemcpy(base, words.data(), bytes, cudaMemcpyHostToDevice));
    return base + order[0] * stride / 8;
}

int main() {
    DeviceArray<long long> cycles(1);
    DeviceArray<unsigned long long> sink(1);
    unsigned long long* memory = nullptr;
    constexpr std::size_t most = std::size_t{256} << 20;
    CHECK(cudaMalloc(&memory, most));
    const auto say = [&](const char* what, int steps) {
        CHECK(cudaDeviceSynchronize());
        std::printf("%s: %.2f cycles\n", what, static_cast<double>(cycles.host()[0]) / steps);
    };
    unsigned long long* start = ring(memory, 8192, 64);
    for (int i = 0; i < 2; ++i) chase<<<1, 1>>>(start, 1024, cycles.data, sink.data);
    say("L1", 1024);
    start = ring(memory, std::size_t{2} << 20, 128);
    for (int i = 0; i < 2; ++i) chase_l2<<<1, 1>>>(start, 16384, cycles.data, sink.data);
    say("L2", 16384);
    start = ring(memory, most, 4096 + 128);
    chase_l2<<<1, 1>>>(start, 4096, cycles.data, sink.data);
    say("DRAM", 4096);
    chase_shared<<<1, 1>>>(1024, cycles.data, reinterpret_cast<unsigned*>(sink.data));
    say("shared memory", 1024);
    auto* const floats = reinterpret_cast<float*>(sink.data);
    for (int i = 0; i < 2; ++i) chain<<<1, 32>>>(Multiply(), cycles.data, floats, 1.0f);
    say("FFMA", 256);
    for (int i = 0; i < 2; ++i) chain<<<1, 32>>>(Add(), cycles.data, floats, 1.0f);
    say("LOP3 and IADD3", 512);
    for (int i = 0; i < 2; ++i) chain<<<1, 32>>>(Root(), cycles.data, floats, 1.0f);
    say("MUFU.RSQ", 256);
    for (const int threads : {32, 256, 1024}) {
        for (int i = 0; i < 2; ++i) barriers<<<1, threads>>>(256, cycles.data);
        std::printf("%d threads, ", threads);
        say("barrier", 256);
    }
    global_time<<<1, 1>>>(sink.data);
    CHECK(cudaDeviceSynchronize());
    std::printf("2000000 cycles: %llu ns\n", sink.host()[0]);
}
