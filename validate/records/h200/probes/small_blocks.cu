// Which SM each block of small kernels in several streams runs on, and when: kernels of kernels_small.cu with a record of each block.
//   nvcc -std=c++17 -arch=sm_90 -cudart shared small_blocks.cu -o small_blocks && ./small_blocks > small_blocks.csv
// Events without timing. Columns: case, streams, repetition, stream, block, sm, begin_ns and end_ns after the first begin by %globaltimer, cycles of the
// block; `#` lines: elapsed time between two events for timing. `twice`: two launches in each stream, the second is noted.
// `./small_blocks REPETITIONS CASE`: only cases that begin with CASE.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "small_kernels.cuh"

int main(int argc, char** argv) {
    const int repetitions = argc > 1 ? std::atoi(argv[1]) : 3;
    constexpr int most = 8, most_blocks = 132;
    constexpr std::size_t each = 132 * 8192;  // vectors of a stream
    const Case cases[] = {
        {"reading 33x512 256 KiB", Kind::reading, 33, 512, 16384, {1, 2, 3, 4, 5, 6, 7, 8}, false},
        {"reading 33x512 256 KiB twice", Kind::reading, 33, 512, 16384, {1}, true},
        {"reading 33x512 64 KiB", Kind::reading, 33, 512, 4096, {1, 4, 8}, false},
        {"reading 8x512 256 KiB", Kind::reading, 8, 512, 16384, {1}, false},
        {"reading 66x512 256 KiB", Kind::reading, 66, 512, 16384, {1}, false},
        {"reading 132x512 32 KiB", Kind::reading, 132, 512, 2048, {1, 2, 4, 6, 8}, false},
        {"reading 66x512 64 KiB", Kind::reading, 66, 512, 4096, {1, 2, 4, 6}, false},
        {"reading 132x512 16 KiB", Kind::reading, 132, 512, 1024, {1, 4}, false},
        {"reading 132x512 128 KiB", Kind::reading, 132, 512, 8192, {1, 2}, false},
        {"storing 132x512 128 KiB", Kind::storing, 132, 512, 8192, {1, 2, 3, 4}, false},
        {"storing 66x512 128 KiB", Kind::storing, 66, 512, 8192, {1, 2, 4}, false},
        {"storing 132x512 64 KiB", Kind::storing, 132, 512, 4096, {1, 2, 4}, false},
        {"storing 132x512 128 KiB twice", Kind::storing, 132, 512, 8192, {1}, true},
        {"storing 33x512 64 KiB", Kind::storing, 33, 512, 4096, {1, 4, 7, 8}, false},
        {"arithmetic 66x512 3 us", Kind::arithmetic, 66, 512, 1000, {2, 5, 6, 7}, false},
        {"arithmetic 1x32 0.2 us", Kind::arithmetic, 1, 32, 1, {3, 4, 5, 8}, false},
    };
    float* out;
    Block* blocks;
    float4* data;
    CHECK(cudaMalloc(&out, 256));
    CHECK(cudaMalloc(&blocks, (most + 1) * most_blocks * sizeof(Block)));
    CHECK(cudaMalloc(&data, most * each * sizeof(float4)));
    CHECK(cudaMemset(data, 0, most * each * sizeof(float4)));
    cudaStream_t streams[most + 1];
    for (auto& stream : streams) CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    const cudaStream_t base = streams[most];
    cudaEvent_t ends[most], fork, first, last;
    for (auto& event : ends) CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    CHECK(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
    CHECK(cudaEventCreate(&first));
    CHECK(cudaEventCreate(&last));
    std::printf("case,streams,repetition,stream,block,sm,begin_ns,end_ns,cycles\n");
    std::vector<Block> found((most + 1) * most_blocks);
    for (const Case& c : cases) {
        if (argc > 2 && std::string_view(c.name).rfind(argv[2], 0) != 0) continue;
        for (const int count : c.streams)
            for (int repetition = -2; repetition < repetitions; ++repetition) {
                CHECK(cudaDeviceSynchronize());
                arithmetic<<<1, 32, 0, base>>>(blocks + most * most_blocks, out, 150000);  // while it runs, the host makes all launches
                CHECK(cudaEventRecord(first, base));
                CHECK(cudaEventRecord(fork, base));
                for (int i = 0; i < count; ++i) {
                    CHECK(cudaStreamWaitEvent(streams[i], fork));
                    for (int j = 0; j <= (c.twice ? 1 : 0); ++j) run(c, streams[i], blocks + i * most_blocks, out, data + i * each);
                    CHECK(cudaEventRecord(ends[i], streams[i]));
                    CHECK(cudaStreamWaitEvent(base, ends[i]));
                }
                CHECK(cudaEventRecord(last, base));
                CHECK(cudaDeviceSynchronize());
                float milliseconds = 0;
                CHECK(cudaEventElapsedTime(&milliseconds, first, last));
                CHECK(cudaMemcpy(found.data(), blocks, found.size() * sizeof(Block), cudaMemcpyDeviceToHost));
                if (repetition < 0) continue;
                unsigned long long begin = ~0ULL;
                for (int i = 0; i < count; ++i)
                    for (int b = 0; b < c.blocks; ++b) begin = std::min(begin, found[i * most_blocks + b].begin);
                std::printf("# %s, %d streams: %.3f us\n", c.name, count, milliseconds * 1000);
                for (int i = 0; i < count; ++i)
                    for (int b = 0; b < c.blocks; ++b) {
                        const Block& x = found[i * most_blocks + b];
                        std::printf("%s,%d,%d,%d,%d,%u,%llu,%llu,%lld\n", c.name, count, repetition, i, b, x.sm, x.begin - begin, x.end - begin, x.cycles);
                    }
            }
    }
    return 0;
}
