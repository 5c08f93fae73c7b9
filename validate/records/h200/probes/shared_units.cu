// In which unit shared memory is given to blocks: the largest size of which so many blocks fit on an SM, by what the runtime says and by what runs at a time.
//   nvcc -O3 -std=c++17 -arch=sm_90 -cudart shared -o shared_units shared_units.cu
//   ./shared_units > shared_units.csv; sassafras exec -- ./shared_units
// A row: blocks, the largest size of which the runtime says so many, and how many run at a time on an SM with that size and with a byte more.
#include <cstdio>
#include <cstdlib>
#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { std::printf("%s: %s\n", #x, cudaGetErrorString(e)); std::exit(1); } } while (0)
__global__ void stay(unsigned* now, unsigned* most) {
    if (threadIdx.x != 0) return;
    unsigned sm;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    atomicMax(most + sm, atomicAdd(now + sm, 1) + 1);
    const long long begin = clock64();
    while (clock64() - begin < 20000) {}
    atomicSub(now + sm, 1);
}
unsigned* counts;
unsigned resident(int bytes) {
    unsigned host[256];
    CHECK(cudaMemset(counts, 0, 2048));
    stay<<<132 * 34, 32, bytes>>>(counts, counts + 256);
    CHECK(cudaMemcpy(host, counts + 256, 1024, cudaMemcpyDeviceToHost));
    unsigned most = 0;
    for (unsigned k : host) if (k > most) most = k;
    return most;
}
int main() {
    CHECK(cudaMalloc(&counts, 2048));
    CHECK(cudaFuncSetAttribute(stay, cudaFuncAttributeMaxDynamicSharedMemorySize, 227 * 1024));
    std::printf("blocks,bytes,run,run_with_a_byte_more\n");
    for (int blocks = 2; blocks <= 31; ++blocks) {
        int low = 0, high = 227 * 1024;
        while (low < high) {
            const int size = (low + high + 1) / 2;
            int fit = 0;
            CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit, stay, 32, size));
            if (fit >= blocks) low = size; else high = size - 1;
        }
        std::printf("%d,%d,%u,%u\n", blocks, low, resident(low), resident(low + 1));
    }
}
