// runs: well unsynchronised status reset
// How a program may end: it says what it was asked to do, launches a kernel, and ends in that way.
#include <unistd.h>

#include <csignal>

#include "check.cuh"

__global__ void work(int* out) { out[threadIdx.x] = static_cast<int>(threadIdx.x) * 3; }
__global__ void forever(volatile int* flag) {
    while (*flag == 0) {
    }
}

/// Launches when main is over and this thread's own variables are gone.
struct Late {
    int* device = nullptr;
    ~Late() {
        if (device != nullptr) work<<<2, 64>>>(device);
    }
};
Late late;

int main(int argc, char** argv) {
    const char* how = argc > 1 ? argv[1] : "well";
    std::printf("%s\n", how);
    std::fflush(stdout);
    int* device = nullptr;
    CHECK(cudaMalloc(&device, 4096));
    CHECK(cudaMemset(device, 0, 4096));
    work<<<4, 64>>>(device);
    const auto is = [&](const char* name) { return std::strcmp(how, name) == 0; };
    if (is("unsynchronised")) return 0;
    if (is("status")) return 7;
    if (is("crash")) std::raise(SIGSEGV);
    if (is("abort")) std::abort();
    if (is("fault")) work<<<1, 64>>>(nullptr);  // and the program does not look
    if (is("forever")) forever<<<1, 1>>>(device);
    if (is("graph")) {
        cudaGraph_t graph = nullptr;
        CHECK(cudaGraphCreate(&graph, 0));
    }
    if (is("late")) late.device = device;
    if (is("closed"))
        for (int descriptor = 3; descriptor < 256; ++descriptor) close(descriptor);
    if (is("closed")) work<<<2, 64>>>(device);
    if (is("reset")) {
        CHECK(cudaDeviceReset());
        CHECK(cudaMalloc(&device, 4096));
        work<<<4, 64>>>(device);
    }
    cudaDeviceSynchronize();
}
