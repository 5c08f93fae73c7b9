// What the driver grants: pitches, priorities, and of each limit what it is at first, the least and the most that are granted, and by how much two
// sizes differ at least. What was asked for is not used: no memory of such a size is taken but by the driver.
//   nvcc -O3 -std=c++17 -arch=sm_90 -cudart shared -o driver_limits driver_limits.cu
//   ./driver_limits; sassafras exec -- ./driver_limits
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <vector>

using Size = std::size_t;

struct Answer {
    cudaError_t error;
    Size granted;
};
Answer ask(cudaLimit limit, Size value) {
    Answer answer{cudaDeviceSetLimit(limit, value), 0};
    cudaDeviceGetLimit(&answer.granted, limit);
    cudaGetLastError();
    return answer;
}

/// The most that is taken without an error, to `step`; `low` is.
Size most_taken(cudaLimit limit, Size low, Size high, Size step) {
    while (high - low > step) {
        const Size middle = low + (high - low) / 2 / step * step;
        (ask(limit, middle).error == cudaSuccess ? low : high) = middle;
    }
    return low;
}

int main() {
    for (const Size width : {Size{1}, Size{100}, Size{512}, Size{513}, Size{1000}, Size{5000}}) {
        void* memory = nullptr;
        Size pitch = 0;
        const cudaError_t error = cudaMallocPitch(&memory, &pitch, width, 20);
        std::printf("pitch of %zu: %s, %zu\n", width, cudaGetErrorName(error), pitch);
        cudaFree(memory);
    }
    int least = 0;
    int greatest = 0;
    cudaDeviceGetStreamPriorityRange(&least, &greatest);
    std::printf("priorities: %d to %d\n", least, greatest);

    struct Limit {
        const char* name;
        cudaLimit limit;
    };
    const Limit limits[] = {{"stack", cudaLimitStackSize},
                            {"printf", cudaLimitPrintfFifoSize},
                            {"heap", cudaLimitMallocHeapSize},
                            {"pending launches", cudaLimitDevRuntimePendingLaunchCount},
                            {"L2 fetch", cudaLimitMaxL2FetchGranularity}};
    for (const Limit& l : limits) {
        Size value = 0;
        const cudaError_t error = cudaDeviceGetLimit(&value, l.limit);
        std::printf("%s at first: %s, %zu\n", l.name, cudaGetErrorName(error), value);
    }
    for (const Limit& l : {limits[1], limits[2]}) {
        const Answer none = ask(l.limit, 0);
        const Answer more = ask(l.limit, none.granted + 1);
        std::printf("%s, least: %s, %zu; a byte more: %s, %zu\n", l.name, cudaGetErrorName(none.error), none.granted,
                    cudaGetErrorName(more.error), more.granted);
        for (int bits : {31, 32, 33, 40, 61, 62, 63}) {
            const Answer much = ask(l.limit, Size{1} << bits);
            std::printf("%s, 2^%d: %s, %zu\n", l.name, bits, cudaGetErrorName(much.error), much.granted);
        }
        const Answer all = ask(l.limit, ~Size{0});
        std::printf("%s, 2^64-1: %s, %zu\n", l.name, cudaGetErrorName(all.error), all.granted);
        ask(l.limit, 8 << 20);
    }
    for (int value : {0, 32, 64, 127, 128}) {
        const Answer answer = ask(limits[4].limit, static_cast<Size>(value));
        std::printf("L2 fetch, %d: %s, %zu\n", value, cudaGetErrorName(answer.error), answer.granted);
    }
    std::printf("L2 fetch, most: %zu\n", most_taken(limits[4].limit, 0, 1 << 20, 1));
    for (int value : {1, 15, 16, 17, 33}) {
        const Answer answer = ask(limits[0].limit, static_cast<Size>(value));
        std::printf("stack, %d: %s, %zu\n", value, cudaGetErrorName(answer.error), answer.granted);
    }
    // Memory for so much is taken when a kernel needs it, or now: either is seen by the error's name.
    for (int value : {65536, 131072, 200000, 262144, 300000, 400000, 523712, 523713, 524288}) {
        const Answer answer = ask(limits[0].limit, static_cast<Size>(value));
        std::printf("stack, %d: %s, %zu\n", value, cudaGetErrorName(answer.error), answer.granted);
        std::fflush(stdout);
    }
    std::printf("stack, most: %zu\n", most_taken(limits[0].limit, 0, 1 << 20, 16));
    return 0;
}
