// How much of what all SMs have stored does L2 keep? One block of 512 threads an SM stores KiB of its own, launch after launch the same.
//   nvcc -std=c++17 -arch=sm_90 -cudart shared stored_lines.cu -o stored_lines && ./stored_lines > stored_lines.csv
// Columns: kib_a_block, launch, elapsed_us between two events around the launch, behind a long kernel.
// Four launches of each size that store, then two that read what was stored; sizes one after the other, each in memory of its own.
#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                                                          \
    do {                                                                                                     \
        if (const cudaError_t error = (call); error != cudaSuccess) {                                        \
            std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error));                              \
            std::exit(1);                                                                                    \
        }                                                                                                    \
    } while (false)

__global__ void wait_long(float* out) {
    float value = static_cast<float>(threadIdx.x);
    for (int i = 0; i < 20000; ++i) value = value * 1.0001f + 0.5f;
    if (value < 0) out[0] = value;
}

__global__ void storing(float4* data, int vectors_a_block) {
    float4* own = data + static_cast<std::size_t>(blockIdx.x) * vectors_a_block;
    for (int i = static_cast<int>(threadIdx.x); i < vectors_a_block; i += static_cast<int>(blockDim.x)) own[i] = float4{0, 0, 0, 0};
}

__global__ void reading(float* out, const float4* data, int vectors_a_block) {
    const float4* own = data + static_cast<std::size_t>(blockIdx.x) * vectors_a_block;
    float sum = 0;
    for (int i = static_cast<int>(threadIdx.x); i < vectors_a_block; i += static_cast<int>(blockDim.x)) sum += own[i].x + own[i].w;
    if (sum < 0) out[0] = sum;
}

int main() {
    float* out;
    CHECK(cudaMalloc(&out, 256));
    cudaEvent_t first, last;
    CHECK(cudaEventCreate(&first));
    CHECK(cudaEventCreate(&last));
    std::printf("kib_a_block,launch,elapsed_us\n");
    for (const int kib : {128, 160, 192, 224, 256, 288, 320, 352, 384, 448, 512}) {
        float4* data;
        CHECK(cudaMalloc(&data, 132ULL * 1024 * kib));
        for (int launch = 0; launch < 6; ++launch) {
            wait_long<<<1, 32>>>(out);
            CHECK(cudaEventRecord(first));
            if (launch < 4) storing<<<132, 512>>>(data, kib * 64);
            else reading<<<132, 512>>>(out, data, kib * 64);
            CHECK(cudaGetLastError());
            CHECK(cudaEventRecord(last));
            CHECK(cudaDeviceSynchronize());
            float milliseconds = 0;
            CHECK(cudaEventElapsedTime(&milliseconds, first, last));
            std::printf("%d,%d,%.3f\n", kib, launch, milliseconds * 1000);
        }
        CHECK(cudaFree(data));
    }
    return 0;
}
