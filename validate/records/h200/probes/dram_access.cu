// What a read of one word brings from DRAM: a launch for each stride between the words, of 64 MiB that L2 has not got.
//   nvcc -O3 -std=c++17 -arch=sm_90 -cudart shared -o dram_access dram_access.cu
//   ncu --clock-control none --cache-control all --metrics dram__bytes_read.sum,dram__sectors_read.sum,lts__t_sectors_op_read.sum,lts__t_sectors_op_read_lookup_miss.sum,gpu__time_duration.sum --csv ./dram_access
// Prints the launches in order: words and stride in bytes; `shift`: from the second sector on. The least that a read brings is dram__bytes_read over words where the stride is large.
#include <cstdio>
#include <cstdlib>
#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { std::printf("%s: %s\n", #x, cudaGetErrorString(e)); std::exit(1); } } while (0)
__global__ void touch(const char* base, unsigned stride, unsigned shift, unsigned words, unsigned* sink) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= words) return;
    unsigned v;
    asm volatile("ld.global.u32 %0, [%1];" : "=r"(v) : "l"(base + i * static_cast<unsigned long long>(stride) + shift));
    if (v != 0) *sink = v;
}
int main() {
    char* base;
    unsigned* sink;
    CHECK(cudaMalloc(&base, 64 << 20));
    CHECK(cudaMalloc(&sink, 4));
    CHECK(cudaMemset(base, 0, 64 << 20));
    for (unsigned shift : {0U, 32U, 64U, 96U}) {
        for (unsigned stride : {32U, 64U, 96U, 128U, 256U, 512U, 1024U, 2048U}) {
            const unsigned words = (64U << 20U) / stride - 4;
            touch<<<(words + 255) / 256, 256>>>(base, stride, shift, words, sink);
            CHECK(cudaDeviceSynchronize());
            std::printf("launch,%u,%u,%u\n", words, stride, shift);
        }
    }
}
