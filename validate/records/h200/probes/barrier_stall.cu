// What a barrier's stall count does: 64 barriers in a row, then 64 with a multiply-add behind each. The program changes nothing in the machine code but the count (bits 105 to 108).
// nvcc -O3 -arch=sm_90 -cubin -o barrier_stall.cubin barrier_stall.cu && nvcc -O3 -arch=sm_90 -DPROGRAM -o barrier_stall barrier_stall.cu -lcuda && ./barrier_stall barrier_stall.cubin
extern "C" __global__ void barriers(unsigned* out) {
    __syncthreads();
    const unsigned begin = static_cast<unsigned>(clock());
#pragma unroll
    for (int i = 0; i < 64; ++i) asm volatile("bar.sync 0;" ::: "memory");
    const unsigned end = static_cast<unsigned>(clock());
    out[threadIdx.x] = end - begin;
}
extern "C" __global__ void barriers_imad(unsigned* out, unsigned a, unsigned b) {
    __syncthreads();
    unsigned x = threadIdx.x;
    const unsigned begin = static_cast<unsigned>(clock());
#pragma unroll
    for (int i = 0; i < 64; ++i) {
        asm volatile("mad.lo.u32 %0, %0, %1, %2;" : "+r"(x) : "r"(a), "r"(b));
        asm volatile("bar.sync 0;" ::: "memory");
    }
    const unsigned end = static_cast<unsigned>(clock());
    out[threadIdx.x] = end - begin + (x == 12345);
}
// The loop of workloads/micro/micro_spt.cu, barriers: nvcc keeps the factor in a uniform register here.
extern "C" __global__ void barriers_loop(unsigned* out, unsigned factor, unsigned addend, unsigned count) {
    unsigned x = threadIdx.x;
    __syncthreads();
    const unsigned begin = static_cast<unsigned>(clock());
#pragma unroll 1
    for (; count >= 20; count -= 20)
#pragma unroll
        for (unsigned i = 0; i < 20; ++i) {
            asm volatile("mad.lo.u32 %0, %0, %1, %2;" : "+r"(x) : "r"(factor), "r"(addend));
            __syncthreads();
        }
    const unsigned end = static_cast<unsigned>(clock());
    out[threadIdx.x] = end - begin + (x == 12345);
}

#ifdef PROGRAM
#include <cuda.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <vector>
#define CHECK(x) do { CUresult e = (x); if (e != CUDA_SUCCESS) { std::printf("%s: %d\n", #x, int(e)); std::exit(1); } } while (0)

int main(int, char** argv) {
    std::ifstream file(argv[1], std::ios::binary);
    const std::vector<char> cubin((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    CHECK(cuInit(0));
    CUdevice device; CHECK(cuDeviceGet(&device, 0));
    CUcontext context; CHECK(cuDevicePrimaryCtxRetain(&context, device)); CHECK(cuCtxSetCurrent(context));
    CUdeviceptr out; CHECK(cuMemAlloc(&out, 4096));
    std::printf("kernel,stall,stall of the multiply-add,warps,cycles of a barrier\n");
    for (const char* name : {"barriers", "barriers_imad", "barriers_loop"})
        for (unsigned long long behind : {0ull, 4ull, 7ull})  // the multiply-add's own stall count; 0: as compiled
        for (unsigned long long stall : {0ull, 1ull, 2ull, 4ull, 5ull, 8ull, 11ull, 13ull, 15ull}) {
            std::vector<char> code = cubin;
            for (std::size_t at = 0; at + 16 <= code.size(); at += 16) {
                unsigned long long low, high;
                std::memcpy(&low, code.data() + at, 8); std::memcpy(&high, code.data() + at + 8, 8);
                if (((low & 0xffff) == 0x7224 || (low & 0xffff) == 0x7c24) && ((high >> 41 & 15) == 4 || (high >> 41 & 15) == 7) && behind != 0) {
                    high = (high & ~(15ull << 41)) | behind << 41;
                    std::memcpy(code.data() + at + 8, &high, 8);
                }
                if (low != 0x0000000000007b1dull || (high & 0xffffff) != 0x010000 || stall == 0) continue;
                high = (high & ~(15ull << 41)) | stall << 41;
                std::memcpy(code.data() + at + 8, &high, 8);
            }
            CUmodule module; CHECK(cuModuleLoadData(&module, code.data()));
            CUfunction function; CHECK(cuModuleGetFunction(&function, module, name));
            for (unsigned warps : {1u, 4u, 8u}) {
                unsigned a = 3, b = 5, count = 640;
                void* arguments[] = {&out, &a, &b, &count};
                for (int again = 0; again < 2; ++again) CHECK(cuLaunchKernel(function, 1, 1, 1, warps * 32, 1, 1, 0, nullptr, arguments, nullptr));
                std::vector<unsigned> took(warps * 32);
                CHECK(cuMemcpyDtoH(took.data(), out, took.size() * 4));
                std::printf("%s,%llu,%llu,%u,%.2f\n", name, stall, behind, warps, took[0] / (std::strcmp(name, "barriers_loop") == 0 ? 640.0 : 64.0));
            }
            CHECK(cuModuleUnload(module));
        }
}
#endif
