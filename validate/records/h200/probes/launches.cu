// Do launches of several streams take turns? One to eight tiny, short and longer kernels in each of one to eight streams between a fork and a join, with
// events without timing and with; and one stream measured behind others (`after ...`). Medians of five repetitions behind one that warms up.
//   nvcc -std=c++17 -arch=sm_90 -cudart shared launches.cu -o launches && ./launches > launches.csv
// Columns: what, timing, streams, kernels of each, rounds and blocks of a kernel, elapsed_us between two events around all, and of the last repetition when
// each kernel begins by %globaltimer, in ns from the first kernel of any stream, stream by stream.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>
#define CHECK(call) do { if (const cudaError_t error = (call); error != cudaSuccess) { std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error)); std::exit(1);} } while (false)
struct Stamps { unsigned long long begin, end; };
__device__ unsigned long long now() { unsigned long long time; asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time)); return time; }
__global__ void spin(Stamps* stamps, float* out, int rounds) {
    if (threadIdx.x == 0) atomicMin(&stamps->begin, now());
    float value = static_cast<float>(threadIdx.x);
    for (int i = 0; i < rounds; ++i) value = value * 1.0001f + 0.5f;
    if (value < 0) out[0] = value;
    __syncthreads();
    if (threadIdx.x == 0) atomicMax(&stamps->end, now());
}
__global__ void other(float* out, int rounds) {
    float value = static_cast<float>(threadIdx.x);
    for (int i = 0; i < rounds; ++i) value = value * 1.0002f + 0.25f;
    if (value < 0) out[0] = value;
}
int main() {
    constexpr int most = 8;
    float* out; Stamps* stamps;
    CHECK(cudaMalloc(&out, 256)); CHECK(cudaMalloc(&stamps, most * 16 * sizeof(Stamps)));
    cudaStream_t streams[most + 1];
    for (auto& stream : streams) CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    const cudaStream_t base = streams[most];
    cudaEvent_t first, last; CHECK(cudaEventCreate(&first)); CHECK(cudaEventCreate(&last));
    static Stamps written[most * 16];
    std::printf("what,timing,streams,kernels,rounds,blocks,elapsed_us,begins of each kernel by stream from the first\n");
    auto go = [&](const char* what, bool timing, int count, int kernels, int rounds, int blocks, bool fork_it, bool print, cudaEvent_t* ends, cudaEvent_t fork, bool same_base) {
        std::vector<double> times;
        for (int r = -1; r < 5; ++r) {
            CHECK(cudaDeviceSynchronize());
            for (Stamps& s : written) s = {~0ULL, 0};
            CHECK(cudaMemcpy(stamps, written, sizeof written, cudaMemcpyHostToDevice));
            if (same_base) spin<<<1, 32, 0, base>>>(&stamps[127], out, 150000); else other<<<1, 32, 0, base>>>(out, 150000);
            CHECK(cudaEventRecord(first, base));
            CHECK(cudaEventRecord(fork, base));
            for (int i = 0; i < count; ++i) {
                if (fork_it) CHECK(cudaStreamWaitEvent(streams[i], fork));
                for (int k = 0; k < kernels; ++k) spin<<<blocks, 64, 0, streams[i]>>>(&stamps[i * 16 + k], out, rounds);
                CHECK(cudaEventRecord(ends[i], streams[i]));
                CHECK(cudaStreamWaitEvent(base, ends[i]));
            }
            CHECK(cudaEventRecord(last, base));
            CHECK(cudaDeviceSynchronize());
            float ms; CHECK(cudaEventElapsedTime(&ms, first, last));
            if (r >= 0) times.push_back(ms * 1000);
        }
        std::sort(times.begin(), times.end());
        if (!print) return;
        CHECK(cudaMemcpy(written, stamps, sizeof written, cudaMemcpyDeviceToHost));
        unsigned long long b = ~0ULL;
        for (int i = 0; i < count; ++i) b = std::min(b, written[i * 16].begin);
        std::printf("%s,%d,%d,%d,%d,%d,%.3f,", what, timing, count, kernels, rounds, blocks, times[2]);
        for (int i = 0; i < count; ++i) { for (int k = 0; k < kernels; ++k) std::printf("%lld ", static_cast<long long>(written[i * 16 + k].begin - b)); std::printf("| "); }
        std::printf("\n");
    };
    for (const bool timing : {false, true}) {
        cudaEvent_t ends[most], fork;
        for (auto& event : ends) CHECK(cudaEventCreateWithFlags(&event, timing ? cudaEventDefault : cudaEventDisableTiming));
        CHECK(cudaEventCreateWithFlags(&fork, timing ? cudaEventDefault : cudaEventDisableTiming));
        for (int blocks : {1, 256})
            for (int rounds : {1, 1000, 4000})
                for (int kernels : {1, 2, 3, 4, 8})
                    for (int count : {1, 2, 3, 4, 8}) go("fork", timing, count, kernels, rounds, blocks, true, true, ends, fork, true);
        // history
        for (int h : {0, 1, 2, 4, 8})
            for (int rounds : {1, 4000, 20000})
                for (bool same : {true, false}) {
                    if (h) go("h", timing, h, 2, rounds, 8, true, false, ends, fork, same);
                    char name[64]; std::snprintf(name, sizeof name, "after %d streams of two kernels, %s base", h, same ? "same" : "other");
                    go(name, timing, 1, 2, rounds, 8, true, true, ends, fork, same);
                    go(name, timing, 1, 1, rounds, 8, true, true, ends, fork, same);
                }
    }
}
