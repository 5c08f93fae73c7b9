// What is written to L2 and read from it beside a kernel, by the time that the kernel takes: one block of one warp, or one on every SM, that computes.
//   nvcc -O3 -std=c++17 -arch=sm_90 -o background_writes background_writes.cu; ncu --cache-control all --metrics sm__cycles_elapsed.max,lts__t_sectors_op_write.sum,lts__t_sectors_op_read.sum,dram__bytes_write.sum ./background_writes
#include <cuda_runtime.h>

#include <cstdio>

__global__ void compute(int trips, int* out) {
    int x = threadIdx.x;
    for (int i = 0; i < trips; ++i) x = x * 3 + trips;  // a dependent multiply-add every four cycles or so
    if (x == 1234567) *out = x;                          // so that it is computed; never true enough to matter
}

int main() {
    int* out = nullptr;
    if (cudaMalloc(&out, 4) != cudaSuccess) return 1;
    for (const int blocks : {1, 132})
        for (const int trips : {1, 500, 1000, 2000, 4000, 6000, 8000, 12000, 16000, 24000, 48000, 96000, 200000, 400000})
            for (int again = 0; again < 5; ++again) compute<<<blocks, 32>>>(trips, out);
    std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
