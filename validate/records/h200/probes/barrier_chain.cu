// What of the work between two barriers of a block a warp does while it waits for the others: barriers in a row with so many dependent instructions
// between. Prints CSV: cycles a barrier.
//   nvcc -O3 -std=c++17 -arch=sm_90 -cudart shared -o barrier_chain barrier_chain.cu
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>
#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { std::printf("%s: %s\n", #x, cudaGetErrorString(e)); std::exit(1); } } while (0)
enum Kind { k_ffma, k_imad, k_imad_uniform, k_lop3, load_first, load_last, store_first };
template <int kind, int count> __global__ void chain(long long* spent, float* sink, int rounds, int factor) {
    __shared__ float words[1024];
    float x = threadIdx.x, y = 0;
    int n = threadIdx.x, m = threadIdx.x + factor;
    words[threadIdx.x] = x;
    const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(words + threadIdx.x));
    __syncthreads();
    const long long begin = clock64();
#pragma unroll 1
    for (int r = 0; r < rounds; ++r) {
        {
            asm volatile("bar.sync 0;" ::: "memory");
            if (kind == load_first) asm volatile("ld.shared.f32 %0, [%1];" : "=f"(y) : "r"(at) : "memory");
            if (kind == store_first) asm volatile("st.shared.f32 [%0], %1;" ::"r"(at), "f"(y) : "memory");
#pragma unroll
            for (int k = 0; k < count; ++k) {
                if (kind == k_imad) asm volatile("mad.lo.s32 %0, %0, %1, %1;" : "+r"(n) : "r"(m));
                else if (kind == k_imad_uniform) asm volatile("mad.lo.s32 %0, %0, %1, %2;" : "+r"(n) : "r"(factor), "r"(m));
                else if (kind == k_lop3) asm volatile("lop3.b32 %0, %0, %1, %2, 0x1b;" : "+r"(n) : "r"(m), "r"(factor));
                else asm volatile("fma.rn.f32 %0, %0, %0, %0;" : "+f"(x));
            }
            if (kind == load_last) asm volatile("ld.shared.f32 %0, [%1];" : "=f"(y) : "r"(at) : "memory");
        }
        x += y;
    }
    const long long end = clock64();
    if (threadIdx.x % 32 == 0) { spent[threadIdx.x / 32 * 2] = begin; spent[threadIdx.x / 32 * 2 + 1] = end; }
    sink[threadIdx.x] = x + n;
}
long long* spent;
float* sink;
template <int kind, int count> void row(const char* name) {
    std::vector<long long> host(128);
    for (int warps : {1, 4, 8, 16, 32}) {
        for (int launch = 0; launch < 2; ++launch) chain<kind, count><<<1, 32 * warps>>>(spent, sink, 256, 3);
        CHECK(cudaMemcpy(host.data(), spent, 16 * warps, cudaMemcpyDeviceToHost));
        long long first = host[0], last = 0;
        for (int w = 0; w < warps; ++w) { first = std::min(first, host[2 * w]); last = std::max(last, host[2 * w + 1]); }
        std::printf("%s,%d,%d,%.2f\n", name, count, warps, double(last - first) / 256);
    }
}
template <int kind> void rows(const char* name) { row<kind, 0>(name); row<kind, 4>(name); row<kind, 8>(name); row<kind, 12>(name); row<kind, 16>(name); row<kind, 24>(name); }
int main() {
    CHECK(cudaMalloc(&spent, 1024));
    CHECK(cudaMalloc(&sink, 8192));
    std::printf("between,count,warps,cycles_a_barrier\n");
    rows<k_ffma>("ffma"); rows<k_imad>("imad"); rows<k_imad_uniform>("imad_uniform"); rows<k_lop3>("lop3"); rows<load_first>("load_first"); rows<load_last>("load_last"); rows<store_first>("store_first");
}
