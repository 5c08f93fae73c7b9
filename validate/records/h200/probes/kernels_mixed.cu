// Two kernels of different kinds in two streams, both free to begin when a third kernel has ended: how long do they take beside each other,
// and each alone? Every pair in both orders of launch; three repetitions behind one that warms up.
//   nvcc -arch=sm_90 -cudart shared kernels_mixed.cu -o kernels_mixed && ./kernels_mixed > kernels_mixed.csv
// `./kernels_mixed REPETITIONS`, or `./kernels_mixed FIRST SECOND REPETITIONS`: one pair, by numbers from 0; SECOND -1: FIRST alone.
// The record: H200, driver 580.159.04, 1,980 MHz, 2026-11-29; the program twice, repetitions 3 to 5 the second time.
// Columns: first, second, repetition, begin and end of each kernel (ns, %globaltimer, from the first begin), elapsed_us between events around both.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

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

enum class What { ffma, dfma, mufu, integer, stream, l2, shared, chase };

extern __shared__ float room[];

template <What what>
__global__ void work(Stamps* stamps, float* out, const float4* data, int rounds) {
    if (threadIdx.x == 0) atomicMin(&stamps->begin, now());
    const int thread = static_cast<int>(threadIdx.x);
    const int all = static_cast<int>(gridDim.x * blockDim.x);
    const int global = static_cast<int>(blockIdx.x * blockDim.x) + thread;
    float value = static_cast<float>(thread);
    if constexpr (what == What::ffma)
        for (int i = 0; i < rounds; ++i) value = value * 1.0001f + 0.5f;
    if constexpr (what == What::dfma) {
        double wide = thread;
        for (int i = 0; i < rounds; ++i) wide = wide * 1.0001 + 0.5;
        value = static_cast<float>(wide);
    }
    if constexpr (what == What::mufu)
        for (int i = 0; i < rounds; ++i) value = __cosf(value);
    if constexpr (what == What::integer) {
        unsigned word = static_cast<unsigned>(thread);
        for (int i = 0; i < rounds; ++i) word = (word ^ static_cast<unsigned>(i)) & (word + 0x9e3779b9u);
        value = static_cast<float>(word);
    }
    if constexpr (what == What::stream)  // once through a part of its own
        for (int i = 0; i < rounds; ++i) {
            const float4 v = data[static_cast<std::size_t>(i) * all + global];
            value += v.x + v.y + v.z + v.w;
        }
    if constexpr (what == What::l2)  // 8 MiB again and again
        for (int i = 0; i < rounds; ++i) {
            const float4 v = __ldcg(&data[(static_cast<std::size_t>(i) * all + global * 7) % (8u << 16)]);
            value += v.x + v.y + v.z + v.w;
        }
    if constexpr (what == What::shared) {
        room[thread] = value;
        __syncthreads();
        int at = thread;
        for (int i = 0; i < rounds; ++i) at = (static_cast<int>(room[(at * 2) & 255]) + i) & 255;  // two lanes a bank
        value = static_cast<float>(at);
    }
    if constexpr (what == What::chase) {
        std::size_t at = static_cast<std::size_t>(global);
        for (int i = 0; i < rounds; ++i) at = (at * 64 + static_cast<std::size_t>(__ldcg(&data[at % (8u << 16)]).x) + 977) % (8u << 16);
        value = static_cast<float>(at);
    }
    if (value == 77.0f) out[0] = value;
    __syncthreads();
    if (threadIdx.x == 0) atomicMax(&stamps->end, now());
}

struct Kind {
    const char* name;
    void (*kernel)(Stamps*, float*, const float4*, int);
    int blocks, threads, shared_bytes, rounds;
};

int main(int argc, char** argv) {
    const Kind kinds[] = {
        {"ffma 132x1024", work<What::ffma>, 132, 1024, 0, 6000},
        {"ffma 400x1024", work<What::ffma>, 400, 1024, 0, 3000},
        {"dfma 132x256", work<What::dfma>, 132, 256, 0, 4000},
        {"mufu 264x512", work<What::mufu>, 264, 512, 0, 800},
        {"integer 66x512", work<What::integer>, 66, 512, 0, 4000},
        {"stream 1056x256", work<What::stream>, 1056, 256, 0, 40},
        {"l2 264x512", work<What::l2>, 264, 512, 0, 40},
        {"shared 132x256 of 100 KiB", work<What::shared>, 132, 256, 100 << 10, 1200},
        {"chase 8x128", work<What::chase>, 8, 128, 0, 150},
    };
    constexpr int count = sizeof kinds / sizeof kinds[0];
    const int only_first = argc > 2 ? std::atoi(argv[1]) : -1, only_second = argc > 2 ? std::atoi(argv[2]) : -1;
    const int repetitions = argc == 2 ? std::atoi(argv[1]) : argc > 3 ? std::atoi(argv[3]) : 3;
    float* out;
    Stamps* stamps;
    float4* data;
    const std::size_t bytes = static_cast<std::size_t>(256) << 20;
    CHECK(cudaMalloc(&out, 256));
    CHECK(cudaMalloc(&stamps, 3 * sizeof(Stamps)));
    CHECK(cudaMalloc(&data, bytes));
    CHECK(cudaMemset(data, 0, bytes));
    for (const Kind& kind : kinds) CHECK(cudaFuncSetAttribute(kind.kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 100 << 10));
    cudaStream_t base, streams[2];
    cudaEvent_t fork, last, ends[2];
    CHECK(cudaStreamCreateWithFlags(&base, cudaStreamNonBlocking));
    CHECK(cudaEventCreate(&fork));
    CHECK(cudaEventCreate(&last));
    for (int i = 0; i < 2; ++i) {
        CHECK(cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking));
        CHECK(cudaEventCreate(&ends[i]));
    }
    std::printf("first,second,repetition,begin_first,end_first,begin_second,end_second,elapsed_us\n");
    for (int first = 0; first < count; ++first)
        for (int second = -1; second < count; ++second) {
            if (argc > 2 && (first != only_first || second != only_second)) continue;
            for (int repetition = -1; repetition < repetitions; ++repetition) {
                CHECK(cudaDeviceSynchronize());
                Stamps written[3];
                for (Stamps& each : written) each = {~0ULL, 0};
                CHECK(cudaMemcpy(stamps, written, sizeof written, cudaMemcpyHostToDevice));
                work<What::ffma><<<1, 32, 0, base>>>(&stamps[2], out, data, 50000);  // while it runs, the host makes all launches
                CHECK(cudaEventRecord(fork, base));
                for (int i = 0; i < (second < 0 ? 1 : 2); ++i) {
                    const Kind& kind = kinds[i == 0 ? first : second];
                    CHECK(cudaStreamWaitEvent(streams[i], fork));
                    kind.kernel<<<kind.blocks, kind.threads, kind.shared_bytes, streams[i]>>>(&stamps[i], out, data, kind.rounds);
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
                const unsigned long long begin = second < 0 ? written[0].begin : std::min(written[0].begin, written[1].begin);
                std::printf("%s,%s,%d,%llu,%llu,", kinds[first].name, second < 0 ? "" : kinds[second].name, repetition, written[0].begin - begin, written[0].end - begin);
                if (second < 0)
                    std::printf(",,");
                else
                    std::printf("%llu,%llu,", written[1].begin - begin, written[1].end - begin);
                std::printf("%.3f\n", milliseconds * 1000);
            }
        }
    return 0;
}
