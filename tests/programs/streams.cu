// Streams, events, host functions: order of work, and that time passes.
#include "check.cuh"

__global__ void spin(int* out, int rounds, int value) {
    int x = value;
    for (int i = 0; i < rounds; ++i) x = x * 1664525 + 1013904223;
    if (threadIdx.x == 0) *out = x;
}

int main() {
    cudaStream_t first = nullptr;
    cudaStream_t second = nullptr;
    CHECK(cudaStreamCreate(&first));
    CHECK(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
    DeviceArray<int> results(4);
    cudaEvent_t begin = nullptr;
    cudaEvent_t middle = nullptr;
    cudaEvent_t end = nullptr;
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&middle));
    CHECK(cudaEventCreate(&end));
    spin<<<1, 32, 0, first>>>(results.data, 10, 1);  // the first launch pays for the loading of the code
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaEventRecord(begin, first));
    spin<<<1, 32, 0, first>>>(results.data, 20000, 1);
    CHECK(cudaEventRecord(middle, first));
    spin<<<1, 32, 0, first>>>(results.data + 1, 200000, 2);
    CHECK(cudaEventRecord(end, first));
    CHECK(cudaStreamWaitEvent(second, end, 0));
    spin<<<1, 32, 0, second>>>(results.data + 2, 10, 3);
    static int called = 0;
    CHECK(cudaLaunchHostFunc(second, [](void* data) { *static_cast<int*>(data) += 5; }, &called));
    CHECK(cudaStreamSynchronize(second));
    CHECK(cudaEventSynchronize(end));
    float short_time = 0;
    float long_time = 0;
    CHECK(cudaEventElapsedTime(&short_time, begin, middle));
    CHECK(cudaEventElapsedTime(&long_time, middle, end));
    // Ten times the work; on hardware a launch of its own takes some microseconds, and the clock may still be rising.
    std::printf("the longer kernel takes longer: %s\n", long_time > 3 * short_time ? "yes" : "no");
    std::printf("host function: %d\n", called);
    show("results", results.host());
    std::printf("query: %s\n", cudaGetErrorName(cudaStreamQuery(first)));
    std::printf("unrecorded event: ");
    cudaEvent_t never = nullptr;
    CHECK(cudaEventCreateWithFlags(&never, cudaEventDisableTiming));
    std::printf("%s\n", cudaGetErrorName(cudaEventElapsedTime(&short_time, begin, never)));
    CHECK(cudaEventDestroy(never));
    CHECK(cudaStreamDestroy(first));
    CHECK(cudaStreamDestroy(second));
}
