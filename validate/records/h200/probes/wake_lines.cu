// Streams that wait for an event of another one: when does each go on, by which streams of a process these are? The first of eight streams made is 0; the base records
// the event, the others of a set wait for it, launch a kernel of one warp and record an event for which the base waits.
//   nvcc -std=c++17 -arch=sm_90 -cudart shared wake_lines.cu -o wake_lines && ./wake_lines > wake_lines.csv
// Columns: base (8: the default stream), timing (of events), set (its streams), us (of each kernel), start (1: the base records an event for timing before the other one), vain (so
// many of the other streams wait meanwhile for something that takes long), repetition, begins_ns of the set's kernels from the end of the base's kernel before, join_ns: from their
// last end to the begin of the base's next kernel.
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

constexpr int count = 8;

struct Course {
    int base = 0;
    bool timing = false;
    std::vector<int> set{};
    int rounds = 1;
    bool start = false;
    int vain = 0;
};

void measure(const Course& c, int repetitions, Stamps* stamps, float* out, const cudaStream_t* streams) {
    const auto& [base, timing, set, rounds, has_start, vain] = c;
    cudaEvent_t ends[count], fork, start, late;
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreateWithFlags(&late, cudaEventDisableTiming));
    for (auto& event : ends) CHECK(cudaEventCreateWithFlags(&event, timing ? cudaEventDefault : cudaEventDisableTiming));
    CHECK(cudaEventCreateWithFlags(&fork, timing ? cudaEventDefault : cudaEventDisableTiming));
    for (int repetition = -2; repetition < repetitions; ++repetition) {
        CHECK(cudaDeviceSynchronize());
        spin<<<1, 32, 0, streams[base]>>>(stamps + count, out, 150000);  // while it runs, the host makes all launches
        if (has_start) CHECK(cudaEventRecord(start, streams[base]));
        CHECK(cudaEventRecord(fork, streams[base]));
        if (vain > 0) {
            spin<<<1, 32, 0, streams[count + 1]>>>(stamps + count + 2, out, 300000);
            CHECK(cudaEventRecord(late, streams[count + 1]));
            for (int i = 0, left = vain; i < count && left > 0; ++i) {
                if (i == base || std::find(set.begin(), set.end(), i) != set.end()) continue;
                CHECK(cudaStreamWaitEvent(streams[i], late));
                spin<<<1, 32, 0, streams[i]>>>(stamps + count + 2, out, 1);
                --left;
            }
        }
        for (const int i : set) {
            CHECK(cudaStreamWaitEvent(streams[i], fork));
            spin<<<1, 32, 0, streams[i]>>>(stamps + i, out, rounds);
            CHECK(cudaEventRecord(ends[i], streams[i]));
            CHECK(cudaStreamWaitEvent(streams[base], ends[i]));
        }
        spin<<<1, 32, 0, streams[base]>>>(stamps + count + 1, out, 1);
        CHECK(cudaDeviceSynchronize());
        Stamps found[count + 2];
        CHECK(cudaMemcpy(found, stamps, sizeof found, cudaMemcpyDeviceToHost));
        if (repetition < 0) continue;
        std::printf("%d,%d,", base, timing ? 1 : 0);
        for (const int i : set) std::printf("%d", i);
        std::printf(",%s,%d,%d,%d,", rounds > 1 ? "20" : "0", has_start ? 1 : 0, vain, repetition);
        unsigned long long end = 0;
        for (const int i : set) {
            std::printf("%s%lld", i == set.front() ? "" : " ", static_cast<long long>(found[i].begin - found[count].end));
            end = std::max(end, found[i].end);
        }
        std::printf(",%lld\n", static_cast<long long>(found[count + 1].begin - end));
    }
    for (auto& event : ends) CHECK(cudaEventDestroy(event));
    for (auto& event : {fork, start, late}) CHECK(cudaEventDestroy(event));
}

int main(int argc, char** argv) {
    const int repetitions = argc > 1 ? std::atoi(argv[1]) : 11;
    float* out;
    Stamps* stamps;
    CHECK(cudaMalloc(&out, 256));
    CHECK(cudaMalloc(&stamps, (count + 3) * sizeof(Stamps)));
    cudaStream_t streams[count + 2];
    for (int i = 0; i < count; ++i) CHECK(cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking));
    streams[count] = nullptr;
    CHECK(cudaStreamCreateWithFlags(&streams[count + 1], cudaStreamNonBlocking));
    const std::vector<std::vector<int>> sets = {{0},       {1},       {2},       {3},          {4},          {5},             {6},                {7},
                                                {0, 1},    {1, 0},    {0, 2},    {1, 3},       {2, 3},       {3, 4},          {2, 4, 6},          {1, 3, 5},
                                                {1, 2, 3}, {2, 3, 4}, {4, 5, 6}, {1, 3, 5, 7}, {0, 2, 4, 6}, {2, 3, 4, 5},    {3, 4, 5, 6},       {1, 2, 3, 4, 5},
                                                {2, 3, 4, 5, 6}, {1, 2, 3, 4, 5, 6}, {2, 3, 4, 5, 6, 7}, {1, 2, 3, 4, 5, 6, 7}, {0, 1, 2, 3, 4, 5, 6}, {0, 1, 2, 3, 4, 5, 6, 7}};
    std::printf("base,timing,set,us,start,vain,repetition,begins_ns,join_ns\n");
    const auto each = [&](bool start, int vain, int rounds) {
        for (const bool timing : {false, true})
            for (const int base : {0, 1, 3, 7, 8})
                for (const auto& set : sets)
                    if (std::find(set.begin(), set.end(), base) == set.end() && static_cast<int>(set.size()) + vain < count)
                        measure({base, timing, set, rounds, start, vain}, repetitions, stamps, out, streams);
    };
    each(false, 0, 1);
    each(true, 0, 1);
    each(false, 0, 9000);
    for (const int vain : {2, 4}) each(false, vain, 1);
    return 0;
}
