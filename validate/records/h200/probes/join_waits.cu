// Of a join: how long from the last end of its streams' kernels to the begin of the kernel behind, where the kernels end one long after the other, in the
// order of the waits or against it, and one of them reads more than L2 holds, before the first end or behind it?
//   nvcc -std=c++17 -arch=sm_90 -cudart shared join_waits.cu -o join_waits && ./join_waits > join_waits.csv
// Columns: timing (of events), streams, order (of ends: 0 as the waits, 1 against it), reads (0 none, 1 before the first end, 2 behind the last but one),
// repetition, lead_ns (from the end of the kernel before to the first begin), span_ns (to the last end), tail_ns (to the begin of the kernel behind),
// elapsed_us (between events for timing around all), ends_ns by stream. `./join_waits REPETITIONS` for fewer.
#include <algorithm>
#include <cstdint>
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

__device__ float chain(float value, int rounds) {
    for (int i = 0; i < rounds; ++i) value = value * 1.0001f + 0.5f;
    return value;
}

__device__ float sum_of(const float4* data, int vectors_a_block) {
    const float4* own = data + static_cast<std::size_t>(blockIdx.x) * vectors_a_block;
    float sum = 0;
    for (int i = static_cast<int>(threadIdx.x); i < vectors_a_block; i += static_cast<int>(blockDim.x)) {
        const float4 v = own[i];
        sum += v.x + v.y + v.z + v.w;
    }
    return sum;
}

/// Arithmetic, then reads, then arithmetic.
__global__ void work(Stamps* stamps, float* out, const float4* data, int before, int vectors_a_block, int behind) {
    if (threadIdx.x == 0) atomicMin(&stamps->begin, now());
    float value = chain(static_cast<float>(threadIdx.x), before);
    if (vectors_a_block > 0) value += sum_of(data, vectors_a_block);
    value = chain(value, behind);
    if (value < 0) out[0] = value;
    __syncthreads();
    if (threadIdx.x == 0) atomicMax(&stamps->end, now());
}

int main(int argc, char** argv) {
    const int repetitions = argc > 1 ? std::atoi(argv[1]) : 7;
    constexpr int most = 8, gap = 10000;                   // rounds of four cycles: 20 us
    constexpr int vectors_a_block = 96 * 1024 * 1024 / 16 / 132;  // 96 MiB in all
    float* out;
    Stamps* stamps;
    float4* data;
    CHECK(cudaMalloc(&out, 256));
    CHECK(cudaMalloc(&stamps, (most + 2) * sizeof(Stamps)));
    CHECK(cudaMalloc(&data, std::size_t{132} * vectors_a_block * sizeof(float4)));
    CHECK(cudaMemset(data, 0, std::size_t{132} * vectors_a_block * sizeof(float4)));
    cudaStream_t streams[most + 1];
    for (auto& stream : streams) CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    const cudaStream_t base = streams[most];
    cudaEvent_t first, last;
    CHECK(cudaEventCreate(&first));
    CHECK(cudaEventCreate(&last));
    std::printf("timing,streams,order,reads,repetition,lead_ns,span_ns,tail_ns,elapsed_us,ends_ns\n");
    for (const bool timing : {true, false}) {
        cudaEvent_t ends[most], fork;
        for (auto& event : ends) CHECK(cudaEventCreateWithFlags(&event, timing ? cudaEventDefault : cudaEventDisableTiming));
        CHECK(cudaEventCreateWithFlags(&fork, timing ? cudaEventDefault : cudaEventDisableTiming));
        for (int count = 1; count <= most; ++count)
            for (const int order : {0, 1})
                for (const int reads : {0, 1, 2})
                    for (int repetition = -2; repetition < repetitions; ++repetition) {
                        CHECK(cudaDeviceSynchronize());
                        Stamps found[most + 2];
                        for (Stamps& s : found) s = {~0ULL, 0};
                        CHECK(cudaMemcpy(stamps, found, sizeof found, cudaMemcpyHostToDevice));
                        work<<<1, 32, 0, base>>>(stamps + most, out, data, 150000, 0, 0);  // while it runs, the host makes all launches
                        if (!timing) CHECK(cudaEventRecord(first, base));
                        CHECK(cudaEventRecord(fork, base));
                        for (int i = 0; i < count; ++i) {
                            CHECK(cudaStreamWaitEvent(streams[i], fork));
                            const int turn = order == 0 ? i : count - 1 - i;
                            const int all = gap * (turn + 2);
                            const bool reads_here = reads != 0 && turn == count - 1;
                            const int before = !reads_here ? all : reads == 1 ? 100 : all - gap / 2;
                            work<<<reads_here ? 132 : 8, 256, 0, streams[i]>>>(stamps + i, out, data, before, reads_here ? vectors_a_block : 0,
                                                                            reads_here ? all - before : 0);
                            CHECK(cudaEventRecord(ends[i], streams[i]));
                            CHECK(cudaStreamWaitEvent(base, ends[i]));
                        }
                        CHECK(cudaEventRecord(last, base));
                        work<<<1, 32, 0, base>>>(stamps + most + 1, out, data, 1, 0, 0);
                        CHECK(cudaDeviceSynchronize());
                        float milliseconds = 0;
                        CHECK(cudaEventElapsedTime(&milliseconds, timing ? fork : first, last));
                        CHECK(cudaMemcpy(found, stamps, sizeof found, cudaMemcpyDeviceToHost));
                        if (repetition < 0) continue;
                        unsigned long long begin = ~0ULL, end = 0;
                        for (int i = 0; i < count; ++i) {
                            begin = std::min(begin, found[i].begin);
                            end = std::max(end, found[i].end);
                        }
                        std::printf("%d,%d,%d,%d,%d,%lld,%lld,%lld,%.3f,", timing ? 1 : 0, count, order, reads, repetition,
                                    static_cast<long long>(begin - found[most].end), static_cast<long long>(end - begin),
                                    static_cast<long long>(found[most + 1].begin - end), milliseconds * 1000);
                        for (int i = 0; i < count; ++i) std::printf("%s%llu", i == 0 ? "" : " ", found[i].end - begin);
                        std::printf("\n");
                    }
    }
}
