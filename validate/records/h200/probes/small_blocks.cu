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

#define CHECK(call)                                                                                          \
    do {                                                                                                     \
        if (const cudaError_t error = (call); error != cudaSuccess) {                                        \
            std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error));                              \
            std::exit(1);                                                                                    \
        }                                                                                                    \
    } while (false)

struct Block {
    unsigned long long begin, end;
    long long cycles;
    unsigned sm, pad;
};

__device__ unsigned long long now() {
    unsigned long long time;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
    return time;
}

__device__ void note(Block* blocks, unsigned long long begin, long long clock) {
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned sm;
        asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
        blocks[blockIdx.x] = {begin, now(), clock64() - clock, sm, 0};
    }
}

__global__ void arithmetic(Block* blocks, float* out, int rounds) {
    const unsigned long long begin = now();
    const long long clock = clock64();
    float value = static_cast<float>(threadIdx.x);
    for (int i = 0; i < rounds; ++i) value = value * 1.0001f + 0.5f;
    if (value < 0) out[0] = value;
    note(blocks, begin, clock);
}

__global__ void reading(Block* blocks, float* out, const float4* data, int vectors_a_block) {
    const unsigned long long begin = now();
    const long long clock = clock64();
    const float4* own = data + static_cast<std::size_t>(blockIdx.x) * vectors_a_block;
    float sum = 0;
    for (int i = static_cast<int>(threadIdx.x); i < vectors_a_block; i += static_cast<int>(blockDim.x)) {
        const float4 v = own[i];
        sum += v.x + v.y + v.z + v.w;
    }
    if (sum < 0) out[0] = sum;
    note(blocks, begin, clock);
}

__global__ void storing(Block* blocks, float4* data, int vectors_a_block) {
    const unsigned long long begin = now();
    const long long clock = clock64();
    float4* own = data + static_cast<std::size_t>(blockIdx.x) * vectors_a_block;
    for (int i = static_cast<int>(threadIdx.x); i < vectors_a_block; i += static_cast<int>(blockDim.x)) own[i] = float4{0, 0, 0, 0};
    note(blocks, begin, clock);
}

enum class Kind { arithmetic, reading, storing };

struct Case {
    const char* name;
    Kind kind;
    int blocks, threads, size;
    std::vector<int> streams;
    bool twice;
};

void run(const Case& c, cudaStream_t in, Block* blocks, float* out, float4* data) {
    if (c.kind == Kind::arithmetic) arithmetic<<<c.blocks, c.threads, 0, in>>>(blocks, out, c.size);
    if (c.kind == Kind::reading) reading<<<c.blocks, c.threads, 0, in>>>(blocks, out, data, c.size);
    if (c.kind == Kind::storing) storing<<<c.blocks, c.threads, 0, in>>>(blocks, data, c.size);
    CHECK(cudaGetLastError());
}

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
