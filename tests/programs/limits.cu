// Limits of the device: what is asked for, and what is granted.
#include "check.cuh"

int main() {
    struct Asked {
        cudaLimit limit;
        std::vector<std::size_t> values;
    };
    const Asked all[] = {
        {cudaLimitStackSize, {0, 1, 100, 1024, 65536, 200000, 400000, 524289, 1 << 28, std::size_t{1} << 40, ~std::size_t{0}}},
        {cudaLimitPrintfFifoSize, {0, 1024, 524288, 524289, 1 << 20, 1 << 28, std::size_t{1} << 33, std::size_t{1} << 40}},
        {cudaLimitMallocHeapSize, {0, 100, 1 << 20, (4 << 20) + 1, 1 << 28}},
        {cudaLimitMaxL2FetchGranularity, {0, 1, 64, 100, 128, 129, 1024, ~std::size_t{0}}},
    };
    for (const Asked& asked : all)
        for (const std::size_t value : asked.values) {
            const cudaError_t done = cudaDeviceSetLimit(asked.limit, value);
            std::size_t granted = 0;
            CHECK(cudaDeviceGetLimit(&granted, asked.limit));
            std::printf("limit %d, %zu: %s, %zu\n", static_cast<int>(asked.limit), value, cudaGetErrorName(done), granted);
        }
}
