// Which SM each block runs on, and which SMs are of a GPC (blocks of a cluster are). Prints CSV.
//   nvcc -O3 -std=c++17 -arch=sm_90 -o who_runs_where who_runs_where.cu && ./who_runs_where
#include <cooperative_groups.h>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>
#include <vector>
#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { std::printf("%s: %s\n", #x, cudaGetErrorString(e)); std::exit(1); } } while (0)
extern __shared__ int dynamic[];
struct Row { unsigned sm, slot; unsigned long long begin; };
__global__ void note(Row* rows, unsigned work) {
    unsigned long long now; asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    unsigned sm, slot; asm volatile("mov.u32 %0, %%smid;" : "=r"(sm)); asm volatile("mov.u32 %0, %%warpid;" : "=r"(slot));
    if (threadIdx.x == 0) rows[blockIdx.x] = {sm, slot, now};
    const long long until = clock64() + work; while (clock64() < until) {}
}
__global__ void note_cluster(unsigned* sms) {
    unsigned sm; asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    if (threadIdx.x == 0) sms[blockIdx.x] = sm;
    const long long until = clock64() + 100000; while (clock64() < until) {}
}
int main() {
    Row* rows; const unsigned most = 4096; CHECK(cudaMalloc(&rows, most * sizeof(Row))); std::vector<Row> host(most);
    unsigned* sms; CHECK(cudaMalloc(&sms, most * 4));
    CHECK(cudaFuncSetAttribute(note, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 << 10));
    std::printf("grid,threads,shared,work,round,blocks: SM.slot\n");
    struct Case { unsigned grid, threads, shared, work; };
    for (const Case& c : {Case{132, 128, 150 << 10, 100000}, Case{264, 128, 150 << 10, 100000}, Case{264, 128, 100 << 10, 100000}, Case{528, 128, 50 << 10, 100000}, Case{1056, 256, 0, 100000},
                          Case{132, 1024, 0, 100000}, Case{264, 1024, 0, 100000}, Case{300, 1024, 0, 100000}, Case{40, 256, 0, 100000}, Case{1056, 32, 0, 100000}})
        for (int round = 0; round < 2; ++round) {
            note<<<c.grid, c.threads, c.shared>>>(rows, c.work); CHECK(cudaDeviceSynchronize());
            CHECK(cudaMemcpy(host.data(), rows, c.grid * sizeof(Row), cudaMemcpyDeviceToHost));
            std::printf("%u,%u,%u,%u,%d:", c.grid, c.threads, c.shared, c.work, round);
            for (unsigned i = 0; i < c.grid; ++i) std::printf(" %u.%u", host[i].sm, host[i].slot);
            std::printf("\n");
        }
    CHECK(cudaFuncSetAttribute(note_cluster, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
    CHECK(cudaFuncSetAttribute(note_cluster, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 << 10));
    for (unsigned size : {2u, 4u, 8u, 16u}) {
        cudaLaunchConfig_t config{}; config.gridDim = size * (132 / size); config.blockDim = 128; config.dynamicSmemBytes = 150 << 10;
        cudaLaunchAttribute attribute{}; attribute.id = cudaLaunchAttributeClusterDimension; attribute.val.clusterDim.x = size; attribute.val.clusterDim.y = 1; attribute.val.clusterDim.z = 1;
        config.attrs = &attribute; config.numAttrs = 1;
        CHECK(cudaLaunchKernelEx(&config, note_cluster, sms)); CHECK(cudaDeviceSynchronize());
        std::vector<unsigned> s(config.gridDim.x); CHECK(cudaMemcpy(s.data(), sms, s.size() * 4, cudaMemcpyDeviceToHost));
        for (unsigned c = 0; c < s.size() / size; ++c) { std::printf("cluster %u:", size); for (unsigned i = 0; i < size; ++i) std::printf(" %u", s[c * size + i]); std::printf("\n"); }
    }
}
