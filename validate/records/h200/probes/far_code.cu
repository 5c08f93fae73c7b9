// When does straight-line code arrive of which a kernel has more than 64 KiB: a clock every two lines.
//   nvcc -O3 -std=c++17 -arch=sm_90 -cudart shared -o far_code far_code.cu && ./far_code > far_code.csv
//   ncu --cache-control all --clock-control none ./far_code 1    each launch with cold caches
// Two rows a pass, of the first block and of the one that took longest: blocks, warps a block, launch (0: the first, 1: right behind it, 2: behind a set of 100 MB), pass, block,
// cycles from the pass's first clock to each 16th clock (32 lines); behind `fine` those between neighbouring clocks from the 480th on.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>
#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { std::printf("%s: %s\n", #x, cudaGetErrorString(e)); std::exit(1); } } while (0)
constexpr int samples = 800;
__device__ __forceinline__ unsigned clock_now() {
    unsigned now;
    asm volatile("mov.u32 %0, %%clock;" : "=r"(now));
    return now;
}
__global__ void __launch_bounds__(256) straight(unsigned* out, float* sink, unsigned seed) {
    __shared__ unsigned at[samples];
    float x[8];
#pragma unroll
    for (int j = 0; j < 8; ++j) x[j] = static_cast<float>(seed + j);
#pragma unroll 1
    for (int pass = 0; pass < 2; ++pass) {
#pragma unroll
        for (int k = 0; k < samples; ++k) {
            at[k] = clock_now();
#pragma unroll
            for (int j = 0; j < 14; ++j) asm volatile("fma.rn.f32 %0, %0, %0, %0;" : "+f"(x[j % 8]));
        }
        __syncthreads();
        for (int k = threadIdx.x; k < samples; k += blockDim.x) out[(blockIdx.x * 2 + pass) * samples + k] = at[k];
        __syncthreads();
    }
    for (int j = 0; j < 8; ++j) sink[threadIdx.x] += x[j];
}
int main(int count, char**) {
    unsigned* out; float* sink; char* big;
    CHECK(cudaMalloc(&out, 132 * 2 * samples * 4)); CHECK(cudaMalloc(&sink, 4096)); CHECK(cudaMalloc(&big, 100 << 20));
    for (int blocks : {1, 2, 16, 132}) for (int warps : {1, 4}) for (int launch = 0; launch < (count > 1 ? 1 : 3); ++launch) {
        if (launch == 2) CHECK(cudaMemset(big, launch, 100 << 20));
        straight<<<blocks, warps * 32>>>(out, sink, 1);
        std::vector<unsigned> t(blocks * 2 * samples);
        CHECK(cudaMemcpy(t.data(), out, t.size() * 4, cudaMemcpyDeviceToHost));
        for (int pass = 0; pass < 2; ++pass) {
            int longest = 0;
            const auto length = [&](int b) { const unsigned* p = &t[(b * 2 + pass) * samples]; return p[samples - 1] - p[0]; };
            for (int b = 0; b < blocks; ++b) if (length(b) > length(longest)) longest = b;
            for (int b : {0, longest}) {
                const unsigned* p = &t[(b * 2 + pass) * samples];
                std::printf("%d,%d,%d,%d,%d", blocks, warps, launch, pass, b);
                for (int k = 16; k < samples; k += 16) std::printf(",%u", p[k] - p[0]);
                std::printf(",fine");
                for (int k = 480; k < 520; ++k) std::printf(",%u", p[k] - p[k - 1]);
                std::printf("\n");
            }
        }
    }
}
