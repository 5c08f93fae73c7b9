// How fast blocks that end at once come and go.
//   nvcc -O3 -std=c++17 -arch=sm_90 -cudart shared -o empty_blocks empty_blocks.cu && ./empty_blocks > empty_blocks.rows
//   ncu --cache-control all --clock-control none --metrics sm__cycles_elapsed.max,... --csv ./empty_blocks > empty_blocks.csv
// It prints a row a launch: kernel, blocks, threads, registers or bytes of shared memory that a block has.
//   leaves   every thread leaves at its first instruction;  some  leaves where blockIdx.y is not 0 (as guards do);  shared  has so many bytes
//   occupied 132 blocks of one warp run all the while, `leaves` beside them
#include <cstdio>
#include <cstdlib>
#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { std::printf("%s: %s\n", #x, cudaGetErrorString(e)); std::exit(1); } } while (0)
__global__ void leaves(int* out, int never) {
    if (never != 0) out[threadIdx.x] = never;
}
__global__ void some(int* out, int) {
    if (blockIdx.x >= 132) return;
    if (threadIdx.x == 0) out[blockIdx.x] = 1;
}
__global__ void shared(int* out, int never) {
    extern __shared__ int words[];
    if (never != 0) out[threadIdx.x] = words[never];
}
__global__ void occupied(int* out, int trips) {
    if (blockIdx.x >= 132) return;
    float x = static_cast<float>(threadIdx.x);
    for (int i = 0; i < trips; ++i) x = x * 1.5f + 2.0f;
    if (x == 1.0f) out[0] = 1;
}
int main() {
    int* out;
    CHECK(cudaMalloc(&out, 1 << 20));
    const auto run = [&](void (*kernel)(int*, int), const char* name, unsigned blocks, unsigned threads, unsigned bytes, int value) {
        kernel<<<blocks, threads, bytes>>>(out, value);
        CHECK(cudaDeviceSynchronize());
        std::printf("%s,%u,%u,%u\n", name, blocks, threads, bytes);
    };
    CHECK(cudaFuncSetAttribute(shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 << 10));
    for (unsigned threads : {32u, 64u, 128u, 256u, 512u, 1024u})
        for (unsigned blocks : {132u, 1056u, 4224u, 16896u, 50688u}) run(leaves, "leaves", blocks, threads, 0, 0);
    for (unsigned threads : {32u, 256u}) run(some, "some", 16896, threads, 0, 0);
    for (unsigned bytes : {1024u, 16384u, 65536u, 204800u}) run(shared, "shared", 4224, 128, bytes, 0);
    for (unsigned threads : {32u, 256u}) run(occupied, "occupied", 16896, threads, 0, 20000);
}
