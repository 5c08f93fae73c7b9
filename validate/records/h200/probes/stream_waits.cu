// What a stream's waits for events of other streams, and records of events, take of its time: between two events of one stream, `count` of one kind,
// after a kernel during which the host makes all of them. Of kinds "wait" the events waited for are long done; of "other" they are of kernels of other
// streams that end at the same time as this stream's own. Medians of nine.
//   nvcc -arch=sm_90 -cudart shared stream_waits.cu -o stream_waits && ./stream_waits > stream_waits.csv
// Columns: kind, count, elapsed_us
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

__global__ void spin(float* out, int rounds) {
    float value = static_cast<float>(threadIdx.x);
    for (int i = 0; i < rounds; ++i) value = value * 1.0001f + 0.5f;
    if (value < 0) out[0] = value;
}

int main() {
    constexpr int most = 16;
    float* out;
    CHECK(cudaMalloc(&out, 256));
    cudaStream_t base, others[most];
    cudaEvent_t done, begin, end, each[most];
    CHECK(cudaStreamCreateWithFlags(&base, cudaStreamNonBlocking));
    CHECK(cudaEventCreate(&done));
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
    for (int i = 0; i < most; ++i) {
        CHECK(cudaStreamCreateWithFlags(&others[i], cudaStreamNonBlocking));
        CHECK(cudaEventCreate(&each[i]));
    }
    CHECK(cudaEventRecord(done, others[0]));
    CHECK(cudaDeviceSynchronize());
    std::printf("kind,count,elapsed_us\n");
    const char* const kinds[] = {"wait", "record", "other", "kernel", "kernel of streams"};
    for (int kind = 0; kind < 5; ++kind)
        for (int count : {0, 1, 2, 3, 4, 6, 8, 12, 16}) {
            std::vector<float> times;
            for (int repetition = 0; repetition < 10; ++repetition) {
                spin<<<1, 32, 0, base>>>(out, 200000);
                CHECK(cudaEventRecord(begin, base));
                if (kind == 2 || kind == 4)
                    for (int i = 0; i < count; ++i) {
                        CHECK(cudaStreamWaitEvent(others[i], begin));
                        spin<<<1, 32, 0, others[i]>>>(out, kind == 2 ? 20000 : 10);
                        CHECK(cudaEventRecord(each[i], others[i]));
                    }
                if (kind == 2) spin<<<1, 32, 0, base>>>(out, 20000);
                for (int i = 0; i < count; ++i) {
                    if (kind == 0) CHECK(cudaStreamWaitEvent(base, done));
                    if (kind == 1) CHECK(cudaEventRecord(each[i], base));
                    if (kind == 2 || kind == 4) CHECK(cudaStreamWaitEvent(base, each[i]));
                    if (kind == 3) spin<<<1, 32, 0, base>>>(out, 10);
                }
                CHECK(cudaEventRecord(end, base));
                CHECK(cudaDeviceSynchronize());
                float milliseconds = 0;
                CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
                if (repetition > 0) times.push_back(milliseconds * 1000);
            }
            std::sort(times.begin(), times.end());
            std::printf("%s,%d,%.3f\n", kinds[kind], count, times[times.size() / 2]);
        }
    return 0;
}
