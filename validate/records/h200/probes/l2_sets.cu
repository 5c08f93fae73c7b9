// L2: how many lines at random come between two loads of a line before it has gone, from one SM: of sets of so many ways, least recently used, a step whose width says how many.
//   nvcc -O3 -std=c++17 -arch=sm_90 -cudart shared -o l2_sets l2_sets.cu && ./l2_sets > l2_sets.csv
// Rows: after,others,touched,near,far,gone,sm: 512 victims are loaded, then so many other lines of 1 GiB, then the victims once more: how many took less than 430 cycles (in the near
// partition), less than 590 (in the far one), more. touched: 0; 1: the victims were loaded once more after half of the others; 2: the others are loaded twice, one run behind the other
// (a policy that keeps what was used twice tells them apart); 3: the victims are loaded three times at first.
// And time,others,cycles: of the first loads of the victims, by tens of cycles, how many (cold and then hit).
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>
#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { std::printf("%s: %s\n", #x, cudaGetErrorString(e)); std::exit(1); } } while (0)
constexpr unsigned victims = 512, bits = 23;

/// A permutation of numbers below 2^23, as if at random.
__device__ unsigned scatter(unsigned x, unsigned seed) {
    constexpr unsigned mask = (1U << bits) - 1;
    x = (x + seed * 0x9e3779b1U) & mask;
    x ^= x >> 12U; x = x * 0x2c1b3c6dU & mask;
    x ^= x >> 11U; x = x * 0x297a2d39U & mask;
    x ^= x >> 13U;
    return x;
}
__device__ unsigned load(const char* at) {
    unsigned v;
    asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v) : "l"(at) : "memory");
    return v;
}
/// One lane, one load at a time.
__device__ void each(const char* base, unsigned seed, unsigned* took) {
    if (threadIdx.x == 0) {
        unsigned long long zero = 0;
        for (unsigned i = 0; i < victims; ++i) {
            const char* at = base + scatter(i, seed) * 128ULL + zero;
            asm volatile("" : "+l"(at));
            const unsigned begin = clock();
            zero += load(at);
            asm volatile("" : "+l"(zero));
            took[i] = static_cast<unsigned>(clock()) - begin + static_cast<unsigned>(zero);
        }
    }
    __syncthreads();
}
__device__ void rest(const char* base, unsigned seed, unsigned from, unsigned to, unsigned* sink) {
    unsigned sum = 0;
    for (unsigned i = from + threadIdx.x; i < to; i += 1024 * 4) {
        unsigned v[4] = {};
#pragma unroll
        for (unsigned k = 0; k < 4; ++k)
            if (i + 1024 * k < to) v[k] = load(base + scatter(victims + i + 1024 * k, seed) * 128ULL);
        sum += v[0] + v[1] + v[2] + v[3];
    }
    if (sum != 0) *sink = sum;
    __syncthreads();
}
__global__ void __launch_bounds__(1024) measure(const char* base, unsigned seed, unsigned others, int touched, unsigned* took, unsigned* sink) {
    each(base, seed, took);
    if (touched == 3) { each(base, seed, took + victims); each(base, seed, took + victims); }
    if (touched == 2) rest(base, seed, 0, others, sink);
    if (touched == 1) { rest(base, seed, 0, others / 2, sink); each(base, seed, took + victims); rest(base, seed, others / 2, others, sink); }
    if (touched != 1) rest(base, seed, 0, others, sink);
    each(base, seed, took + 2 * victims);
    if (threadIdx.x == 0) { unsigned sm; asm volatile("mov.u32 %0, %%smid;" : "=r"(sm)); sink[1] = sm; }
}

int main(int argc, char** argv) {
    const bool quick = argc > 1;
    char* base;
    unsigned *took, *sink;
    CHECK(cudaMalloc(&base, 128ULL << bits));
    CHECK(cudaMemset(base, 0, 128ULL << bits));
    CHECK(cudaMalloc(&took, 3 * victims * 4));
    CHECK(cudaMalloc(&sink, 8));
    std::vector<unsigned> host(3 * victims);
    unsigned seed = 1, sm;
    for (int touched = 0; touched < 4; ++touched) {
        for (unsigned others = 0; others <= (quick ? 4096U : 720896U); others += quick ? 4096 : touched == 0 ? 16384 : 32768) {
            int near = 0, far = 0, gone = 0;
            for (int repeat = 0; repeat < (quick ? 1 : 4); ++repeat) {
                measure<<<1, 1024>>>(base, ++seed, others, touched, took, sink);
                CHECK(cudaMemcpy(host.data(), took, host.size() * 4, cudaMemcpyDeviceToHost));
                CHECK(cudaMemcpy(&sm, sink + 1, 4, cudaMemcpyDeviceToHost));
                for (unsigned i = 2 * victims; i < 3 * victims; ++i) ++(host[i] < 430 ? near : host[i] < 590 ? far : gone);
            }
            std::printf("after,%u,%d,%d,%d,%d,%u\n", others, touched, near, far, gone, sm);
            if (others == 0 && touched == 0)
                for (int when : {0, 2}) {
                    std::printf("time,%d", when);
                    int bins[128] = {};
                    for (unsigned i = 0; i < victims; ++i) ++bins[std::min(127U, host[when * victims + i] / 10)];
                    for (int bin : bins) std::printf(",%d", bin);
                    std::printf("\n");
                }
        }
    }
}
