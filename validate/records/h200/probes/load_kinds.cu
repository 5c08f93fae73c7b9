// How long loads that hit L1 take, by kind: ld.global and ld.global.nc (LDG.E.CONSTANT), by where the address comes from.
//   nvcc -O3 -std=c++17 -arch=sm_90 -cudart shared -o load_kinds load_kinds.cu && ./load_kinds > load_kinds.csv
// A row: kind, memory, warps, cycles a load of warp 0, second of two passes.
//   chase  each load's address is what the one before loaded;  counted  address by a counter, of each thread its own;  uniform  address by a counter that all
//   threads share (uniform registers);  beside  as uniform, behind MUFU that is waited for first
#include <cstdio>
__device__ __forceinline__ unsigned clock_now() {
    unsigned now;
    asm volatile("mov.u32 %0, %%clock;" : "=r"(now)::"memory");
    return now;
}
template <bool constant> __device__ __forceinline__ unsigned load(const unsigned* at) {
    unsigned value;
    if (constant) asm volatile("ld.global.nc.u32 %0, [%1];" : "=r"(value) : "l"(at));
    else asm volatile("ld.global.u32 %0, [%1];" : "=r"(value) : "l"(at));
    return value;
}
constexpr int trips = 64;
template <int kind, bool constant>
__global__ void chain(unsigned* spent, const unsigned* in, unsigned zero, float y) {
    unsigned x = zero, cycles = 0;
    float f = y;
    const unsigned* own = in + (threadIdx.x & zero);
    for (int pass = 0; pass < 2; ++pass) {
        __syncthreads();
        const unsigned begin = clock_now();
#pragma unroll 1
        for (int i = 0; i < trips; ++i) {
            if (kind == 0) x = load<constant>(in + x);
            if (kind == 1) { x ^= load<constant>(own + i); asm volatile("" ::"r"(x) : "memory"); if (x == 12345) break; }
            if (kind == 2) { x ^= load<constant>(in + i); if (x == 12345) break; }
            if (kind == 3) { asm volatile("rcp.approx.ftz.f32 %0, %0;" : "+f"(f)); f += 1.0f; x ^= load<constant>(in + i); if (x == 12345) break; }
        }
        cycles = clock_now() - begin;
    }
    if (threadIdx.x == 0) spent[0] = cycles;
    if (x == 77 || f == 1234.5f) spent[1] = x;
}
int main() {
    unsigned *spent, *managed, *plain;
    cudaMallocManaged(&spent, 64);
    cudaMallocManaged(&managed, 4096);
    cudaMalloc(&plain, 4096);
    cudaMemset(managed, 0, 4096);
    cudaMemset(plain, 0, 4096);
    const auto run = [&](void (*kernel)(unsigned*, const unsigned*, unsigned, float), const char* name) {
        for (const unsigned* in : {plain, managed})
            for (unsigned warps : {1u, 4u, 8u}) {
                kernel<<<1, 32 * warps>>>(spent, in, 0, 1.5f);
                cudaDeviceSynchronize();
                std::printf("%s,%s,%u,%.2f\n", name, in == plain ? "malloc" : "managed", warps, static_cast<double>(spent[0]) / trips);
            }
    };
    run(chain<0, false>, "chase");
    run(chain<0, true>, "chase_nc");
    run(chain<1, false>, "counted");
    run(chain<1, true>, "counted_nc");
    run(chain<2, false>, "uniform");
    run(chain<2, true>, "uniform_nc");
    run(chain<3, false>, "beside");
    run(chain<3, true>, "beside_nc");
}
