// Whether a read of a sector that was written in part brings the rest from DRAM: kernels in turns write a word (or all) of each sector and read it.
//   nvcc -O3 -std=c++17 -arch=sm_90 -cudart shared -o partial_reads partial_reads.cu
//   ncu --clock-control none --cache-control none --metrics sm__cycles_elapsed.max,dram__bytes_read.sum,dram__bytes_write.sum,lts__t_sectors_op_read.sum,lts__t_sectors_op_write.sum --csv ./partial_reads
// Prints the launches in order: what, bytes written of each sector, bytes read of it, sectors.
#include <cstdio>
#include <cstdlib>
#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { std::printf("%s: %s\n", #x, cudaGetErrorString(e)); std::exit(1); } } while (0)
__global__ void store(char* base, unsigned words, unsigned sectors) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < sectors * words) reinterpret_cast<unsigned*>(base + i / words * 32)[i % words] = i;
}
__global__ void load(const char* base, unsigned shift, unsigned sectors, unsigned* sink) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < sectors && *reinterpret_cast<const unsigned*>(base + i * 32 + shift) == 12345678) *sink = i;
}
__global__ void evict(const uint4* from, size_t count, unsigned* sink) {
    unsigned sum = 0;
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) sum += from[i].x;
    if (sum == 12345) *sink = sum;
}
int main() {
    char* base;
    uint4* big;
    unsigned* sink;
    CHECK(cudaMalloc(&base, 64u << 20)); CHECK(cudaMalloc(&big, 256u << 20)); CHECK(cudaMalloc(&sink, 4));
    CHECK(cudaMemset(base, 0, 64u << 20)); CHECK(cudaMemset(big, 0, 256u << 20));
    const unsigned sectors = 65536;
    for (unsigned words : {1u, 4u, 8u}) {
        for (unsigned shift : {0u, 28u}) {
            evict<<<1056, 256>>>(big, (256u << 20) / 16, sink);
            std::printf("launch,evict,0,0,0\n");
            store<<<sectors * words / 256, 256>>>(base, words, sectors);
            std::printf("launch,store,%u,0,%u\n", words * 4, sectors);
            load<<<sectors / 256, 256>>>(base, shift, sectors, sink);
            std::printf("launch,load,%u,%u,%u\n", words * 4, shift, sectors);
            load<<<sectors / 256, 256>>>(base, shift, sectors, sink);
            std::printf("launch,load again,%u,%u,%u\n", words * 4, shift, sectors);
            CHECK(cudaDeviceSynchronize());
        }
    }
}
