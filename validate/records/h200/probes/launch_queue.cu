// How many commands of a stream may wait before the host has to: a kernel runs for 30 ms, and behind it the host puts
// launches, records and waits. Which call is the first that takes more than a millisecond?
//   nvcc -std=c++17 -arch=sm_90 -cudart shared launch_queue.cu -o launch_queue && ./launch_queue > launch_queue.csv
// Columns: what is put, streams (in turn), repetition, the first call that takes long (from 0; -1: none of 6,000), how long in us.
#include <chrono>
#include <cstdio>
#include <vector>

__global__ void spin(long long cycles) {
    const long long begin = clock64();
    while (clock64() - begin < cycles) {
    }
}

__global__ void nothing() {}

int main() {
    constexpr int calls = 6000;
    cudaStream_t streams[4];
    for (auto& s : streams) cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    cudaEvent_t timed, plain;
    cudaEventCreate(&timed);
    cudaEventCreateWithFlags(&plain, cudaEventDisableTiming);
    std::printf("what,streams,repetition,first_long,us\n");
    const char* names[] = {"launches", "records for timing", "records without timing", "waits"};
    for (int what = 0; what < 4; ++what)
        for (const int count : {1, 2, 4})
            for (int repetition = 0; repetition < 3; ++repetition) {
                cudaDeviceSynchronize();
                for (int s = 0; s < count; ++s) spin<<<1, 32, 0, streams[s]>>>(60'000'000);
                cudaEventRecord(plain, streams[0]);
                int first = -1;
                double took = 0;
                for (int i = 0; i < calls && first < 0; ++i) {
                    const cudaStream_t in = streams[i % count];
                    const auto begin = std::chrono::steady_clock::now();
                    if (what == 0) nothing<<<1, 32, 0, in>>>();
                    if (what == 1) cudaEventRecord(timed, in);
                    if (what == 2) cudaEventRecord(plain, in);
                    if (what == 3) cudaStreamWaitEvent(in, plain);
                    took = std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();
                    if (took > 1000) first = i;
                }
                std::printf("%s,%d,%d,%d,%.0f\n", names[what], count, repetition, first, took);
            }
    cudaDeviceSynchronize();
}
