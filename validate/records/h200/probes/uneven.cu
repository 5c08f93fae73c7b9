// How long each SM's share of a long read or copy takes.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>
#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { std::printf("%s: %s\n", #x, cudaGetErrorString(e)); std::exit(1); } } while (0)
__device__ unsigned long long now() { unsigned long long t; asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t)); return t; }
__global__ void stream(const uint4* from, uint4* to, unsigned long long each, int mode, int stride_mode, unsigned long long* begin, unsigned long long* end, unsigned* sms, unsigned* sink) {
    unsigned here; asm volatile("mov.u32 %0, %%smid;" : "=r"(here));
    if (threadIdx.x == 0) { begin[blockIdx.x] = now(); sms[blockIdx.x] = here; }
    unsigned sum = 0;
    const unsigned long long step = stride_mode ? static_cast<unsigned long long>(gridDim.x) * blockDim.x : blockDim.x;
    const unsigned long long start = stride_mode ? static_cast<unsigned long long>(blockIdx.x) * blockDim.x + threadIdx.x : blockIdx.x * each * blockDim.x + threadIdx.x;
    for (unsigned long long i = 0; i < each; i += 4) {
        uint4 v[4];
#pragma unroll
        for (int j = 0; j < 4; ++j) v[j] = __ldcg(from + start + (i + j) * step);
#pragma unroll
        for (int j = 0; j < 4; ++j) { if (mode) __stcg(to + start + (i + j) * step, v[j]); else sum += v[j].x ^ v[j].w; }
    }
    if (sum == 12345) *sink = sum;
    __syncthreads();
    if (threadIdx.x == 0) end[blockIdx.x] = now();
}
int main() {
    const unsigned long long big = 6ull << 30;
    uint4 *a, *b; CHECK(cudaMalloc(&a, big)); CHECK(cudaMalloc(&b, big)); CHECK(cudaMemset(a, 0, big)); CHECK(cudaMemset(b, 0, big));
    unsigned long long *begin, *end; unsigned *sms, *sink; CHECK(cudaMalloc(&begin, 8 * 4096)); CHECK(cudaMalloc(&end, 8 * 4096)); CHECK(cudaMalloc(&sms, 4 * 4096)); CHECK(cudaMalloc(&sink, 4));
    for (int mode = 0; mode < 2; ++mode) for (int strided = 0; strided < 2; ++strided) for (int per : {1, 4}) for (unsigned long long mib : {16ull, 64ull, 256ull, 1024ull, 4096ull}) {
        const int blocks = 132 * per, threads = 512;
        unsigned long long each = (mib << 20) / 16 / blocks / threads / 4 * 4;
        if (each == 0) continue;
        for (int r = 0; r < 2; ++r) {
            CHECK(cudaMemset(b + (big >> 5), r, 256u << 20));  // empties L2
            CHECK(cudaDeviceSynchronize());
            cudaEvent_t e0, e1; cudaEventCreate(&e0); cudaEventCreate(&e1);
            cudaEventRecord(e0);
            stream<<<blocks, threads>>>(a, b, each, mode, strided, begin, end, sms, sink);
            cudaEventRecord(e1); CHECK(cudaDeviceSynchronize());
            float ms; cudaEventElapsedTime(&ms, e0, e1);
            if (r == 0) continue;
            std::vector<unsigned long long> x(blocks), y(blocks); std::vector<unsigned> s(blocks);
            CHECK(cudaMemcpy(x.data(), begin, 8 * blocks, cudaMemcpyDeviceToHost)); CHECK(cudaMemcpy(y.data(), end, 8 * blocks, cudaMemcpyDeviceToHost)); CHECK(cudaMemcpy(s.data(), sms, 4 * blocks, cudaMemcpyDeviceToHost));
            unsigned long long first = *std::min_element(x.begin(), x.end()), last = *std::max_element(y.begin(), y.end());
            std::vector<double> took(132, 0);
            for (int i = 0; i < blocks; ++i) took[s[i]] = std::max(took[s[i]], double(y[i] - first));
            const double bytes = double(each) * threads * blocks * 16 * (mode ? 2 : 1);
            std::vector<double> sorted = took; std::sort(sorted.begin(), sorted.end());
            double mean = 0; for (double t : took) mean += t / 132;
            std::printf("%s %s blocks_per_sm=%d mib=%llu bytes=%.0f total_ns=%llu event_us=%.1f rate=%.1f B/ns sm_ns min %.0f p25 %.0f p50 %.0f p75 %.0f max %.0f mean %.0f\n", mode ? "copy" : "read", strided ? "strided" : "chunks", per, mib, bytes, last - first, ms * 1e3, bytes / double(last - first), sorted[0], sorted[33], sorted[66], sorted[99], sorted[131], mean);
            if (mib == 1024) { std::printf("  by sm:"); for (double t : took) std::printf(" %.0f", t / 100); std::printf("\n"); }
        }
    }
}
