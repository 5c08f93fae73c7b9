// What a barrier takes when several blocks of an SM come to barriers of their own.
//
//   nvcc -O3 -std=c++17 -arch=sm_90 -cudart shared -o barrier_blocks barrier_blocks.cu && ./barrier_blocks > barrier_blocks.csv
//   sassafras exec -- ./barrier_blocks
//
// A row: blocks of each SM, warps a block, FFMAs between two barriers, then cycles from barrier to barrier in the mean of all blocks.
#include <cstdio>
#include <vector>

constexpr int rounds = 64;
template <int work>
__global__ void __launch_bounds__(512) rounds_of(unsigned* spent, float* sink) {
    float x = static_cast<float>(threadIdx.x);
    __syncthreads();
    const unsigned begin = clock();
#pragma unroll 1
    for (int r = 0; r < rounds; ++r) {
#pragma unroll
        for (int k = 0; k < work; ++k) asm volatile("fma.rn.f32 %0, %0, %0, %0;" : "+f"(x));
        __syncthreads();
    }
    const unsigned took = clock() - begin;
    if (threadIdx.x == 0) spent[blockIdx.x] = took;
    sink[threadIdx.x] = x;
}
template <int work>
void measure(unsigned* spent, float* sink) {
    cudaFuncSetAttribute(rounds_of<work>, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 << 10);
    for (int blocks : {1, 2, 3, 4})
        for (int warps : {1, 4, 8, 16}) {
            const unsigned grid = 132 * blocks;
            for (int again = 0; again < 2; ++again) rounds_of<work><<<grid, 32 * warps, (200 << 10) / blocks - 1024>>>(spent, sink);
            std::vector<unsigned> host(grid);
            cudaMemcpy(host.data(), spent, 4 * grid, cudaMemcpyDeviceToHost);
            double sum = 0;
            for (unsigned v : host) sum += v;
            std::printf("%d,%d,%d,%.1f\n", blocks, warps, work, sum / grid / rounds);
        }
}
int main() {
    unsigned* spent;
    float* sink;
    cudaMalloc(&spent, 65536);
    cudaMalloc(&sink, 65536);
    measure<0>(spent, sink);
    measure<8>(spent, sink);
    return cudaDeviceSynchronize() != cudaSuccess;
}
