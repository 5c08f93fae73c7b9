// What copies, sets and kernels leave in L2 for the next launch, and in which partition: 2,048 random lines of a region,
// loaded once by one SM of each partition. Without Nsight Compute; some seconds.
//
//   nvcc -O3 -std=c++17 -arch=sm_90 -o copied_lines copied_lines.cu && ./copied_lines > copied_lines.csv
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <random>
#include <vector>

#include "walk.cuh"

__global__ void write_all(unsigned* to, size_t words) {
    for (size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x; i < words; i += size_t{gridDim.x} * blockDim.x) to[i] = 0;
}
__global__ void read_all(const unsigned* from, size_t words, unsigned* sum) {
    unsigned s = 0;
    for (size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x; i < words; i += size_t{gridDim.x} * blockDim.x) s += __ldcg(from + i);
    if (s == 1) *sum = s;
}
// Behind every way, walk() by SM 0 of one partition, then by an SM of the other (2; on this card's numbering).
int main(int argc, char** argv) {
    const unsigned other = argc > 1 ? std::atoi(argv[1]) : 2;
    const int n = 2048;
    const size_t most = 256u << 20;
    char *base, *flush, *source, *pinned;
    CHECK(cudaMalloc(&base, most)); CHECK(cudaMalloc(&flush, most)); CHECK(cudaMalloc(&source, most));
    CHECK(cudaMallocHost(&pinned, most)); std::fill(pinned, pinned + most, char{0});
    std::vector<char> pageable(most);
    unsigned *lines, *cold, *hit;
    CHECK(cudaMalloc(&lines, n * 4)); CHECK(cudaMalloc(&cold, n * 4)); CHECK(cudaMalloc(&hit, n * 4));
    const char* ways[] = {"nothing", "pageable to device", "pinned to device", "set", "within device", "source of within device",
                          "read by all", "read by all then pinned to device", "to host", "read by all then to host", "written by all", "written by all then nothing"};
    std::printf("way,bytes,sm,near_hits,far_hits,misses,median\n");
    std::mt19937 random(7);
    for (int way = 0; way < 12; ++way)
        for (size_t bytes : {size_t{256} << 10, size_t{8} << 20, size_t{32} << 20, size_t{64} << 20, size_t{256} << 20}) {
            std::vector<unsigned> l(bytes / 128);
            std::iota(l.begin(), l.end(), 0u); std::shuffle(l.begin(), l.end(), random); l.resize(n, 0);
            if (bytes / 128 < n) for (int i = 0; i < n; ++i) l[i] = i;
            unsigned* words = reinterpret_cast<unsigned*>(base);
            for (unsigned sm : {0u, other}) {
                // Before the flush, which must not be followed by a copy but the one that is looked at.
                CHECK(cudaMemcpy(lines, l.data(), n * 4, cudaMemcpyHostToDevice));
                CHECK(cudaMemset(base, 0, bytes)); CHECK(cudaMemset(source, 0, bytes));
                read_all<<<1056, 256>>>(reinterpret_cast<unsigned*>(flush), most / 4, cold); CHECK(cudaDeviceSynchronize());
                if (way == 6 || way == 7 || way == 9) read_all<<<1056, 256>>>(words, bytes / 4, cold);
                CHECK(cudaDeviceSynchronize());
                if (way == 1) CHECK(cudaMemcpy(base, pageable.data(), bytes, cudaMemcpyHostToDevice));
                if (way == 2 || way == 7) CHECK(cudaMemcpy(base, pinned, bytes, cudaMemcpyHostToDevice));
                if (way == 3) CHECK(cudaMemset(base, 0, bytes));
                if (way == 4) CHECK(cudaMemcpy(base, source, bytes, cudaMemcpyDeviceToDevice));
                if (way == 5) CHECK(cudaMemcpy(source, base, bytes, cudaMemcpyDeviceToDevice));
                if (way == 8 || way == 9) CHECK(cudaMemcpy(pinned, base, bytes, cudaMemcpyDeviceToHost));
                if (way >= 10) write_all<<<1056, 256>>>(words, bytes / 4);
                CHECK(cudaDeviceSynchronize());
                if (way == 11) { read_all<<<1, 32>>>(lines, n, cold); CHECK(cudaDeviceSynchronize()); }  // a launch between
                walk<<<132, 1024>>>(base, lines, n, sm, cold, hit, 0); CHECK(cudaDeviceSynchronize());
                std::vector<unsigned> c(n); CHECK(cudaMemcpy(c.data(), cold, n * 4, cudaMemcpyDeviceToHost));
                // 340 to 390 near, 520 to 580 far, 600 and more from DRAM, with two clock reads (partitions.txt).
                const auto below = [&](unsigned most_cycles) { return std::count_if(c.begin(), c.end(), [&](unsigned t) { return t < most_cycles; }); };
                const auto near = below(455), there = below(585);
                std::nth_element(c.begin(), c.begin() + n / 2, c.end());
                std::printf("%s,%zu,%u,%ld,%ld,%ld,%u\n", ways[way], bytes, sm, long(near), long(there - near), long(n - there), c[n / 2]);
            }
        }
}
