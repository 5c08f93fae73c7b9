// How many streams go on beside each other: each of `streams` runs two kernels of one block and some 50 us, put stream by stream (depth first) or
// kernel by kernel (breadth first). Streams that share a connection to the GPU wait for each other where they are put depth first.
//   nvcc -std=c++17 -arch=sm_90 -cudart shared connections.cu -o connections && ./connections > connections.csv
// Then, for streams in the order in which they were made: does the first kernel of one begin only when the second kernel of the other, put before, has?
// Columns: what (depth, breadth: streams, 0; shares: the stream put first, the one put behind), elapsed_us (median of five), or 1 where they share.
#include <algorithm>
#include <cstdio>
#include <vector>

__global__ void spin(float* out, int rounds) {
    float value = static_cast<float>(threadIdx.x);
    for (int i = 0; i < rounds; ++i) value = value * 1.0001f + 0.5f;
    if (value < 0) out[0] = value;
}

int main() {
    constexpr int most = 34, rounds = 20000;
    float* out;
    cudaMalloc(&out, 256);
    cudaStream_t base, streams[most];
    cudaStreamCreateWithFlags(&base, cudaStreamNonBlocking);
    for (auto& stream : streams) cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaEvent_t begin, end, fork, joins[most];
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    cudaEventCreateWithFlags(&fork, cudaEventDisableTiming);
    for (auto& join : joins) cudaEventCreateWithFlags(&join, cudaEventDisableTiming);
    const auto elapsed = [&](const std::vector<int>& in, bool depth) {
        std::vector<float> times;
        for (int repetition = -1; repetition < 5; ++repetition) {
            cudaDeviceSynchronize();
            spin<<<1, 32, 0, base>>>(out, 10 * rounds);
            cudaEventRecord(begin, base);
            cudaEventRecord(fork, base);
            for (const int i : in) cudaStreamWaitEvent(streams[i], fork);
            for (int k = 0; k < (depth ? 1 : 2); ++k)
                for (const int i : in)
                    for (int j = 0; j < (depth ? 2 : 1); ++j) spin<<<1, 32, 0, streams[i]>>>(out, rounds);
            for (const int i : in) cudaEventRecord(joins[i], streams[i]);
            for (const int i : in) cudaStreamWaitEvent(base, joins[i]);
            cudaEventRecord(end, base);
            cudaDeviceSynchronize();
            float ms = 0;
            cudaEventElapsedTime(&ms, begin, end);
            if (repetition >= 0) times.push_back(ms * 1000);
        }
        std::sort(times.begin(), times.end());
        return times[2];
    };
    std::printf("what,first,second,value\n");
    for (const bool depth : {true, false})
        for (int count = 1; count <= most; ++count) {
            std::vector<int> in;
            for (int i = 0; i < count; ++i) in.push_back(i);
            std::printf("%s,%d,0,%.1f\n", depth ? "depth" : "breadth", count, elapsed(in, depth));
        }
    const float alone = elapsed({0}, true);
    for (int a = 0; a < most; ++a)
        for (int b = 0; b < most; ++b)
            if (a != b && elapsed({a, b}, true) > 1.3f * alone) std::printf("shares,%d,%d,1\n", a, b);
    return 0;
}
