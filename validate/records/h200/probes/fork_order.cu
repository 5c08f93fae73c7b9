// What two of the parts of a fork and a join take on a GPU: waits of one stream for kernels of others that end one after the other, in the order of the
// waits (`forward`) or the other way round (`backward`), 22 us apart; and a single stream whose kernel reads, by blocks and length (`reading`).
// Five repetitions behind one that warms up.
//   nvcc -arch=sm_90 -cudart shared fork_order.cu -o fork_order && ./fork_order > fork_order.csv
// The record: H200, driver 580.159.04, 1,980 MHz, 2026-11-29.
// Columns: what, streams (of `reading`: blocks), size (of `reading`: vectors of 16 bytes a block), repetition, span_ns of the kernels by %globaltimer
// (first begin to last end), elapsed_us between the events around all.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#define CHECK(call)                                                                                          \
    do {                                                                                                     \
        if (const cudaError_t error = (call); error != cudaSuccess) {                                        \
            std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error));                              \
            std::exit(1);                                                                                    \
        }                                                                                                    \
    } while (false)

struct Stamps {
    unsigned long long begin, end;
};

__device__ unsigned long long now() {
    unsigned long long time;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
    return time;
}

__global__ void spin(Stamps* stamps, float* out, int rounds) {
    stamps->begin = now();
    float value = static_cast<float>(threadIdx.x);
    for (int i = 0; i < rounds; ++i) value = value * 1.0001f + 0.5f;
    if (value < 0) out[0] = value;
    stamps->end = now();
}

__global__ void reading(Stamps* stamps, float* out, const float4* data, int vectors_a_block) {
    if (threadIdx.x == 0) atomicMin(&stamps->begin, now());
    const float4* own = data + static_cast<std::size_t>(blockIdx.x) * vectors_a_block;
    float sum = 0;
    for (int i = static_cast<int>(threadIdx.x); i < vectors_a_block; i += static_cast<int>(blockDim.x)) {
        const float4 v = own[i];
        sum += v.x + v.y + v.z + v.w;
    }
    if (sum < 0) out[0] = sum;
    __syncthreads();
    if (threadIdx.x == 0) atomicMax(&stamps->end, now());
}

int main() {
    constexpr int most = 8;
    float* out;
    Stamps* stamps;
    float4* data;
    CHECK(cudaMalloc(&out, 256));
    CHECK(cudaMalloc(&stamps, (most + 1) * sizeof(Stamps)));
    CHECK(cudaMalloc(&data, 64u << 20));
    CHECK(cudaMemset(data, 0, 64u << 20));
    cudaStream_t streams[most + 1];
    cudaEvent_t ends[most], fork, last;
    for (auto& stream : streams) CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    for (auto& event : ends) CHECK(cudaEventCreate(&event));
    CHECK(cudaEventCreate(&fork));
    CHECK(cudaEventCreate(&last));
    const cudaStream_t base = streams[most];
    const auto measure = [&](const char* what, int shown, int size, int count, auto&& launch) {
        for (int repetition = -1; repetition < 5; ++repetition) {
            CHECK(cudaDeviceSynchronize());
            Stamps written[most];
            for (Stamps& each : written) each = {~0ULL, 0};
            CHECK(cudaMemcpy(stamps, written, sizeof written, cudaMemcpyHostToDevice));
            spin<<<1, 32, 0, base>>>(&stamps[most], out, 150000);  // while it runs, the host makes all launches
            CHECK(cudaEventRecord(fork, base));
            for (int i = 0; i < count; ++i) {
                CHECK(cudaStreamWaitEvent(streams[i], fork));
                launch(i);
                CHECK(cudaGetLastError());
                CHECK(cudaEventRecord(ends[i], streams[i]));
                CHECK(cudaStreamWaitEvent(base, ends[i]));
            }
            CHECK(cudaEventRecord(last, base));
            CHECK(cudaDeviceSynchronize());
            float milliseconds = 0;
            CHECK(cudaEventElapsedTime(&milliseconds, fork, last));
            CHECK(cudaMemcpy(written, stamps, sizeof written, cudaMemcpyDeviceToHost));
            if (repetition < 0) continue;
            unsigned long long first = written[0].begin, end = written[0].end;
            for (int i = 1; i < count; ++i) {
                first = std::min(first, written[i].begin);
                end = std::max(end, written[i].end);
            }
            std::printf("%s,%d,%d,%d,%llu,%.3f\n", what, shown, size, repetition, end - first, milliseconds * 1000);
        }
    };
    std::printf("what,streams,size,repetition,span_ns,elapsed_us\n");
    for (const char* order : {"forward", "backward"})
        for (int count = 1; count <= most; ++count)
            measure(order, count, 0, count, [&](int i) {
                const int place = std::strcmp(order, "forward") == 0 ? i : count - 1 - i;
                spin<<<1, 32, 0, streams[i]>>>(&stamps[i], out, 20000 + 10000 * place);
            });
    for (const int blocks : {1, 33, 132})
        for (const int vectors : {512, 2048, 4096, 8192, 16384, 24576})
            measure("reading", blocks, vectors, 1, [&](int i) { reading<<<blocks, 512, 0, streams[i]>>>(&stamps[i], out, data, vectors); });
    return 0;
}
