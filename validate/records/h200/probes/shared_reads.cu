// How many reads of the same memory by several SMs reach L2: so many blocks, one an SM, read the same 256 KiB. Prints the launches in order.
//   nvcc -O3 -std=c++17 -arch=sm_90 -cudart shared -o shared_reads shared_reads.cu
//   ncu --csv --page raw --cache-control none --clock-control none --metrics lts__t_sectors_srcunit_tex_op_read.sum ./shared_reads
//   sassafras exec --csv --page raw -- ./shared_reads
#include <cstdio>
#include <cstdlib>
#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { std::printf("%s: %s\n", #x, cudaGetErrorString(e)); std::exit(1); } } while (0)
template <int deep> __global__ void read(const char* memory, unsigned lines, unsigned* sink) {
    const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32, warps = blockDim.x / 32;
    unsigned x = 0;
    for (unsigned i = warp * deep; i < lines; i += warps * deep) {
        unsigned v[deep];
#pragma unroll
        for (int k = 0; k < deep; ++k) asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v[k]) : "l"(memory + (i + k) * 128ull + lane * 4 + x) : "memory");
#pragma unroll
        for (int k = 0; k < deep; ++k) x += v[k];
    }
    if (x == 77) *sink = x;
}
template <int deep> void launch(char* memory, unsigned blocks, unsigned warps, unsigned* sink) {
    CHECK(cudaFuncSetAttribute(read<deep>, cudaFuncAttributeMaxDynamicSharedMemorySize, 150 << 10));
    read<deep><<<blocks, warps * 32, 150 << 10>>>(memory, 2048, sink);
    CHECK(cudaDeviceSynchronize());
    std::printf("blocks=%u warps=%u deep=%d\n", blocks, warps, deep);
}
int main() {
    char* memory; unsigned* sink;
    CHECK(cudaMalloc(&memory, 256 << 10)); CHECK(cudaMemset(memory, 0, 256 << 10)); CHECK(cudaMalloc(&sink, 4));
    for (unsigned blocks : {1u, 2u, 4u, 8u, 16u, 33u, 66u, 132u}) { launch<1>(memory, blocks, 1, sink); launch<1>(memory, blocks, 8, sink); launch<8>(memory, blocks, 8, sink); launch<8>(memory, blocks, 32, sink); }
}
