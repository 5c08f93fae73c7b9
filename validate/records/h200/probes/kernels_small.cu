// Small kernels in one to eight streams: one stream forks into them by an event and joins them by theirs. How long does that take, by what the kernels
// do, and whether the events are made for timing? Medians of seven repetitions behind one that warms up. A kernel writes the earliest begin and the
// latest end of its blocks by %globaltimer.
//   nvcc -std=c++17 -arch=sm_90 -cudart shared kernels_small.cu -o kernels_small && ./kernels_small > kernels_small.csv
// Columns: case, streams (0: no fork and no join, the kernel is in the one stream), begins_ns (from the first begin to the last), span_ns (to the last
// end), elapsed_us between two events for timing around all. `./kernels_small REPETITIONS` for fewer.
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

struct Stamps {
    unsigned long long begin, end;
};

__device__ unsigned long long now() {
    unsigned long long time;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
    return time;
}

__device__ void stamp_begin(Stamps* stamps) {
    if (threadIdx.x == 0) atomicMin(&stamps->begin, now());
}

__device__ void stamp_end(Stamps* stamps) {
    __syncthreads();
    if (threadIdx.x == 0) atomicMax(&stamps->end, now());
}

__global__ void arithmetic(Stamps* stamps, float* out, int rounds) {
    stamp_begin(stamps);
    float value = static_cast<float>(threadIdx.x);
    for (int i = 0; i < rounds; ++i) value = value * 1.0001f + 0.5f;
    if (value < 0) out[0] = value;
    stamp_end(stamps);
}

__global__ void reading(Stamps* stamps, float* out, const float4* data, int vectors_a_block) {
    stamp_begin(stamps);
    const float4* own = data + static_cast<std::size_t>(blockIdx.x) * vectors_a_block;
    float sum = 0;
    for (int i = static_cast<int>(threadIdx.x); i < vectors_a_block; i += static_cast<int>(blockDim.x)) {
        const float4 v = own[i];
        sum += v.x + v.y + v.z + v.w;
    }
    if (sum < 0) out[0] = sum;
    stamp_end(stamps);
}

__global__ void storing(Stamps* stamps, float4* data, int vectors_a_block) {
    stamp_begin(stamps);
    float4* own = data + static_cast<std::size_t>(blockIdx.x) * vectors_a_block;
    for (int i = static_cast<int>(threadIdx.x); i < vectors_a_block; i += static_cast<int>(blockDim.x)) own[i] = float4{0, 0, 0, 0};
    stamp_end(stamps);
}

__global__ void sharing(Stamps* stamps, float* out, int rounds) {
    __shared__ int next[1024];
    stamp_begin(stamps);
    next[threadIdx.x] = static_cast<int>(threadIdx.x * 33 + 7) & (static_cast<int>(blockDim.x) - 1);
    __syncthreads();
    int at = static_cast<int>(threadIdx.x);
    for (int i = 0; i < rounds; ++i) at = next[at];
    if (at < 0) out[0] = 1;
    stamp_end(stamps);
}

enum class Kind { arithmetic, reading, storing, sharing };

struct Case {
    const char* name;
    Kind kind;
    int blocks, threads, size;
};

void run(const Case& c, cudaStream_t in, Stamps* stamps, float* out, float4* data) {
    if (c.kind == Kind::arithmetic) arithmetic<<<c.blocks, c.threads, 0, in>>>(stamps, out, c.size);
    if (c.kind == Kind::reading) reading<<<c.blocks, c.threads, 0, in>>>(stamps, out, data, c.size);
    if (c.kind == Kind::storing) storing<<<c.blocks, c.threads, 0, in>>>(stamps, data, c.size);
    if (c.kind == Kind::sharing) sharing<<<c.blocks, c.threads, 0, in>>>(stamps, out, c.size);
    CHECK(cudaGetLastError());
}

int main(int argc, char** argv) {
    const int repetitions = argc > 1 ? std::atoi(argv[1]) : 7;
    constexpr int most = 8;
    constexpr std::size_t each = 132 * 8192;  // vectors of a stream
    const Case cases[] = {
        {"arithmetic 1x32 0.2 us", Kind::arithmetic, 1, 32, 1},       {"arithmetic 1x32 2 us", Kind::arithmetic, 1, 32, 1000},
        {"arithmetic 8x256 5 us", Kind::arithmetic, 8, 256, 2000},    {"arithmetic 66x512 3 us", Kind::arithmetic, 66, 512, 1000},
        {"arithmetic 132x1024 5 us", Kind::arithmetic, 132, 1024, 1000}, {"arithmetic 8x256 46 us", Kind::arithmetic, 8, 256, 20000},
        {"reading 1x512 256 KiB a block", Kind::reading, 1, 512, 16384}, {"reading 8x512 64 KiB", Kind::reading, 8, 512, 4096},
        {"reading 33x512 64 KiB", Kind::reading, 33, 512, 4096},      {"reading 33x512 256 KiB", Kind::reading, 33, 512, 16384},
        {"reading 132x512 32 KiB", Kind::reading, 132, 512, 2048},    {"reading 132x512 128 KiB", Kind::reading, 132, 512, 8192},
        {"storing 33x512 64 KiB", Kind::storing, 33, 512, 4096},      {"storing 132x512 128 KiB", Kind::storing, 132, 512, 8192},
        {"sharing 16x1024 10 us", Kind::sharing, 16, 1024, 300},      {"sharing 132x1024 10 us", Kind::sharing, 132, 1024, 300},
    };
    float* out;
    Stamps* stamps;
    float4* data;
    CHECK(cudaMalloc(&out, 256));
    CHECK(cudaMalloc(&stamps, (most + 1) * sizeof(Stamps)));
    CHECK(cudaMalloc(&data, most * each * sizeof(float4)));
    CHECK(cudaMemset(data, 0, most * each * sizeof(float4)));
    cudaStream_t streams[most + 1];
    for (auto& stream : streams) CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    const cudaStream_t base = streams[most];
    cudaEvent_t first, last;
    CHECK(cudaEventCreate(&first));
    CHECK(cudaEventCreate(&last));
    std::printf("case,streams,begins_ns,span_ns,elapsed_us\n");
    for (const bool timing : {true, false}) {
        cudaEvent_t ends[most], fork;
        for (auto& event : ends) CHECK(cudaEventCreateWithFlags(&event, timing ? cudaEventDefault : cudaEventDisableTiming));
        CHECK(cudaEventCreateWithFlags(&fork, timing ? cudaEventDefault : cudaEventDisableTiming));
        for (const Case& c : cases)
            for (int count = timing ? 0 : 1; count <= most; ++count) {
                std::vector<double> begins, spans, times;
                for (int repetition = -1; repetition < repetitions; ++repetition) {
                    CHECK(cudaDeviceSynchronize());
                    Stamps written[most + 1];
                    for (Stamps& s : written) s = {~0ULL, 0};
                    CHECK(cudaMemcpy(stamps, written, sizeof written, cudaMemcpyHostToDevice));
                    arithmetic<<<1, 32, 0, base>>>(&stamps[most], out, 150000);  // while it runs, the host makes all launches
                    if (count == 0 || !timing) CHECK(cudaEventRecord(first, base));
                    if (count != 0) CHECK(cudaEventRecord(fork, base));
                    for (int i = 0; i < std::max(1, count); ++i) {
                        const cudaStream_t in = count == 0 ? base : streams[i];
                        if (count != 0) CHECK(cudaStreamWaitEvent(in, fork));
                        float4* own = data + i * each;
                        run(c, in, &stamps[i], out, own);
                        if (count == 0) continue;
                        CHECK(cudaEventRecord(ends[i], in));
                        CHECK(cudaStreamWaitEvent(base, ends[i]));
                    }
                    CHECK(cudaEventRecord(last, base));
                    CHECK(cudaDeviceSynchronize());
                    float milliseconds = 0;
                    CHECK(cudaEventElapsedTime(&milliseconds, count != 0 && timing ? fork : first, last));
                    CHECK(cudaMemcpy(written, stamps, sizeof written, cudaMemcpyDeviceToHost));
                    if (repetition < 0 && repetitions > 0) continue;
                    unsigned long long begin = ~0ULL, last_begin = 0, end = 0;
                    for (int i = 0; i < std::max(1, count); ++i) {
                        begin = std::min(begin, written[i].begin);
                        last_begin = std::max(last_begin, written[i].begin);
                        end = std::max(end, written[i].end);
                    }
                    begins.push_back(static_cast<double>(last_begin - begin));
                    spans.push_back(static_cast<double>(end - begin));
                    times.push_back(milliseconds * 1000);
                }
                const auto median = [](std::vector<double>& values) {
                    std::sort(values.begin(), values.end());
                    return values[values.size() / 2];
                };
                std::printf("%s%s,%d,%.0f,%.0f,%.3f\n", c.name, timing ? "" : " (events without timing)", count, median(begins), median(spans), median(times));
            }
    }
    return 0;
}
