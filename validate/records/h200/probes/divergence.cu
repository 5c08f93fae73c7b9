// What divergent code costs in a loop, as in merges of a thread each: 32 trips in which lanes go one of two ways.
//
//   nvcc -O3 -std=c++17 -arch=sm_90 -cudart shared -o divergence divergence.cu && ./divergence > divergence.csv
//   sassafras exec -- ./divergence
//
// A row: kind, warps of the block, lanes that go the first way (a mask), lanes that leave the way early (a mask), cycles a trip of warp 0,
// second of two passes.
// sides: eight FFMAs a side. early: in either side lanes of the second mask leave before its last four. leave: lanes of the second mask leave the
// loop after half of its trips. load: a load that L1 has at the end of either side, used in the next trip. store: a store in either side.
// both: a store, then early lanes leave, then the load. ways: lanes go one of so many ways (the last number), each with eight FFMAs.
#include <cstdio>

constexpr int trips = 32;

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
template <int n>
__device__ __forceinline__ void other_work(float& x) {
#pragma unroll
    for (int k = 0; k < n; ++k) asm volatile("fma.rm.f32 %0, %0, %0, %0;" : "+f"(x));
}
__device__ __forceinline__ void load(float& x, const float* from) { asm volatile("ld.global.ca.f32 %0, [%1];" : "=f"(x) : "l"(from)); }
__device__ __forceinline__ void store(float x, float* to) { asm volatile("st.global.f32 [%1], %0;" ::"f"(x), "l"(to)); }

enum class Kind { sides, early, leave, load, store, both };

template <Kind kind>
__global__ void __launch_bounds__(512) diverge(unsigned* spent, float* data, unsigned first, unsigned second, unsigned zero) {
    const bool chosen = (first >> threadIdx.x % 32 & 1) != 0, early = (second >> threadIdx.x % 32 & 1) != 0;
    float x = static_cast<float>(threadIdx.x), a = x, b = x;
    float* const own = data + threadIdx.x % 32 + threadIdx.x / 32 * 512;
    unsigned cycles = 0;
#pragma unroll 1
    for (int pass = 0; pass < 2; ++pass) {
        __syncthreads();
        const unsigned begin = clock_now();
        unsigned until = trips + zero;
        if (kind == Kind::leave && early) until = trips / 2;
        unsigned trip = 0;
        do {
            const bool turn = ((trip & 1) != 0) != chosen;
            if (kind == Kind::load || kind == Kind::both) asm volatile("add.rn.f32 %0, %1, %2;" : "=f"(x) : "f"(a), "f"(b));
            if (turn) {
                work<4>(x);
                if (kind == Kind::store || kind == Kind::both) store(x, own + 64);
                if ((kind == Kind::early || kind == Kind::both) && early) goto joined;
                work<4>(x);
                if (kind == Kind::load || kind == Kind::both) load(a, own);
            } else {
                other_work<4>(x);
                if (kind == Kind::store || kind == Kind::both) store(x, own + 128);
                if ((kind == Kind::early || kind == Kind::both) && early) goto joined;
                other_work<4>(x);
                if (kind == Kind::load || kind == Kind::both) load(b, own + 32);
            }
        joined:
            asm volatile("mul.rn.f32 %0, %0, %0;" : "+f"(x));
        } while (++trip < until);
        __syncwarp();
        cycles = clock_now() - begin;
    }
    own[256] = x + a + b;
    if (threadIdx.x == 0) *spent = cycles;
}

// Ways are left by a jump to where they all meet.
#define WAY(n, op) if (way == n) { _Pragma("unroll") for (int k = 0; k < 8; ++k) asm volatile(op " %0, %0, %0, %0;" : "+f"(x)); goto joined; }
__global__ void __launch_bounds__(512) ways(unsigned* spent, float* data, unsigned, unsigned number, unsigned zero) {
    const unsigned way = threadIdx.x % 32 % number;
    float x = static_cast<float>(threadIdx.x);
    unsigned cycles = 0;
#pragma unroll 1
    for (int pass = 0; pass < 2; ++pass) {
        __syncthreads();
        const unsigned begin = clock_now();
        unsigned trip = 0;
#pragma unroll 1
        do {
            WAY(0, "fma.rn.f32") WAY(1, "fma.rm.f32") WAY(2, "fma.rp.f32") WAY(3, "fma.rz.f32")
            WAY(4, "fma.rn.ftz.f32") WAY(5, "fma.rm.ftz.f32") WAY(6, "fma.rp.ftz.f32") WAY(7, "fma.rz.ftz.f32")
        joined:
            asm volatile("mul.rn.f32 %0, %0, %0;" : "+f"(x));
        } while (++trip < trips + zero);
        __syncwarp();
        cycles = clock_now() - begin;
    }
    data[threadIdx.x] = x;
    if (threadIdx.x == 0) *spent = cycles;
}

int main() {
    unsigned* spent;
    float* data;
    cudaMallocManaged(&spent, 4);
    cudaMalloc(&data, 65536);
    cudaMemset(data, 0, 65536);
    const char* names[] = {"sides", "early", "leave", "load", "store", "both"};
    void (*kernels[])(unsigned*, float*, unsigned, unsigned, unsigned) = {diverge<Kind::sides>, diverge<Kind::early>, diverge<Kind::leave>,
                                                                          diverge<Kind::load>, diverge<Kind::store>, diverge<Kind::both>};
    for (int kind = 0; kind < 6; ++kind)
        for (const int warps : {1, 4, 8, 12, 16})
            for (const unsigned first : {0u, 0xffffu, 0x55555555u, 1u})
                for (const unsigned second : {0u, 1u, 0x10001u, 0x30001u, 0x3u, 0xffffffffu}) {
                    if (warps > 1 && (first == 0x55555555u || second > 0x30001u)) continue;
                    for (int again = 0; again < 2; ++again) kernels[kind]<<<1, 32 * warps>>>(spent, data, first, second, 0);
                    cudaDeviceSynchronize();
                    std::printf("%s,%d,%x,%x,%.2f\n", names[kind], warps, first, second, *spent / double(trips));
                }
    for (const int warps : {1, 4, 8, 16})
        for (const unsigned number : {1u, 2u, 3u, 4u, 5u, 6u, 7u, 8u}) {
            for (int again = 0; again < 2; ++again) ways<<<1, 32 * warps>>>(spent, data, 0, number, 0);
            cudaDeviceSynchronize();
            std::printf("ways,%d,0,%x,%.2f\n", warps, number, *spent / double(trips));
        }
}
