// Where local memory lies: of each word of a warp's local memory how long a load that L1 misses and L2 hits takes, from the warp's own SM; and of lines side
// by side from every SM, to tell slices by. Writes bytes (cycles less 220) to a file.
//   nvcc -O3 -std=c++17 -arch=sm_90 -o local_map local_map.cu && ./local_map local.bin
#include <cstdio>
#include <cstdlib>
#include <vector>
#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { std::printf("%s: %s\n", #x, cudaGetErrorString(e)); std::exit(1); } } while (0)
__device__ unsigned char byte_of(unsigned took) { const int b = (int)took - 220; return b < 0 ? 0 : b > 255 ? 255 : b; }
// 132 blocks, one an SM; one warp after the other, one lane. out[sm][warp slot][word]
template <int bytes> __global__ void of_local(const unsigned* thrash, unsigned thrash_words, unsigned char* out, unsigned* slots, unsigned* sink) {
    __shared__ unsigned took[64];
    unsigned here, slot; asm volatile("mov.u32 %0, %%smid;" : "=r"(here)); asm volatile("mov.u32 %0, %%warpid;" : "=r"(slot));
    unsigned memory[bytes / 4];
    const unsigned base = static_cast<unsigned>(__cvta_generic_to_local(memory));
    const unsigned words = bytes / 4 < 64 ? bytes / 4 : 64;
    for (unsigned k = 0; k < bytes / 4; ++k) asm volatile("st.local.u32 [%0], %1;" ::"r"(base + 4 * k), "r"(0) : "memory");
    unsigned x = 0;
    const unsigned warps = blockDim.x / 32, warp = threadIdx.x / 32;
    if (threadIdx.x % 32 == 0) slots[here * 64 + warp] = slot;
    for (unsigned w = 0; w < warps; ++w) {
        for (unsigned k = threadIdx.x; k < 64; k += blockDim.x) took[k] = 1000;
        __syncthreads();
        for (unsigned pass = 0; pass < 6; ++pass) {
            for (unsigned i = threadIdx.x; i < thrash_words; i += blockDim.x) { unsigned v; asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(v) : "l"(thrash + i)); x += v; }
            __syncthreads();
            if (warp == w && threadIdx.x % 32 == 0) {
                unsigned zero = 0;
                for (unsigned k = 0; k < words; ++k) {
                    const unsigned t0 = clock();
                    unsigned v; asm volatile("ld.local.u32 %0, [%1];" : "=r"(v) : "r"(base + 4 * k + zero) : "memory");
                    zero += v;
                    const unsigned t = (unsigned)clock() - t0 + zero;
                    if (t < took[k]) took[k] = t;
                }
                x += zero;
            }
            __syncthreads();
        }
        for (unsigned k = threadIdx.x; k < words; k += blockDim.x) out[(here * 64 + w) * 64 + k] = byte_of(took[k]);
        __syncthreads();
    }
    if (x == 77) *sink = x;
}
__global__ void of_lines(const char* base, unsigned n, unsigned sm, unsigned char* out) {
    unsigned here; asm volatile("mov.u32 %0, %%smid;" : "=r"(here));
    if (here != sm || threadIdx.x != 0) return;
    unsigned long long zero = 0;
    for (unsigned i = 0; i < n; ++i) {
        const char* at = base + i * 128ull; unsigned least = 100000;
        for (unsigned t = 0; t < 5; ++t) {
            const unsigned t0 = clock();
            unsigned v; asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v) : "l"(at + zero) : "memory");
            zero += v;
            const unsigned took = (unsigned)clock() - t0 + (unsigned)zero;
            if (t && took < least) least = took;
        }
        out[i] = byte_of(least);
    }
}
template <int bytes> void local(unsigned threads, std::FILE* file) {
    unsigned *thrash, *slots, *sink; unsigned char* out; const unsigned words = 96u << 10;
    CHECK(cudaMalloc(&thrash, words * 4)); CHECK(cudaMemset(thrash, 0, words * 4)); CHECK(cudaMalloc(&out, 132 * 64 * 64)); CHECK(cudaMemset(out, 0, 132 * 64 * 64));
    CHECK(cudaMalloc(&slots, 132 * 64 * 4)); CHECK(cudaMemset(slots, 0, 132 * 64 * 4)); CHECK(cudaMalloc(&sink, 4));
    CHECK(cudaFuncSetAttribute(of_local<bytes>, cudaFuncAttributePreferredSharedMemoryCarveout, 0));
    of_local<bytes><<<132, threads, 100>>>(thrash, words, out, slots, sink);
    CHECK(cudaDeviceSynchronize());
    std::vector<unsigned char> host(132 * 64 * 64); std::vector<unsigned> s(132 * 64);
    CHECK(cudaMemcpy(host.data(), out, host.size(), cudaMemcpyDeviceToHost)); CHECK(cudaMemcpy(s.data(), slots, s.size() * 4, cudaMemcpyDeviceToHost));
    std::fwrite(host.data(), 1, host.size(), file); std::fwrite(s.data(), 4, s.size(), file);
    std::printf("local,%d,%u,slots of SM 0:", bytes, threads); for (unsigned w = 0; w < threads / 32; ++w) std::printf(" %u", s[w]); std::printf("\n"); std::fflush(stdout);
}
int main(int argc, char** argv) {
    std::FILE* file = std::fopen(argv[1], "wb");
    char* base; CHECK(cudaMalloc(&base, 64u << 20)); CHECK(cudaMemset(base, 0, 64u << 20));
    unsigned char* out; const unsigned n = 8192; CHECK(cudaMalloc(&out, n)); std::vector<unsigned char> host(n);
    of_lines<<<132, 1024>>>(base, n, 0, out); CHECK(cudaDeviceSynchronize());
    for (unsigned sm = 0; sm < 132; ++sm) {
        of_lines<<<132, 1024>>>(base, n, sm, out); CHECK(cudaDeviceSynchronize());
        CHECK(cudaMemcpy(host.data(), out, n, cudaMemcpyDeviceToHost)); std::fwrite(host.data(), 1, n, file);
    }
    local<256>(1024, file); local<256>(256, file); local<208>(256, file); local<512>(256, file); local<1024>(256, file); local<4096>(256, file);
    std::fclose(file);
}
