// What records of events take between two events for timing of one stream: those for timing and others, behind a kernel, behind copies to and from
// pinned memory, and with a kernel or a copy before each. Medians of nine.
//   nvcc -arch=sm_90 -cudart shared untimed_events.cu -o untimed_events && ./untimed_events > untimed_events.csv
// Columns: behind, timing (1: the events are for timing), count, elapsed_us
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>
#define CHECK(call) do { if (const cudaError_t error = (call); error != cudaSuccess) { std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error)); std::exit(1);} } while (false)
__global__ void spin(float* out, int rounds) {
    float value = static_cast<float>(threadIdx.x);
    for (int i = 0; i < rounds; ++i) value = value * 1.0001f + 0.5f;
    if (value < 0) out[0] = value;
}
int main() {
    float* out; char *device, *host;
    CHECK(cudaMalloc(&out, 256)); CHECK(cudaMalloc(&device, 1 << 20)); CHECK(cudaMallocHost(&host, 1 << 20));
    cudaStream_t base; CHECK(cudaStreamCreateWithFlags(&base, cudaStreamNonBlocking));
    cudaEvent_t begin, end, each[2][16];
    CHECK(cudaEventCreate(&begin)); CHECK(cudaEventCreate(&end));
    for (auto& e : each[0]) CHECK(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
    for (auto& e : each[1]) CHECK(cudaEventCreate(&e));
    std::printf("behind,timing,count,elapsed_us\n");
    for (const char* behind : {"kernel", "to device", "to host", "kernels between", "copies between"})
        for (int timing : {0, 1})
            for (int count : {0, 1, 2, 4, 8, 16}) {
                std::vector<float> times;
                for (int r = 0; r < 10; ++r) {
                    CHECK(cudaDeviceSynchronize());
                    spin<<<1, 32, 0, base>>>(out, 200000);
                    CHECK(cudaEventRecord(begin, base));
                    if (behind[3] == 'd') CHECK(cudaMemcpyAsync(device, host, 65536, cudaMemcpyHostToDevice, base));
                    if (behind[3] == 'h') CHECK(cudaMemcpyAsync(host, device, 65536, cudaMemcpyDeviceToHost, base));
                    for (int i = 0; i < count; ++i) {
                        if (behind[0] == 'k' && behind[6] == 's') spin<<<1, 32, 0, base>>>(out, 10);
                        if (behind[0] == 'c') CHECK(cudaMemcpyAsync(device, host, 65536, cudaMemcpyHostToDevice, base));
                        CHECK(cudaEventRecord(each[timing][i], base));
                    }
                    CHECK(cudaEventRecord(end, base));
                    CHECK(cudaDeviceSynchronize());
                    float ms; CHECK(cudaEventElapsedTime(&ms, begin, end));
                    if (r) times.push_back(ms * 1000);
                }
                std::sort(times.begin(), times.end());
                std::printf("%s,%d,%d,%.3f\n", behind, timing, count, times[4]);
            }
}
