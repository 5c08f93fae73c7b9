// Of what all SMs store again and again, how much does L2 write each time? One block of 512 threads an SM stores KiB of its own, PASSES times in a launch.
//   nvcc -std=c++17 -arch=sm_90 -cudart shared stored_again.cu -o stored_again
//   ncu --cache-control none --metrics dram__bytes_write.sum --csv --page raw ./stored_again
// Without Nsight Compute: columns kib_a_block, passes, backwards (every second pass), launch, elapsed_us between two events around the launch.
#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                                                          \
    do {                                                                                                     \
        if (const cudaError_t error = (call); error != cudaSuccess) {                                        \
            std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error));                              \
            std::exit(1);                                                                                    \
        }                                                                                                    \
    } while (false)

__global__ void storing(float4* data, int vectors_a_block, int passes, int backwards) {
    float4* own = data + static_cast<std::size_t>(blockIdx.x) * vectors_a_block;
    for (int pass = 0; pass < passes; ++pass) {
        const bool back = backwards != 0 && pass % 2 == 1;
        for (int i = static_cast<int>(threadIdx.x); i < vectors_a_block; i += static_cast<int>(blockDim.x))
            own[back ? vectors_a_block - 1 - i : i] = float4{static_cast<float>(pass), 0, 0, 0};
        __syncthreads();
    }
}

int main() {
    cudaEvent_t first, last;
    CHECK(cudaEventCreate(&first));
    CHECK(cudaEventCreate(&last));
    std::printf("kib_a_block,passes,backwards,launch,elapsed_us\n");
    for (const int kib : {128, 160, 192, 208, 224, 256, 288, 320, 384, 448, 512})
        for (const int passes : {1, 2, 4, 8})
            for (int backwards = 0; backwards < 2; ++backwards) {
                if (passes == 1 && backwards != 0) continue;
                float4* data;
                CHECK(cudaMalloc(&data, 132ULL * 1024 * kib));
                for (int launch = 0; launch < 2; ++launch) {
                    CHECK(cudaEventRecord(first));
                    storing<<<132, 512>>>(data, kib * 64, passes, backwards);
                    CHECK(cudaGetLastError());
                    CHECK(cudaEventRecord(last));
                    CHECK(cudaDeviceSynchronize());
                    float milliseconds = 0;
                    CHECK(cudaEventElapsedTime(&milliseconds, first, last));
                    std::printf("%d,%d,%d,%d,%.3f\n", kib, passes, backwards, launch, milliseconds * 1000);
                }
                CHECK(cudaFree(data));
            }
    return 0;
}
