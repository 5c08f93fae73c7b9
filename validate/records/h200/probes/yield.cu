// How long lanes at BSYNC wait for lanes that only yield, and what a lock taken lane by lane costs. The kernels are those of tests/fixtures/locks.cu.
//   nvcc -arch=sm_90 -cudart static -o yield yield.cu && timeout 60 ./yield > yield.txt
// leave_one_by_one: lane i leaves the loop after scale * i rounds; a mask behind the loop that is not ffffffff says that BSYNC let lanes go early.
// one_late: lane 31 leaves after `scale` rounds, all others at once: the least scale that parts them is the patience, in YIELDs.
#include <cstdio>
#include <cstdlib>
#include <map>

#include "../../../../tests/fixtures/locks.cu"

extern "C" __global__ void one_late(volatile int* rounds, unsigned* active, int scale) {
    const int mine = threadIdx.x == 31 ? scale : 0;
    int round = 0;
    while (rounds[0] + round < mine) ++round;
    active[threadIdx.x] = __activemask();
}

static void check(cudaError_t status, const char* what) {
    if (status == cudaSuccess) return;
    std::printf("%s: %s\n", what, cudaGetErrorString(status));
    std::fflush(stdout);
    std::exit(1);
}

template <class Launch>
static void print_masks(const char* name, int scale, int* zero, unsigned* active, Launch launch) {
    check(cudaMemset(zero, 0, 4), "memset");
    launch();
    check(cudaDeviceSynchronize(), name);
    unsigned masks[32];
    check(cudaMemcpy(masks, active, sizeof masks, cudaMemcpyDeviceToHost), "copy");
    std::map<unsigned, int> groups;
    for (const unsigned mask : masks) ++groups[mask];
    std::printf("%s scale=%d groups=%zu masks", name, scale, groups.size());
    for (const auto& [mask, lanes] : groups) std::printf(" %08x", mask);
    std::printf("\n");
    std::fflush(stdout);
}

template <class Launch>
static void print_time(const char* name, int grid, int block, int* words, std::size_t bytes, Launch launch) {
    cudaEvent_t begin, end;
    check(cudaEventCreate(&begin), "event");
    check(cudaEventCreate(&end), "event");
    for (int run = 0; run < 5; ++run) {
        check(cudaMemset(words, 0, bytes), "memset");
        check(cudaEventRecord(begin), "record");
        launch();
        check(cudaEventRecord(end), "record");
        check(cudaDeviceSynchronize(), name);
        float ms = 0;
        check(cudaEventElapsedTime(&ms, begin, end), "time");
        int first[2];
        check(cudaMemcpy(first, words, sizeof first, cudaMemcpyDeviceToHost), "copy");
        std::printf("%s grid=%d block=%d us=%.2f words=%d,%d\n", name, grid, block, ms * 1000, first[0], first[1]);
        std::fflush(stdout);
    }
}

int main() {
    int* words = nullptr;
    unsigned* active = nullptr;
    check(cudaMalloc(&words, 1 << 20), "malloc");
    check(cudaMalloc(&active, 4096), "malloc");
    for (const int scale : {0, 1, 2, 4, 8, 16, 64, 256, 1024})
        print_masks("leave_one_by_one", scale, words, active, [&] { leave_one_by_one<<<1, 32>>>(words, active, scale); });
    for (int scale = 1; scale <= 1 << 20; scale = scale < 16 ? scale + 1 : scale * 2)
        print_masks("one_late", scale, words, active, [&] { one_late<<<1, 32>>>(words, active, scale); });
    for (const int grid : {1, 3})
        for (const int block : {32, 96}) {
            print_time("shared_lock", grid, block, words, 1 << 20, [&] { shared_lock<<<grid, block>>>(words); });
            if (grid == 1) print_time("chain", grid, block, words, 1 << 20, [&] { chain<<<grid, block>>>(words, words + 1024); });
            print_time("global_lock", grid, block, words, 1 << 20, [&] { global_lock<<<grid, block>>>(words, words + 1); });
        }
    return 0;
}
