// How quickly few SMs read what L2 has: one block an SM, by blocks, threads, loads of a thread under way (unroll), bytes a block and passes over them.
//   nvcc -std=c++17 -arch=sm_90 -cudart shared l2_few_sms.cu -o l2_few_sms && ./l2_few_sms > l2_few_sms.csv
// Columns: blocks, threads, unroll, kib_a_block, passes, repetition, cycles of the slowest and of the quickest block, span_ns by %globaltimer, bytes a cycle
// of the slowest block, detail (of some: SM and cycles of each block).
#include <cstdio>
#include <cstdlib>
#include <algorithm>
#define CHECK(call) do { if (const cudaError_t error = (call); error != cudaSuccess) { std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error)); std::exit(1);} } while (false)
struct Out { long long cycles; unsigned sm; unsigned pad; unsigned long long begin, end; };
template <int unroll>
__global__ void reading(Out* outs, float* out, const float4* data, int vectors_a_block, int passes) {
    unsigned long long begin; asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
    const long long t0 = clock64();
    const float4* own = data + static_cast<std::size_t>(blockIdx.x) * vectors_a_block;
    float sum = 0;
    for (int p = 0; p < passes; ++p)
        for (int i = static_cast<int>(threadIdx.x); i < vectors_a_block; i += unroll * static_cast<int>(blockDim.x)) {
            float4 v[unroll];
#pragma unroll
            for (int u = 0; u < unroll; ++u) v[u] = __ldcg(&own[i + u * blockDim.x]);
#pragma unroll
            for (int u = 0; u < unroll; ++u) sum += v[u].x + v[u].y + v[u].z + v[u].w;
        }
    if (sum < 0) out[0] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned sm; asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
        unsigned long long end; asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(end));
        outs[blockIdx.x] = {clock64() - t0, sm, 0, begin, end};
    }
}
int main() {
    float* out; Out* outs; float4* data; static Out host[1056];
    CHECK(cudaMalloc(&out, 256)); CHECK(cudaMalloc(&outs, sizeof host)); CHECK(cudaMalloc(&data, 512u << 20)); CHECK(cudaMemset(data, 0, 512u << 20));
    std::printf("blocks,threads,unroll,kib_a_block,passes,repetition,slowest,quickest,span_ns,bytes_a_cycle_an_sm,detail\n");
    for (const int threads : {512, 1024})
    for (const int blocks : {1, 2, 4, 8, 16, 24, 33, 48, 66, 99, 132})
        for (const int unroll : {1, 4, 8})
            for (const int kib : {64, 128, 256})
                for (const int passes : {1, 8})
                    for (int repetition = -1; repetition < 2; ++repetition) {
                        if (static_cast<long>(kib) * blocks > 20 * 1024 || threads * unroll * 16 > kib * 1024) continue;
                        const int v = kib * 64;
                        if (unroll == 1) reading<1><<<blocks, threads>>>(outs, out, data, v, passes);
                        else if (unroll == 4) reading<4><<<blocks, threads>>>(outs, out, data, v, passes);
                        else reading<8><<<blocks, threads>>>(outs, out, data, v, passes);
                        CHECK(cudaDeviceSynchronize());
                        CHECK(cudaMemcpy(host, outs, sizeof host, cudaMemcpyDeviceToHost));
                        if (repetition < 0) continue;
                        long long slow = 0, quick = 1LL << 60; unsigned long long b = ~0ULL, e = 0;
                        for (int i = 0; i < blocks; ++i) { slow = std::max(slow, host[i].cycles); quick = std::min(quick, host[i].cycles); b = std::min(b, host[i].begin); e = std::max(e, host[i].end); }
                        std::printf("%d,%d,%d,%d,%d,%d,%lld,%lld,%llu,%.1f,", blocks, threads, unroll, kib, passes, repetition, slow, quick, e - b, 1024.0 * kib * passes / slow);
                        if (repetition == 1 && passes == 8 && kib == 128) for (int i = 0; i < blocks; ++i) std::printf("%u:%lld ", host[i].sm, host[i].cycles);
                        std::printf("\n");
                    }
}
