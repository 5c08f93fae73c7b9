// Threads that walk along rows of their own: each access of a warp has 32 lines. What loads and stores take from one another.
//   nvcc -O3 -std=c++17 -arch=sm_90 -cudart shared -o row_walk row_walk.cu && ./row_walk > row_walk.rows
//   ncu --cache-control all --clock-control none --metrics sm__cycles_active.max,... --csv ./row_walk > row_walk.csv
// It prints a row a launch: kernel, blocks, threads, lines from row to row, words that are walked, skew of loads and of stores, row's length in words.
// Trip i of a thread is at word (i + skew * lane) % length of its row: without skew the lanes' words lie in one bank, with a skew of 1 in 32.
//   load  sums what it loads;  store  writes;  both  loads and writes the other array, where `depends` what it loads
#include <cstdio>
#include <cstdlib>
#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { std::printf("%s: %s\n", #x, cudaGetErrorString(e)); std::exit(1); } } while (0)
struct Walk {
    unsigned lines, trips, load_skew, store_skew, length;
};
#define ROW const unsigned lane = threadIdx.x % 32, row = (blockIdx.x * blockDim.x + threadIdx.x) * walk.lines * 32
#define AT(skew) (row + (i + walk.skew * lane) % walk.length)
__global__ void load(const int* in, int* out, Walk walk) {
    ROW;
    int sum = 0;
#pragma unroll 4
    for (unsigned i = 0; i < walk.trips; ++i) sum += in[AT(load_skew)];
    if (sum == 12345) out[0] = 1;
}
__global__ void store(const int*, int* out, Walk walk) {
    ROW;
#pragma unroll 4
    for (unsigned i = 0; i < walk.trips; ++i) out[AT(store_skew)] = static_cast<int>(i);
}
__global__ void both(const int* in, int* out, Walk walk) {
    ROW;
    int sum = 0;
#pragma unroll 4
    for (unsigned i = 0; i < walk.trips; ++i) {
        sum += in[AT(load_skew)];
        out[AT(store_skew)] = static_cast<int>(i);
    }
    if (sum == 12345) out[0] = 1;
}
__global__ void depends(const int* in, int* out, Walk walk) {
    ROW;
    for (unsigned i = 0; i < walk.trips; ++i) out[AT(store_skew)] = in[AT(load_skew)] + static_cast<int>(i);
}
int main() {
    int *in, *out;
    const std::size_t bytes = 512u << 20;
    CHECK(cudaMalloc(&in, bytes));
    CHECK(cudaMalloc(&out, bytes));
    CHECK(cudaMemset(in, 0, bytes));
    CHECK(cudaMemset(out, 0, bytes));
    const auto run = [&](void (*kernel)(const int*, int*, Walk), const char* name, unsigned blocks, unsigned threads, Walk walk) {
        kernel<<<blocks, threads>>>(in, out, walk);
        CHECK(cudaDeviceSynchronize());
        std::printf("%s,%u,%u,%u,%u,%u,%u,%u\n", name, blocks, threads, walk.lines, walk.trips, walk.load_skew, walk.store_skew, walk.length);
    };
    for (unsigned blocks : {1u, 132u})
        for (unsigned skew : {0u, 1u}) {
            run(load, "load", blocks, 256, {24, 256, skew, 0, 768});
            run(store, "store", blocks, 256, {24, 256, 0, skew, 768});
        }
    for (unsigned lines : {24u, 25u, 32u})
        for (unsigned skews : {0u, 1u, 2u, 3u}) run(both, "both", 1, 256, {lines, 256, skews & 1, skews >> 1, 768});
    for (unsigned skews : {0u, 1u, 2u, 3u}) run(depends, "depends", 1, 256, {24, 256, skews & 1, skews >> 1, 768});
    for (unsigned blocks : {3u, 132u}) run(both, "both", blocks, 256, {24, 256, 0, 0, 768});
    for (unsigned blocks : {3u, 132u}) run(depends, "depends", blocks, 256, {24, 256, 0, 0, 768});
    // Rows of 8 words: after the first trips all loads hit.
    for (unsigned skews : {0u, 1u}) run(load, "load", 1, 256, {24, 256, skews, 0, 8});
    for (unsigned skews : {0u, 1u, 2u, 3u}) run(both, "both", 1, 256, {24, 256, skews & 1, skews >> 1, 8});
    // One line for all lanes of a warp.
    for (unsigned threads : {32u, 1024u}) {
        run(load, "load", 1, threads, {24, 128, 0, 0, 768});
        run(store, "store", 1, threads, {24, 128, 0, 0, 768});
        run(both, "both", 1, threads, {24, 128, 0, 0, 768});
        run(depends, "depends", 1, threads, {24, 128, 0, 0, 768});
    }
    for (unsigned lines : {1u, 2u, 4u, 32u}) {
        run(load, "load", 132, 256, {lines, 32 * (lines < 4 ? lines : 4), 0, 0, 768});
        run(store, "store", 132, 256, {lines, 32 * (lines < 4 ? lines : 4), 0, 0, 768});
    }
}
