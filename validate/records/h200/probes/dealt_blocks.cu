// Which SM each block of a grid runs on, for grids that leave SMs with more blocks than others. (who_runs_where.cu has which SMs are of a GPC.)
//
//   nvcc -O3 -std=c++17 -arch=sm_90 -cudart shared -o dealt_blocks dealt_blocks.cu && ./dealt_blocks > dealt_blocks.txt
//
// A row: blocks, threads a block, bytes of shared memory, then the SM of each block in turn. Blocks stay until all have begun, or for 100,000 cycles.
#include <cstdio>
#include <vector>

extern __shared__ int dynamic[];
__global__ void note(unsigned* sms) {
    unsigned sm;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    if (threadIdx.x == 0) sms[blockIdx.x] = sm;
    const long long until = clock64() + 100000;
    while (clock64() < until) {}
}
int main() {
    unsigned* sms;
    cudaMalloc(&sms, 16384);
    cudaFuncSetAttribute(note, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 << 10);
    struct Case { unsigned threads, shared; };
    for (const Case& c : {Case{128, 0}, Case{32, 0}, Case{1024, 0}, Case{128, 100 << 10}, Case{128, 50 << 10}})
        for (unsigned blocks : {1u, 4u, 8u, 9u, 12u, 16u, 24u, 32u, 40u, 48u, 56u, 64u, 72u, 80u, 88u, 96u, 104u, 112u, 120u, 124u, 128u, 132u, 144u, 160u, 200u, 264u, 482u, 700u}) {
            note<<<blocks, c.threads, c.shared>>>(sms);
            std::vector<unsigned> host(blocks);
            cudaMemcpy(host.data(), sms, 4 * blocks, cudaMemcpyDeviceToHost);
            std::printf("%u,%u,%u:", blocks, c.threads, c.shared);
            for (unsigned sm : host) std::printf(" %u", sm);
            std::printf("\n");
        }
    return cudaDeviceSynchronize() != cudaSuccess;
}
