// How long a load past L1 takes when so many warps of so many SMs wait for one each. Prints CSV: cycles from one load of a warp to its next, on
// average of all warps, the least of three launches, with a first pass that brings the lines into L2.
//   nvcc -O3 -std=c++17 -arch=sm_90 -cudart shared -o loaded_latency loaded_latency.cu
//   ./loaded_latency; sassafras exec -- ./loaded_latency quick (an argument leaves out what warms the clock)
// A load takes `sectors` sectors of a line; which line, the one before decides.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { std::printf("%s: %s\n", #x, cudaGetErrorString(e)); std::exit(1); } } while (0)

__global__ void chase(const float* from, unsigned lines, unsigned sectors, unsigned rounds, long long* spent, float* to) {
    unsigned at = (blockIdx.x * blockDim.x + threadIdx.x) / 32 * 97;
    const unsigned lane = threadIdx.x % 32, word = lane % (8 * sectors);
    float sum = 0;
    __syncthreads();
    const long long begin = clock64();
#pragma unroll 1
    for (unsigned r = 0; r < rounds; ++r) {
        const float value = __ldcg(from + at % lines * 32 + word);
        at = at * 1664525u + 1013904223u + __float_as_uint(value);
        sum += value;
    }
    const long long end = clock64();
    if (lane == 0) spent[(blockIdx.x * blockDim.x + threadIdx.x) / 32] = end - begin;
    to[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
__global__ void touch(const float* from, unsigned words, float* to) {
    float sum = 0;
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < words; i += gridDim.x * blockDim.x) sum += __ldcg(from + i);
    if (sum == 1234) *to = sum;
}

__global__ void spin(long long cycles, float* sink) { const long long from = clock64(); while (clock64() - from < cycles) {} if (cycles == 1) *sink = 1; }

int main(int argc, char**) {
    constexpr unsigned words = 1u << 20, rounds = 64;
    float *from, *to;
    long long* spent;
    CHECK(cudaMalloc(&from, words * 4));
    CHECK(cudaMemset(from, 0, words * 4));
    CHECK(cudaMalloc(&to, 132 * 2048 * 4));
    CHECK(cudaMalloc(&spent, 132 * 64 * sizeof(long long)));
    std::vector<long long> host(132 * 64);
    spin<<<1, 32>>>(argc > 1 ? 1000 : 600000000, to);
    CHECK(cudaDeviceSynchronize());
    std::printf("sectors,sms,warps,cycles_a_load\n");
    for (unsigned sectors : {1u, 2u, 4u})
        for (int sms : {1, 8, 33, 66, 132})
            for (int warps : {1, 4, 8, 16, 24, 32, 48, 64}) {
                double least = 1e30;
                for (int launch = 0; launch < 2; ++launch) {
                    touch<<<132, 256>>>(from, words, to);
                    const int threads = warps > 32 ? 16 * warps : 32 * warps;
                    const int blocks = warps > 32 ? 2 * sms : sms;
                    chase<<<blocks, threads>>>(from, words / 32, sectors, rounds, spent, to);
                    CHECK(cudaMemcpy(host.data(), spent, sms * warps * sizeof(long long), cudaMemcpyDeviceToHost));
                    double sum = 0;
                    for (int w = 0; w < sms * warps; ++w) sum += double(host[w]) / rounds;
                    least = std::min(least, sum / (sms * warps));
                }
                std::printf("%u,%d,%d,%.1f\n", sectors, sms, warps, least);
            }
}
