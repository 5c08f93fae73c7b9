// What a launch finds of L2 and of translations, by what ran before it: nothing, a kernel that read 100 MB, a set of 100 MB, or a read of
// 100 MB and then of the pages that the launch will touch.
//
//   nvcc -O3 -std=c++17 -arch=sm_90 -cudart shared -o first_touch first_touch.cu
//   ./first_touch                 before, kernel, repetition; of the loads of `k_loads` cycles, least, median and greatest of all SMs: line 1 of
//                                 page 1, line 2 of page 1, line 1 of page 2, line 2 of page 2, then one line each of 8 further pages together
//   ncu --cache-control all --clock-control none --csv --page raw --kernel-name regex:k_ --metrics sm__cycles_elapsed.max [...] ./first_touch
#include <algorithm>
#include <cstdio>
#include <vector>

constexpr unsigned page = 2 << 20;
constexpr unsigned loads = 5;

extern "C" __global__ void k_nothing(unsigned*, unsigned*) {}
extern "C" __global__ void k_store(unsigned*, unsigned* to) { to[blockIdx.x * 32] = 1; }
/// A thread a block: dependent loads and how long each took.
extern "C" __global__ void k_loads(unsigned* from, unsigned* to) {
    const unsigned line = 32 * blockIdx.x;
    __shared__ volatile unsigned came[loads];  // a store waits for what it stores, and the clock behind it for its turn
    unsigned at = line, took[loads];
    const unsigned places[4] = {0, 65536 / 4 * 7, page / 4, page / 4 + 65536 / 4 * 9};
    for (unsigned k = 0; k < 4; ++k) {
        const unsigned begin = clock();
        unsigned value;
        asm volatile("ld.global.u32 %0, [%1];" : "=r"(value) : "l"(from + at + places[k]) : "memory");
        came[k] = value;
        took[k] = clock() - begin;
        at = value + line;
    }
    const unsigned begin = clock();
    unsigned sum = 0;
    for (unsigned k = 0; k < 8; ++k) {
        unsigned value;
        asm volatile("ld.global.u32 %0, [%1];" : "=r"(value) : "l"(from + at + (k + 2) * (page / 4)) : "memory");
        sum += value;
    }
    came[4] = sum;
    took[4] = clock() - begin;
    for (unsigned k = 0; k < loads; ++k) to[loads * blockIdx.x + k] = took[k];
}
/// A word a thread, as an application's kernel does.
extern "C" __global__ void k_copy(unsigned* from, unsigned* to) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    to[i + 65536] = from[i + page / 4 * 11] + 1;
}
__global__ void read_all(const uint4* from, std::size_t count, unsigned* never) {
    unsigned sum = 0;
    for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < count; i += std::size_t{gridDim.x} * blockDim.x) {
        const uint4 v = from[i];
        sum += v.x + v.y + v.z + v.w;
    }
    if (sum == 1) *never = sum;
}
/// A line of each page that the kernels touch, by every SM, far from the lines they touch.
__global__ void touch(const unsigned* from, unsigned pages, unsigned* never) {
    unsigned sum = 0;
    for (unsigned k = 0; k < pages; ++k) sum += from[k * (page / 4) + 400000 + 32 * blockIdx.x];
    if (sum == 1) *never = sum;
}

int main() {
    constexpr std::size_t evicted = 100'000'000 / 16 * 16;
    constexpr unsigned blocks = 132;
    unsigned *from, *to;
    char* buffer;
    cudaMalloc(&buffer, evicted);
    cudaMalloc(&from, 16 * page);
    cudaMalloc(&to, 4 << 20);
    cudaMemset(buffer, 0, evicted);
    cudaMemset(from, 0, 16 * page);
    cudaMemset(to, 0, 4 << 20);
    const char* befores[] = {"nothing", "read", "set", "read_touch"};
    using Kernel = void (*)(unsigned*, unsigned*);
    const struct {
        const char* name;
        Kernel kernel;
        unsigned blocks, threads;
    } kernels[] = {{"nothing", k_nothing, blocks, 128}, {"store", k_store, blocks, 128},  {"loads", k_loads, blocks, 1},
                   {"loads_one", k_loads, 1, 1},        {"copy", k_copy, 2 * blocks, 256}};
    for (const auto& k : kernels)
        for (const char* before : befores)
            for (int repetition = 0; repetition < 6; ++repetition) {
                if (before[0] == 'r') read_all<<<8 * blocks, 256>>>(reinterpret_cast<uint4*>(buffer), evicted / 16, to);
                if (before[0] == 's') cudaMemset(buffer, 0, evicted);
                if (before[0] == 'r' && before[4] != 0) touch<<<blocks, 1>>>(from, 12, to);
                k.kernel<<<k.blocks, k.threads>>>(from, to);
                std::vector<unsigned> host(loads * blocks);
                cudaMemcpy(host.data(), to, 4 * host.size(), cudaMemcpyDeviceToHost);
                std::printf("%s,%s,%d", before, k.name, repetition);
                if (k.kernel == k_loads)
                    for (unsigned load = 0; load < loads; ++load) {
                        std::vector<unsigned> of;
                        for (unsigned b = 0; b < k.blocks; ++b) of.push_back(host[loads * b + load]);
                        std::sort(of.begin(), of.end());
                        std::printf(",%u,%u,%u", of.front(), of[of.size() / 2], of.back());
                    }
                std::printf("\n");
            }
    return cudaDeviceSynchronize() != cudaSuccess;
}
