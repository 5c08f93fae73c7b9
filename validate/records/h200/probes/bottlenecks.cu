// Pairs of kernels: the first with one habit that makes it slow, the second without. What a rule says of the first, and by how much it says the second is
// faster, is compared with this. Beside the pairs of what_if.cu, which have bank conflicts, accesses apart, spills, FP64, occupancy, barriers and L2.
//   nvcc -arch=sm_90 -cudart shared bottlenecks.cu -o bottlenecks
//   ncu --csv --metrics sm__cycles_elapsed.max --cache-control all --clock-control none ./bottlenecks 5     (5: each kernel so many times)
#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                                                          \
    do {                                                                                                     \
        if (const cudaError_t error = (call); error != cudaSuccess) {                                        \
            std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error));                              \
            std::exit(1);                                                                                    \
        }                                                                                                    \
    } while (false)

// Work of eight kinds, so that a compiler cannot make one of them out of the others.
__device__ float work(int kind, float x) {
    switch (kind) {
    case 0: for (int i = 0; i < 64; ++i) x = x * 1.001f + 0.5f; break;
    case 1: for (int i = 0; i < 64; ++i) x = x * 0.999f - 0.25f; break;
    case 2: for (int i = 0; i < 64; ++i) x = fmaxf(x * 1.002f, 0.125f) ; break;
    case 3: for (int i = 0; i < 64; ++i) x = fminf(x * 1.003f, 512.f); break;
    case 4: for (int i = 0; i < 64; ++i) x = x * x + 0.1f; break;
    case 5: for (int i = 0; i < 64; ++i) x = (x + 3.f) * 0.75f; break;
    case 6: for (int i = 0; i < 64; ++i) x = fabsf(x - 7.f) * 0.5f; break;
    default: for (int i = 0; i < 64; ++i) x = x * 0.5f + 11.f; break;
    }
    return x;
}

__global__ void divergent_bad(float* out, const float* in) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = work(threadIdx.x % 8, in[i]);
}
__global__ void divergent_good(float* out, const float* in) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = work(threadIdx.x / 32 % 8, in[i]);
}

__global__ void atomics_bad(float* out, const float* in) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(out, in[i]);
}
__global__ void atomics_good(float* out, const float* in) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = in[i];
    for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(~0U, sum, step);
    __shared__ float sums[32];
    if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x >= 32) return;
    sum = threadIdx.x < blockDim.x / 32 ? sums[threadIdx.x] : 0;
    for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(~0U, sum, step);
    if (threadIdx.x == 0) atomicAdd(out, sum);
}

// The same elements by fewer and by more blocks. `rounds` of them each.
__device__ void chain(float* out, const float* in, int rounds) {
    for (int round = 0; round < rounds; ++round) {
        const int i = (round * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x;
        float x = in[i];
        for (int k = 0; k < 512; ++k) x = x * 1.0001f + 0.5f;
        out[i] = x;
    }
}
__global__ void small_grid_bad(float* out, const float* in, int rounds) { chain(out, in, rounds); }
__global__ void small_grid_good(float* out, const float* in, int rounds) { chain(out, in, rounds); }

// A block an SM, by its shared memory: one block more than there are SMs takes twice as long.
extern __shared__ float room[];
__global__ void tail_bad(float* out, const float* in, int rounds) { chain(out, in, rounds); }
__global__ void tail_good(float* out, const float* in, int rounds) { chain(out, in, rounds); }

__global__ void special_bad(float* out, const float* in) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = in[i];
    for (int k = 0; k < 128; ++k) x = __sinf(x) + 0.5f;
    out[i] = x;
}
__global__ void special_good(float* out, const float* in) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = in[i];
    for (int k = 0; k < 128; ++k) {
        const float s = x * x;  // sine of what lies between 0 and 1.5
        x = x * (1 + s * (-0.16666667f + s * (0.0083333333f + s * -0.00019841270f))) + 0.5f;
    }
    out[i] = x;
}

// Few warps: one chain of multiply-adds waits for itself, four do not.
__global__ void chains_bad(float* out, const float* in) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = in[i];
    for (int k = 0; k < 2048; ++k) x = x * 1.0001f + 0.5f;
    out[i] = x;
}
__global__ void chains_good(float* out, const float* in) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float a = in[i], b = a + 1, c = a + 2, d = a + 3;
    for (int k = 0; k < 512; ++k) {
        a = a * 1.0001f + 0.5f;
        b = b * 1.0001f + 0.5f;
        c = c * 1.0001f + 0.5f;
        d = d * 1.0001f + 0.5f;
    }
    out[i] = a + b + c + d;
}

int main(int argc, char** argv) {
    const int repetitions = argc > 1 ? std::atoi(argv[1]) : 1;
    constexpr int elements = 1 << 22;
    float *in, *out;
    CHECK(cudaMalloc(&in, elements * sizeof(float)));
    CHECK(cudaMalloc(&out, elements * sizeof(float)));
    CHECK(cudaMemset(in, 0x3e, elements * sizeof(float)));  // 0.186 each
    constexpr int whole_sm = 200 << 10;
    CHECK(cudaFuncSetAttribute(tail_bad, cudaFuncAttributeMaxDynamicSharedMemorySize, whole_sm));
    CHECK(cudaFuncSetAttribute(tail_good, cudaFuncAttributeMaxDynamicSharedMemorySize, whole_sm));
    for (int i = 0; i < repetitions; ++i) {
        divergent_bad<<<1056, 256>>>(out, in);
        divergent_good<<<1056, 256>>>(out, in);
        atomics_bad<<<264, 256>>>(out, in);
        atomics_good<<<264, 256>>>(out, in);
        small_grid_bad<<<33, 256>>>(out, in, 16);
        small_grid_good<<<132, 256>>>(out, in, 4);
        tail_bad<<<144, 256, whole_sm>>>(out, in, 11);
        tail_good<<<132, 256, whole_sm>>>(out, in, 12);
        special_bad<<<1056, 256>>>(out, in);
        special_good<<<1056, 256>>>(out, in);
        chains_bad<<<132, 128>>>(out, in);
        chains_good<<<132, 128>>>(out, in);
        CHECK(cudaDeviceSynchronize());
    }
    std::printf("each %d times\n", repetitions);
    return 0;
}
