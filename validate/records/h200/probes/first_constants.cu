// What warps wait for at the start of a launch: their first instruction, their first constants, and code that follows while others of the GPC ask
// for theirs. Kernels differ in how much straight code they have, and in how fast it runs.
//
//   nvcc -O3 -std=c++17 -arch=sm_90 -cudart shared -o first_constants first_constants.cu
//   ./first_constants > first_constants.csv     kernel, lines of code, blocks, threads, then means over warps: cycles of the first constant, of
//                                               the code, of a constant in another line, the last quarter of the code; and of the slowest warps
//   ncu --cache-control all ... ./first_constants    the same, and what Nsight Compute says warps wait for
#include <algorithm>
#include <cstdio>
#include <vector>

struct Far { unsigned of[64]; };

template <int lines, bool slow> __device__ __forceinline__ void straight(float& a, float& b, float& c, float& d) {
#pragma unroll
    for (int k = 0; k < lines * 8; ++k) {
        const float by = 1.0F + static_cast<float>(k) / 4096;
        float& x = slow ? a : k % 4 == 0 ? a : k % 4 == 1 ? b : k % 4 == 2 ? c : d;
        asm volatile("fma.rn.f32 %0, %0, %1, %0;" : "+f"(x) : "f"(by));
    }
}
__device__ __forceinline__ unsigned now() {
    unsigned t;
    asm volatile("mov.u32 %0, %%clock;" : "=r"(t)::"memory");
    return t;
}

template <int lines, bool slow> __global__ void begins(unsigned first, unsigned* out, float* sink, const __grid_constant__ Far far) {
    const unsigned t0 = now();
    if (first == 0) return;  // by ULDC, as kernels have it
    const unsigned t1 = now();
    float a = 1, b = 2, c = 3, d = 4;
    straight<lines / 4 * 3, slow>(a, b, c, d);
    const unsigned t2 = now();
    straight<lines / 4, slow>(a, b, c, d);
    const unsigned t3 = now();
    if (far.of[32] == 0) return;
    const unsigned t4 = now();
    if (threadIdx.x % 32 == 0) {
        unsigned* to = out + (blockIdx.x * blockDim.x + threadIdx.x) / 32 * 4;
        to[0] = t1 - t0;
        to[1] = t2 - t1;
        to[2] = t3 - t2;
        to[3] = t4 - t3;
    }
    if (a + b + c + d == 0.125F) *sink = a;
}

unsigned* out;
float* sink;
template <int lines, bool slow> void rows(const char* name) {
    Far far{};
    far.of[32] = 1;
    const int shapes[][2] = {{1, 1}, {1, 4}, {1, 16}, {16, 4}, {35, 4}, {64, 1}, {64, 4}, {64, 8}, {132, 1}, {132, 4}, {132, 8}, {264, 4}, {528, 4}};
    for (const auto& s : shapes) {
        const unsigned warps = s[0] * s[1];
        begins<lines, slow><<<s[0], 32 * s[1]>>>(1, out, sink, far);
        std::vector<unsigned> host(warps * 4);
        if (cudaMemcpy(host.data(), out, warps * 16, cudaMemcpyDeviceToHost) != cudaSuccess) std::printf("failed\n");
        std::printf("%s,%d,%d,%d", name, lines, s[0], 32 * s[1]);
        for (int part = 0; part < 4; ++part) {
            double sum = 0;
            unsigned most = 0;
            for (unsigned w = 0; w < warps; ++w) { sum += host[4 * w + part]; most = std::max(most, host[4 * w + part]); }
            std::printf(",%.1f,%u", sum / warps, most);
        }
        std::printf("\n");
    }
}
int main() {
    cudaMalloc(&out, 1 << 20);
    cudaMalloc(&sink, 4);
    std::printf("code,lines,blocks,threads,first,first_most,code,code_most,last_code,last_code_most,second,second_most\n");
    for (int again = 0; again < 2; ++again) {
        rows<0, true>("slow");
        rows<4, true>("slow"); rows<16, true>("slow"); rows<64, true>("slow"); rows<256, true>("slow");
        rows<4, false>("fast"); rows<16, false>("fast"); rows<64, false>("fast"); rows<256, false>("fast");
    }
}
