// Blocks of kernels that keep shared memory busy, in one to three streams: on which SM each runs, and from when to when.
//   nvcc -std=c++17 -arch=sm_90 -cudart shared sharing_blocks.cu -o sharing_blocks && ./sharing_blocks > sharing_blocks.csv
// Columns: accesses of a thread, streams, repetition (behind one that warms up), stream, block, SM, begin and end in ns from the first begin.
#include <algorithm>
#include <cstdio>
#include <vector>

struct Stamp {
    unsigned long long begin, end;
    unsigned sm;
};

__device__ unsigned long long now() {
    unsigned long long time;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
    return time;
}

__global__ void sharing(Stamp* stamps, float* out, int rounds) {
    __shared__ int next[1024];
    if (threadIdx.x == 0) {
        unsigned sm;
        asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
        stamps[blockIdx.x].sm = sm;
        stamps[blockIdx.x].begin = now();
    }
    next[threadIdx.x] = static_cast<int>(threadIdx.x * 33 + 7) & (static_cast<int>(blockDim.x) - 1);
    __syncthreads();
    int at = static_cast<int>(threadIdx.x);
    for (int i = 0; i < rounds; ++i) at = next[at];
    if (at < 0) out[0] = 1;
    __syncthreads();
    if (threadIdx.x == 0) stamps[blockIdx.x].end = now();
}

__global__ void wait_for_host(float* out, int rounds) {  // while it runs, the host makes all launches
    float value = static_cast<float>(threadIdx.x);
    for (int i = 0; i < rounds; ++i) value = value * 1.0001f + 0.5f;
    if (value < 0) out[0] = value;
}

int main() {
    constexpr int most = 3, blocks = 132;
    float* out;
    Stamp* stamps;
    cudaMalloc(&out, 256);
    cudaMalloc(&stamps, most * blocks * sizeof(Stamp));
    cudaStream_t streams[most + 1];
    for (auto& stream : streams) cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaEvent_t fork;
    cudaEventCreateWithFlags(&fork, cudaEventDisableTiming);
    std::printf("rounds,streams,repetition,stream,block,sm,begin,end\n");
    for (const int rounds : {300, 3000})
        for (int count = 1; count <= most; ++count)
            for (int repetition = -1; repetition < 2; ++repetition) {
                cudaDeviceSynchronize();
                wait_for_host<<<1, 32, 0, streams[most]>>>(out, 150000);
                cudaEventRecord(fork, streams[most]);
                for (int i = 0; i < count; ++i) {
                    cudaStreamWaitEvent(streams[i], fork);
                    sharing<<<blocks, 1024, 0, streams[i]>>>(stamps + i * blocks, out, rounds);
                }
                cudaDeviceSynchronize();
                std::vector<Stamp> s(most * blocks);
                cudaMemcpy(s.data(), stamps, s.size() * sizeof(Stamp), cudaMemcpyDeviceToHost);
                unsigned long long first = ~0ULL;
                for (int i = 0; i < count * blocks; ++i) first = std::min(first, s[i].begin);
                for (int i = 0; i < count * blocks && repetition >= 0; ++i)
                    std::printf("%d,%d,%d,%d,%d,%u,%llu,%llu\n", rounds, count, repetition, i / blocks, i % blocks, s[i].sm, s[i].begin - first, s[i].end - first);
            }
    return 0;
}
