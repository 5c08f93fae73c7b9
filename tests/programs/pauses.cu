// Who sleeps leaves the others time: how many are at once within a section that is a pause.
#include <algorithm>

#include "check.cuh"

__device__ int inside, most;

__global__ void warps(int* out) {
    __shared__ int in, greatest;
    if (threadIdx.x == 0) in = greatest = 0;
    __syncthreads();
    if (threadIdx.x % 32 == 0) {
        atomicMax(&greatest, atomicAdd(&in, 1) + 1);
        __nanosleep(5000);
        atomicSub(&in, 1);
    }
    __syncthreads();
    out[0] = greatest;
}

__global__ void blocks() {
    atomicMax(&most, atomicAdd(&inside, 1) + 1);
    __nanosleep(20000);
    atomicSub(&inside, 1);
}

__global__ void clocked(int* out) {
    __shared__ int in, greatest;
    if (threadIdx.x == 0) in = greatest = 0;
    __syncthreads();
    if (threadIdx.x % 32 == 0) {
        atomicMax(&greatest, atomicAdd(&in, 1) + 1);
        const long long begin = clock64();
        while (clock64() - begin < 10000) {}
        atomicSub(&in, 1);
    }
    __syncthreads();
    out[0] = greatest;
}

int main() {
    DeviceArray<int> result(1);
    warps<<<1, 512>>>(result.data);
    std::printf("warps that sleep at once: %d of 16\n", result.host()[0]);
    clocked<<<1, 512>>>(result.data);
    std::printf("warps that watch the clock at once: %d of 16\n", result.host()[0]);
    blocks<<<16, 1>>>();
    int at_once = 0;
    CHECK(cudaMemcpyFromSymbol(&at_once, most, sizeof at_once));
    std::printf("blocks that sleep at once: %d of 16\n", at_once);
}
