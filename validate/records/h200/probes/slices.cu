// How evenly lines lie over slices of L2: 1,056 warps store 32 times to each line of a piece of memory of their own; the pieces are `stride` bytes
// apart. Prints the launches in order; Nsight Compute has the slices:
//   nvcc -O3 -std=c++17 -arch=sm_90 -cudart shared -o slices slices.cu
//   ncu --csv --page raw --cache-control none --metrics lts__t_requests_srcunit_tex_op_write ./slices
#include <cstdio>
#include <cstdlib>
#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { std::printf("%s: %s\n", #x, cudaGetErrorString(e)); std::exit(1); } } while (0)
__global__ void pieces(float* memory, unsigned piece_words, unsigned long long stride_words, unsigned rounds) {
    float* at = memory + (blockIdx.x * 8 + threadIdx.x / 32) * stride_words + threadIdx.x % 32;
    for (unsigned r = 0; r < rounds; ++r)
        for (unsigned k = 0; k < piece_words; k += 32) asm volatile("st.global.f32 [%0], %1;" ::"l"(at + k), "f"(1.0f) : "memory");
}
int main() {
    float* memory;
    const unsigned long long total = 9ull << 30;
    CHECK(cudaMalloc(&memory, total));
    std::printf("piece,stride\n");
    for (unsigned piece : {128u, 512u, 1536u, 2048u, 4096u})
        for (unsigned long long stride : {128ull, 512ull, 1536ull, 2048ull, 4096ull, 6144ull, 8192ull, 12288ull, 16384ull, 32768ull, 65536ull, 131072ull, 1048576ull, 2097152ull, 4194304ull}) {
            if (stride < piece || stride * 1056 > total) continue;
            std::printf("%u,%llu\n", piece, stride);
            pieces<<<132, 256>>>(memory, piece / 4, stride / 4, 32);
            CHECK(cudaDeviceSynchronize());
        }
}
