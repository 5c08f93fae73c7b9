// What loads of lines that all SMs read cost beside loads of lines of each block's own, which come out of L2 or out of DRAM.
// Each of 4 blocks an SM reads 256 KiB of its own `rounds` times, past L1: by parts of 32 KiB, which L2 keeps, or all of it, which it
// loses (132 MiB in all). Every second time it also reads `hot` vectors that all blocks read, from one line to 1 MiB; or nothing else.
//   nvcc -O3 -std=c++17 -arch=sm_90 -cudart shared -o hot_lines hot_lines.cu
//   ncu --cache-control all --clock-control none --metrics sm__cycles_elapsed.max,... ./hot_lines
// Prints what each launch is, in order. Under `sassafras exec --cache-control all -- ./hot_lines` the same of the simulator.
#include <cstdio>
#include <cstdlib>

__device__ float sum_of(float4 value) { return value.x + value.y + value.z + value.w; }

__global__ void __launch_bounds__(256) sweep(const float4* from, const float4* hot_from, float* to, unsigned own, unsigned part, unsigned hot, unsigned rounds) {
    const float4* mine = from + blockIdx.x * own;
    float sum = 0;
    for (unsigned begin = 0; begin < own; begin += part)
        for (unsigned r = 0; r < rounds; ++r)
#pragma unroll 4
            for (unsigned i = threadIdx.x; i < part; i += blockDim.x) {
                sum += sum_of(__ldcg(mine + begin + i));
                if (hot != 0 && (i & 256) == 0) sum += sum_of(__ldcg(hot_from + ((i / 512 * 256 + threadIdx.x) & (hot - 1))));
            }
    to[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// The hot lines alone.
__global__ void __launch_bounds__(256) hits(const float4* hot_from, float* to, unsigned hot, unsigned count) {
    float sum = 0;
#pragma unroll 4
    for (unsigned i = 0; i < count; ++i) sum += sum_of(__ldcg(hot_from + ((i * 256 + threadIdx.x) & (hot - 1))));
    to[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

int main(int argc, char** argv) {
    const unsigned rounds = argc > 1 ? unsigned(std::atoi(argv[1])) : 8;
    int sms = 0;
    if (cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0) != cudaSuccess) return 1;
    const unsigned blocks = 4 * unsigned(sms), own = 16384;
    float4 *from, *hot_from;
    float* to;
    if (cudaMalloc(&from, std::size_t{blocks} * own * 16) != cudaSuccess || cudaMalloc(&hot_from, 1 << 20) != cudaSuccess ||
        cudaMalloc(&to, blocks * 256 * 4) != cudaSuccess)
        return 1;
    for (const unsigned hot : {8u, 64u, 256u, 2048u, 65536u}) {
        std::printf("hits,0,%u\n", hot);
        hits<<<blocks, 256>>>(hot_from, to, hot, own / 512 * rounds);
    }
    for (const unsigned part : {2048u, 16384u})
        for (const unsigned hot : {0u, 8u, 64u, 256u, 2048u, 65536u}) {
            std::printf("sweep,%u,%u\n", part, hot);
            sweep<<<blocks, 256>>>(from, hot_from, to, own, part, hot, rounds);
        }
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
