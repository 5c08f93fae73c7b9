// Two kernels of two streams that begin at about the same time and read each its own part of what L2 has: how long do they take beside each other, and
// one alone? Blocks read so many vectors of 16 bytes each; none: what it costs that blocks of two kernels begin on the same SMs.
//   nvcc -std=c++17 -arch=sm_90 -cudart shared reading_pairs.cu -o reading_pairs && ./reading_pairs > reading_pairs.csv
// Columns: blocks, threads a block, vectors a block, streams, repetition, and of each kernel the begin of its first and its last block, the end of its
// first and its last block (ns, %globaltimer, from the first begin), the mean time of a block.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                                          \
    do {                                                                                                     \
        if (const cudaError_t error = (call); error != cudaSuccess) {                                        \
            std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error));                              \
            std::exit(1);                                                                                    \
        }                                                                                                    \
    } while (false)

struct Span {
    unsigned long long begin, end;
};

__device__ unsigned long long now() {
    unsigned long long time;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
    return time;
}

__global__ void reading(Span* spans, float* out, const float4* data, int vectors) {
    const unsigned long long begin = now();
    const float4* own = data + static_cast<std::size_t>(blockIdx.x) * vectors;
    float sum = 0;
    for (int i = static_cast<int>(threadIdx.x); i < vectors; i += static_cast<int>(blockDim.x)) {
        const float4 v = own[i];
        sum += v.x + v.y + v.z + v.w;
    }
    if (sum < 0) out[0] = sum;
    __syncthreads();
    if (threadIdx.x == 0) spans[blockIdx.x] = {begin, now()};
}

__global__ void busy(float* out, int rounds) {
    float value = static_cast<float>(threadIdx.x);
    for (int i = 0; i < rounds; ++i) value = value * 1.0001f + 0.5f;
    if (value == 77.0f) out[0] = value;
}

int main() {
    struct Case {
        int blocks, threads, vectors;
    };
    const Case cases[] = {{132, 512, 0},    {132, 512, 512}, {132, 512, 1024}, {132, 512, 2048}, {132, 512, 4096}, {132, 512, 8192},
                          {132, 128, 2048}, {66, 512, 2048}, {33, 512, 2048},  {33, 512, 16384}};
    constexpr int most = 132, repetitions = 40;
    constexpr std::size_t each = static_cast<std::size_t>(most) * 8192;  // vectors of a stream
    float* out;
    Span* spans;
    float4* data;
    CHECK(cudaMalloc(&out, 256));
    CHECK(cudaMalloc(&spans, 2 * most * sizeof(Span)));
    CHECK(cudaMalloc(&data, 2 * each * sizeof(float4)));
    CHECK(cudaMemset(data, 0, 2 * each * sizeof(float4)));
    cudaStream_t base, streams[2];
    cudaEvent_t fork, ends[2];
    CHECK(cudaStreamCreateWithFlags(&base, cudaStreamNonBlocking));
    CHECK(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
    for (int i = 0; i < 2; ++i) {
        CHECK(cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking));
        CHECK(cudaEventCreateWithFlags(&ends[i], cudaEventDisableTiming));
    }
    std::printf("blocks,threads,vectors,streams,repetition,first_begin_0,last_begin_0,first_end_0,last_end_0,mean_0,first_begin_1,last_begin_1,first_end_1,last_end_1,mean_1\n");
    for (const Case& c : cases)
        for (int count = 1; count <= 2; ++count)
            for (int repetition = -1; repetition < repetitions; ++repetition) {
                busy<<<1, 32, 0, base>>>(out, 150000);  // while it runs, the host makes all launches
                CHECK(cudaEventRecord(fork, base));
                for (int i = 0; i < count; ++i) {
                    CHECK(cudaStreamWaitEvent(streams[i], fork));
                    reading<<<c.blocks, c.threads, 0, streams[i]>>>(spans + i * most, out, data + i * each, c.vectors);
                    CHECK(cudaGetLastError());
                    CHECK(cudaEventRecord(ends[i], streams[i]));
                    CHECK(cudaStreamWaitEvent(base, ends[i]));
                }
                CHECK(cudaDeviceSynchronize());
                if (repetition < 0) continue;
                std::vector<Span> host(2 * most);
                CHECK(cudaMemcpy(host.data(), spans, host.size() * sizeof(Span), cudaMemcpyDeviceToHost));
                unsigned long long origin = ~0ULL;
                for (int i = 0; i < count; ++i)
                    for (int block = 0; block < c.blocks; ++block) origin = std::min(origin, host[i * most + block].begin);
                std::printf("%d,%d,%d,%d,%d", c.blocks, c.threads, c.vectors, count, repetition);
                for (int i = 0; i < 2; ++i) {
                    Span first{~0ULL, ~0ULL}, last{0, 0};
                    unsigned long long sum = 0;
                    for (int block = 0; block < c.blocks; ++block) {
                        const Span& span = host[i * most + block];
                        first = {std::min(first.begin, span.begin), std::min(first.end, span.end)};
                        last = {std::max(last.begin, span.begin), std::max(last.end, span.end)};
                        sum += span.end - span.begin;
                    }
                    if (i < count)
                        std::printf(",%llu,%llu,%llu,%llu,%llu", first.begin - origin, last.begin - origin, first.end - origin, last.end - origin, sum / c.blocks);
                    else
                        std::printf(",,,,,");
                }
                std::printf("\n");
            }
    return 0;
}
