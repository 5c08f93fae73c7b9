// Of a fork into streams and their join: how long from the end of the kernel before to the first begin, and from the last end to the begin of the kernel
// behind, by what the kernels between read or write of more than L2 holds? The kernels of kernels_small.cu.
//   nvcc -std=c++17 -arch=sm_90 -cudart shared fork_ends.cu -o fork_ends && ./fork_ends > fork_ends.csv
// Columns: case, timing (of events), streams, repetition, lead_ns, span_ns, tail_ns, last (stream that ends last), begins_ns and ends_ns by stream (from the
// first begin).
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "small_kernels.cuh"

void measure(const Case& c, bool timing, int count, int repetitions, Block* blocks, float* out, float4* data, const cudaStream_t* streams) {
    constexpr int most = 8, most_blocks = 132;
    constexpr std::size_t each = 132 * 8192;  // vectors of a stream
    const cudaStream_t base = streams[most];
    cudaEvent_t ends[most], fork;
    for (auto& event : ends) CHECK(cudaEventCreateWithFlags(&event, timing ? cudaEventDefault : cudaEventDisableTiming));
    CHECK(cudaEventCreateWithFlags(&fork, timing ? cudaEventDefault : cudaEventDisableTiming));
    std::vector<Block> found((most + 2) * most_blocks);
    for (int repetition = -2; repetition < repetitions; ++repetition) {
        CHECK(cudaDeviceSynchronize());
        arithmetic<<<1, 32, 0, base>>>(blocks + most * most_blocks, out, 150000);
        CHECK(cudaEventRecord(fork, base));
        for (int i = 0; i < count; ++i) {
            CHECK(cudaStreamWaitEvent(streams[i], fork));
            run(c, streams[i], blocks + i * most_blocks, out, data + i * each);
            CHECK(cudaEventRecord(ends[i], streams[i]));
            CHECK(cudaStreamWaitEvent(base, ends[i]));
        }
        arithmetic<<<1, 32, 0, base>>>(blocks + (most + 1) * most_blocks, out, 1);
        CHECK(cudaDeviceSynchronize());
        CHECK(cudaMemcpy(found.data(), blocks, found.size() * sizeof(Block), cudaMemcpyDeviceToHost));
        if (repetition < 0) continue;
        unsigned long long begins[most], last[most], begin = ~0ULL, end = 0;
        int last_stream = 0;
        for (int i = 0; i < count; ++i) {
            begins[i] = ~0ULL;
            last[i] = 0;
            for (int b = 0; b < c.blocks; ++b) {
                begins[i] = std::min(begins[i], found[i * most_blocks + b].begin);
                last[i] = std::max(last[i], found[i * most_blocks + b].end);
            }
            begin = std::min(begin, begins[i]);
            if (last[i] > end) last_stream = i;
            end = std::max(end, last[i]);
        }
        std::printf("%s,%d,%d,%d,%lld,%lld,%lld,%d,", c.name, timing ? 1 : 0, count, repetition, static_cast<long long>(begin - found[most * most_blocks].end),
                    static_cast<long long>(end - begin), static_cast<long long>(found[(most + 1) * most_blocks].begin - end), last_stream);
        for (int i = 0; i < count; ++i) std::printf("%s%llu", i == 0 ? "" : " ", begins[i] - begin);
        std::printf(",");
        for (int i = 0; i < count; ++i) std::printf("%s%llu", i == 0 ? "" : " ", last[i] - begin);
        std::printf("\n");
    }
    for (auto& event : ends) CHECK(cudaEventDestroy(event));
    CHECK(cudaEventDestroy(fork));
}

int main(int argc, char** argv) {
    const int repetitions = argc > 1 ? std::atoi(argv[1]) : 7;
    const std::vector<int> all = {1, 2, 3, 4, 5, 6, 7, 8};
    const Case cases[] = {
        {"arithmetic 1x32 0.2 us", Kind::arithmetic, 1, 32, 1, all, false},
        {"arithmetic 8x256 5 us", Kind::arithmetic, 8, 256, 2000, all, false},
        {"reading 33x512 64 KiB", Kind::reading, 33, 512, 4096, all, false},
        {"reading 33x512 256 KiB", Kind::reading, 33, 512, 16384, all, false},
        {"reading 132x512 32 KiB", Kind::reading, 132, 512, 2048, all, false},
        {"reading 132x512 128 KiB", Kind::reading, 132, 512, 8192, all, false},
        {"storing 132x512 128 KiB", Kind::storing, 132, 512, 8192, all, false},
    };
    float* out;
    Block* blocks;
    float4* data;
    CHECK(cudaMalloc(&out, 256));
    CHECK(cudaMalloc(&blocks, 10 * 132 * sizeof(Block)));
    CHECK(cudaMalloc(&data, 8ULL * 132 * 8192 * sizeof(float4)));
    CHECK(cudaMemset(data, 0, 8ULL * 132 * 8192 * sizeof(float4)));
    cudaStream_t streams[9];
    for (auto& stream : streams) CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    std::printf("case,timing,streams,repetition,lead_ns,span_ns,tail_ns,last,begins_ns,ends_ns\n");
    for (const bool timing : {true, false})
        for (const Case& c : cases)
            for (const int count : c.streams) measure(c, timing, count, repetitions, blocks, out, data, streams);
    return 0;
}
