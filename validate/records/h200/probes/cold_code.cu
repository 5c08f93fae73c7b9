// When does code that a GPU has not had yet arrive, and constants: a clock every two lines of straight-line code, behind every
// jump over code that never runs, behind every line of constants.
//
//   nvcc -O3 -std=c++17 -arch=sm_90 -cudart shared -o cold_code cold_code.cu && ./cold_code > cold_code.csv
//   ncu --cache-control all --clock-control none ./cold_code 1    each launch with cold caches
//
// A row: what, blocks, warps a block, launch (0: the first, 1: right behind it), pass over the code, then cycles from one clock to the next, the mean of
// all warps. With an argument each is launched once, as for Nsight Compute.
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int samples = 96;
constexpr int most_warps = 132 * 16;

__device__ __forceinline__ unsigned clock_now() {
    unsigned now;
    asm volatile("mov.u32 %0, %%clock;" : "=r"(now));
    return now;
}

__device__ __forceinline__ void store(unsigned* out, const unsigned (&t)[samples], int pass) {
    if (threadIdx.x % 32 == 0) {
        const int warp = static_cast<int>(blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32);
#pragma unroll
        for (int k = 0; k < samples; ++k) out[(pass * most_warps + warp) * samples + k] = t[k];
    }
}

/// A clock and 15 FFMAs, so often.
extern "C" __global__ void __launch_bounds__(512) straight(unsigned* out, float* sink, int passes, unsigned seed) {
    float x[8];
#pragma unroll
    for (int j = 0; j < 8; ++j) x[j] = static_cast<float>(seed + j);
#pragma unroll 1
    for (int pass = 0; pass < passes; ++pass) {
        unsigned t[samples];
#pragma unroll
        for (int k = 0; k < samples; ++k) {
            t[k] = clock_now();
#pragma unroll
            for (int j = 0; j < 15; ++j) asm volatile("fma.rn.f32 %0, %0, %0, %0;" : "+f"(x[j % 8]));
        }
        store(out, t, pass);
    }
    for (int j = 0; j < 8; ++j) sink[threadIdx.x] += x[j];
}

/// Jumps over `over` FFMAs.
template <int over>
__device__ __forceinline__ void jumps(unsigned* out, float* sink, int passes, unsigned seed) {
    float x = static_cast<float>(seed);
#pragma unroll 1
    for (int pass = 0; pass < passes; ++pass) {
        unsigned t[samples];
#pragma unroll
        for (int k = 0; k < samples; ++k) {
            if (k >= 40) { t[k] = 0; continue; }
            t[k] = clock_now();
            if (seed == 1000U + static_cast<unsigned>(k)) {
#pragma unroll
                for (int j = 0; j < over; ++j) asm volatile("fma.rn.f32 %0, %0, %0, %0;" : "+f"(x));
            }
            asm volatile("add.rn.f32 %0, %0, %0;" : "+f"(x));
        }
        store(out, t, pass);
    }
    sink[threadIdx.x] = x;
}
extern "C" {
__global__ void __launch_bounds__(512) jumps_24(unsigned* out, float* sink, int passes, unsigned seed) { jumps<24>(out, sink, passes, seed); }
__global__ void __launch_bounds__(512) jumps_120(unsigned* out, float* sink, int passes, unsigned seed) { jumps<120>(out, sink, passes, seed); }
__global__ void __launch_bounds__(512) jumps_500(unsigned* out, float* sink, int passes, unsigned seed) { jumps<500>(out, sink, passes, seed); }
}

__constant__ float numbers[4096];

/// Constants of the bank of the program: an addition of one of each line of 64 bytes.
template <int stride>
__device__ __forceinline__ void constants(unsigned* out, float* sink, unsigned seed) {
    float x = static_cast<float>(seed);
    unsigned t[samples];
#pragma unroll
    for (int k = 0; k < samples; ++k) {
        if (k >= 40) { t[k] = 0; continue; }
        t[k] = clock_now();
        asm volatile("add.rn.f32 %0, %0, %1;" : "+f"(x) : "f"(numbers[64 + stride * k]));
    }
    store(out, t, 0);
    sink[threadIdx.x] = x;
}
extern "C" {
__global__ void __launch_bounds__(512) constants_4(unsigned* out, float* sink, int, unsigned seed) { constants<1>(out, sink, seed); }
__global__ void __launch_bounds__(512) constants_64(unsigned* out, float* sink, int, unsigned seed) { constants<16>(out, sink, seed); }
__global__ void __launch_bounds__(512) constants_256(unsigned* out, float* sink, int, unsigned seed) { constants<64>(out, sink, seed); }
}

struct Many { float of[960]; };

/// Constants among the arguments.
extern "C" __global__ void __launch_bounds__(512) arguments_64(unsigned* out, float* sink, int, unsigned seed, const __grid_constant__ Many many) {
    float x = static_cast<float>(seed);
    unsigned t[samples];
#pragma unroll
    for (int k = 0; k < samples; ++k) {
        if (k >= 40) { t[k] = 0; continue; }
        t[k] = clock_now();
        asm volatile("add.rn.f32 %0, %0, %1;" : "+f"(x) : "f"(many.of[16 * k]));
    }
    store(out, t, 0);
    sink[threadIdx.x] = x;
}

/// The same by LDC, whose place is computed.
extern "C" __global__ void __launch_bounds__(512) ldc_64(unsigned* out, float* sink, int, unsigned seed) {
    float x = 0;
    unsigned at = seed;
    unsigned t[samples];
#pragma unroll
    for (int k = 0; k < samples; ++k) {
        if (k >= 40) { t[k] = 0; continue; }
        t[k] = clock_now();
        x += numbers[64 + 16 * k + at];
        at += __float_as_uint(x) & 0x80000000U;  // waits for it; the sum is never negative
    }
    store(out, t, 0);
    sink[threadIdx.x] = x;
}

int main(int argc, char** argv) {
    const bool cold = argc > 1;  // one launch of each
    unsigned* out;
    float* sink;
    const std::size_t words = std::size_t{3} * most_warps * samples;
    cudaMalloc(&out, words * 4);
    cudaMalloc(&sink, 4096);
    std::vector<unsigned> host(words);
    const Many many{};
    const char* names[] = {"straight", "jumps_24", "jumps_120", "jumps_500", "constants_4", "constants_64", "constants_256", "ldc_64", "arguments_64"};
    void (*kernels[])(unsigned*, float*, int, unsigned) = {straight, jumps_24, jumps_120, jumps_500, constants_4, constants_64, constants_256, ldc_64};
    const int shapes[][2] = {{1, 1}, {1, 4}, {1, 8}, {2, 1}, {132, 1}, {132, 4}, {132, 8}, {132, 16}, {66, 8}, {16, 8}};
    for (int name = 0; name < 9; ++name) {
        const int passes = name < 4 ? 3 : 1;
        for (const auto& shape : shapes) {
            for (int launch = 0; launch < (cold ? 1 : 2); ++launch) {
                if (launch == 0) cudaMemset(out, 0, words * 4);
                cudaDeviceSynchronize();
                if (name < 8)
                    kernels[name]<<<shape[0], 32 * shape[1]>>>(out, sink, passes, 0);
                else
                    arguments_64<<<shape[0], 32 * shape[1]>>>(out, sink, passes, 0, many);
                cudaMemcpy(host.data(), out, words * 4, cudaMemcpyDeviceToHost);
                for (int pass = 0; pass < passes; ++pass) {
                    std::printf("%s,%d,%d,%d,%d", names[name], shape[0], shape[1], launch, pass);
                    const int warps = shape[0] * shape[1];
                    for (int k = 1; k < (name == 0 ? samples : 40); ++k) {
                        double sum = 0;
                        for (int warp = 0; warp < warps; ++warp) {
                            const unsigned* t = &host[(std::size_t(pass) * most_warps + warp) * samples];
                            sum += t[k] - t[k - 1];
                        }
                        std::printf(",%.0f", sum / warps);
                    }
                    std::printf("\n");
                }
            }
        }
    }
    const cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess) std::printf("error,%s\n", cudaGetErrorString(error));
    return error != cudaSuccess;
}
