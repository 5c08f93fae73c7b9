// One to four streams that wait for an event of another, run a kernel of one warp each, and are waited for: how much longer than the kernels
// does that take, by the kernels' length? Five repetitions behind one that warms up.
//   nvcc -arch=sm_90 -cudart shared fork_join.cu -o fork_join && ./fork_join > fork_join.csv
// The record: H200, driver 580.159.04, 1,980 MHz, 2026-11-29.
// Columns: kernel (`same` as the one before the fork, or `other` code), streams, rounds, repetition, span_ns of the kernels by %globaltimer
// (first begin to last end), elapsed_us between the events around all.
#include <algorithm>
#include <cstdio>
#include <cstdlib>

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

template <int code>
__global__ void spin(Stamps* stamps, float* out, int rounds) {
    stamps->begin = now();
    float value = static_cast<float>(threadIdx.x);
    for (int i = 0; i < rounds; ++i) value = value * 1.0001f + (code == 0 ? 0.5f : 0.25f);
    if (value < 0) out[0] = value;
    stamps->end = now();
}

int main() {
    constexpr int most = 4;
    float* out;
    Stamps* stamps;
    CHECK(cudaMalloc(&out, 256));
    CHECK(cudaMalloc(&stamps, (most + 1) * sizeof(Stamps)));
    cudaStream_t streams[most + 1];
    cudaEvent_t ends[most], fork, last;
    for (auto& stream : streams) CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    for (auto& event : ends) CHECK(cudaEventCreate(&event));
    CHECK(cudaEventCreate(&fork));
    CHECK(cudaEventCreate(&last));
    std::printf("kernel,streams,rounds,repetition,span_ns,elapsed_us\n");
    for (const int code : {0, 1})
        for (const int count : {1, 2, 4})
            for (const int rounds : {1, 300, 600, 1000, 1500, 2000, 3000, 4000, 6000, 10000, 20000, 40000})
                for (int repetition = -1; repetition < 5; ++repetition) {
                    CHECK(cudaDeviceSynchronize());
                    const cudaStream_t base = streams[most];
                    spin<0><<<1, 32, 0, base>>>(&stamps[most], out, 100000);  // while it runs, the host makes all launches
                    CHECK(cudaEventRecord(fork, base));
                    for (int i = 0; i < count; ++i) {
                        CHECK(cudaStreamWaitEvent(streams[i], fork));
                        if (code == 0)
                            spin<0><<<1, 32, 0, streams[i]>>>(&stamps[i], out, rounds);
                        else
                            spin<1><<<1, 32, 0, streams[i]>>>(&stamps[i], out, rounds);
                        CHECK(cudaGetLastError());
                        CHECK(cudaEventRecord(ends[i], streams[i]));
                        CHECK(cudaStreamWaitEvent(base, ends[i]));
                    }
                    CHECK(cudaEventRecord(last, base));
                    CHECK(cudaDeviceSynchronize());
                    float milliseconds = 0;
                    CHECK(cudaEventElapsedTime(&milliseconds, fork, last));
                    Stamps written[most];
                    CHECK(cudaMemcpy(written, stamps, sizeof written, cudaMemcpyDeviceToHost));
                    if (repetition < 0) continue;
                    unsigned long long first = written[0].begin, end = written[0].end;
                    for (int i = 1; i < count; ++i) {
                        first = std::min(first, written[i].begin);
                        end = std::max(end, written[i].end);
                    }
                    std::printf("%s,%d,%d,%d,%llu,%.3f\n", code == 0 ? "same" : "other", count, rounds, repetition, end - first, milliseconds * 1000);
                }
    return 0;
}
