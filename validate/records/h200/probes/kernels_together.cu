// Kernels of one to eight streams that begin together: when does each begin and end? For each case and number of streams three repetitions
// behind one that warms up. A kernel writes the earliest begin and the latest end of its blocks by %globaltimer.
//   nvcc -arch=sm_90 -cudart shared kernels_together.cu -o kernels_together && ./kernels_together > kernels_together.csv
// `./kernels_together CASE REPETITIONS` is one case, by its number from 0.
// Columns: case, streams, repetition, kernel (number of its stream), begin_ns and end_ns from the first begin of all, elapsed_us between events around all.
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

__device__ void stamp_begin(Stamps* stamps) {
    if (threadIdx.x == 0) atomicMin(&stamps->begin, now());
}

__device__ void stamp_end(Stamps* stamps) {
    __syncthreads();
    if (threadIdx.x == 0) atomicMax(&stamps->end, now());
}

extern __shared__ float room[];  // only taken, so that fewer blocks fit

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

struct Case {
    const char* name;
    int blocks, threads, shared_bytes;
    int rounds;           // of arithmetic, or 0
    int vectors_a_block;  // of reading
    int most_streams;
    int last_blocks;      // of the last stream's kernel, 0: as the others
};

int main(int argc, char** argv) {
    const int only = argc > 1 ? std::atoi(argv[1]) : -1;
    const int repetitions = argc > 2 ? std::atoi(argv[2]) : 3;
    const Case cases[] = {
        {"arithmetic 8x256", 8, 256, 0, 20000, 0, 8, 0},
        {"arithmetic 66x1024", 66, 1024, 0, 10000, 0, 8, 0},
        {"arithmetic 132x1024", 132, 1024, 0, 10000, 0, 5, 0},
        {"arithmetic 264x1024", 264, 1024, 0, 10000, 0, 3, 0},
        {"arithmetic 400x1024 then 8x1024", 400, 1024, 0, 10000, 0, 2, 8},
        {"arithmetic 66x128 of 100 KiB", 66, 128, 100 << 10, 20000, 0, 8, 0},
        {"reading 33x512", 33, 512, 0, 0, 16384, 8, 0},
        {"reading 132x512", 132, 512, 0, 0, 8192, 4, 0},
    };
    constexpr int most = 8;
    float* out;
    Stamps* stamps;
    float4* data;
    const std::size_t bytes_each = static_cast<std::size_t>(132) * 16384 * sizeof(float4);
    CHECK(cudaMalloc(&out, 256));
    CHECK(cudaMalloc(&stamps, (most + 1) * sizeof(Stamps)));
    CHECK(cudaMalloc(&data, most * bytes_each));
    CHECK(cudaMemset(data, 0, most * bytes_each));
    CHECK(cudaFuncSetAttribute(arithmetic, cudaFuncAttributeMaxDynamicSharedMemorySize, 100 << 10));
    std::vector<cudaStream_t> streams(most + 1);
    std::vector<cudaEvent_t> ends(most);
    for (auto& stream : streams) CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    for (auto& event : ends) CHECK(cudaEventCreate(&event));
    cudaEvent_t fork, last;
    CHECK(cudaEventCreate(&fork));
    CHECK(cudaEventCreate(&last));
    std::printf("case,streams,repetition,kernel,begin_ns,end_ns,elapsed_us\n");
    for (const Case& c : cases) {
        if (only >= 0 && &c != &cases[only]) continue;
        for (int count = 1; count <= c.most_streams; ++count)
            for (int repetition = -1; repetition < repetitions; ++repetition) {
                CHECK(cudaDeviceSynchronize());
                Stamps written[most + 1];
                for (Stamps& each : written) each = {~0ULL, 0};
                CHECK(cudaMemcpy(stamps, written, sizeof written, cudaMemcpyHostToDevice));
                const cudaStream_t base = streams[most];
                arithmetic<<<1, 32, 0, base>>>(&stamps[most], out, 100000);  // while it runs, the host makes all launches
                CHECK(cudaEventRecord(fork, base));
                for (int i = 0; i < count; ++i) {
                    CHECK(cudaStreamWaitEvent(streams[i], fork));
                    const int blocks = c.last_blocks != 0 && i == count - 1 && i > 0 ? c.last_blocks : c.blocks;
                    if (c.rounds != 0)
                        arithmetic<<<blocks, c.threads, c.shared_bytes, streams[i]>>>(&stamps[i], out, c.rounds);
                    else
                        reading<<<blocks, c.threads, c.shared_bytes, streams[i]>>>(&stamps[i], out, data + i * (bytes_each / sizeof(float4)), c.vectors_a_block);
                    CHECK(cudaGetLastError());
                    CHECK(cudaEventRecord(ends[i], streams[i]));
                    CHECK(cudaStreamWaitEvent(base, ends[i]));
                }
                CHECK(cudaEventRecord(last, base));
                CHECK(cudaDeviceSynchronize());
                float milliseconds = 0;
                CHECK(cudaEventElapsedTime(&milliseconds, fork, last));
                CHECK(cudaMemcpy(written, stamps, sizeof written, cudaMemcpyDeviceToHost));
                if (repetition < 0) continue;
                unsigned long long first = ~0ULL;
                for (int i = 0; i < count; ++i) first = std::min(first, written[i].begin);
                for (int i = 0; i < count; ++i)
                    std::printf("%s,%d,%d,%d,%llu,%llu,%.3f\n", c.name, count, repetition, i, written[i].begin - first, written[i].end - first, milliseconds * 1000);
            }
    }
    return 0;
}
