// What branches cost: a piece of code 32 times, by one warp alone, in which lanes branch by a mask; cycles a piece, second of two passes.
//
//   nvcc -O3 -std=c++17 -arch=sm_90 -cudart shared -o branches branches.cu && ./branches > branches.csv
//
// if: eight FFMAs that the lanes of the mask do, reconverging behind (BSSY, @P BRA, BSYNC). if_else: eight by these, eight others by the rest.
// plain: the eight without a branch. nested: an if within an if, the same mask. loop: a loop of four trips of four FFMAs, of which lanes outside
// the mask do one (a backward branch and a BSYNC).
#include <cstdio>

constexpr int pieces = 32;

__device__ __forceinline__ unsigned clock_now() {
    unsigned now;
    asm volatile("mov.u32 %0, %%clock;" : "=r"(now)::"memory");
    return now;
}
template <int n>
__device__ __forceinline__ void work(float& x) {
#pragma unroll
    for (int k = 0; k < n; ++k) asm volatile("fma.rn.f32 %0, %0, %0, %0;" : "+f"(x));
}

enum class Kind { plain, if_, if_else, nested, loop };

template <Kind kind>
__global__ void __launch_bounds__(128) branch(unsigned* spent, float* sink, unsigned mask, unsigned zero) {
    const bool chosen = (mask >> threadIdx.x % 32 & 1) != 0;
    float x = static_cast<float>(threadIdx.x);
    unsigned trips = chosen ? 4 : 1;
    unsigned cycles = 0;
#pragma unroll 1
    for (int pass = 0; pass < 2; ++pass) {
        const unsigned begin = clock_now();
#pragma unroll
        for (int k = 0; k < pieces; ++k) {
            if (kind == Kind::plain) work<8>(x);
            if (kind == Kind::if_) {
                if (chosen && zero != 1000U + k) work<8>(x);
            }
            if (kind == Kind::if_else) {
                if (chosen && zero != 1000U + k)
                    work<8>(x);
                else {
                    asm volatile("add.rn.f32 %0, %0, %0;" : "+f"(x));
                    work<7>(x);
                }
            }
            if (kind == Kind::nested) {
                if (chosen && zero != 1000U + k) {
                    work<4>(x);
                    if (x != static_cast<float>(k)) work<4>(x);
                    asm volatile("add.rn.f32 %0, %0, %0;" : "+f"(x));
                }
            }
            if (kind == Kind::loop) {
#pragma unroll 1
                for (unsigned trip = 0; trip < trips + (zero == 1000U + k ? 1 : 0); ++trip) work<4>(x);
            }
            asm volatile("mul.rn.f32 %0, %0, %0;" : "+f"(x));
            __syncwarp();
        }
        cycles = clock_now() - begin;
    }
    sink[threadIdx.x] = x;
    if (threadIdx.x % 32 == 0) spent[threadIdx.x / 32] = cycles;
}

int main() {
    float* sink;
    unsigned* spent;
    cudaMalloc(&sink, 4096);
    cudaMallocManaged(&spent, 64);
    void (*kernels[])(unsigned*, float*, unsigned, unsigned) = {branch<Kind::plain>, branch<Kind::if_>, branch<Kind::if_else>, branch<Kind::nested>, branch<Kind::loop>};
    const char* names[] = {"plain", "if", "if_else", "nested", "loop"};
    for (int kernel = 0; kernel < 5; ++kernel)
        for (const unsigned mask : {~0U, 0U, 0xffffU, 1U, 0x55555555U})
            for (const int warps : {1, 4}) {
                kernels[kernel]<<<1, 32 * warps>>>(spent, sink, mask, 0);
                cudaDeviceSynchronize();
                std::printf("%s,%x,%d,%.2f\n", names[kernel], mask, warps, double(spent[0]) / pieces);
            }
    const cudaError_t error = cudaDeviceSynchronize();
    if (error != cudaSuccess) std::printf("error,%s\n", cudaGetErrorString(error));
    return error != cudaSuccess;
}
