// Which of a sub-core's warps issues when several could. Prints the kind of work, blocks an SM, warps a block, the block's number on its SM, and for
// warps 0, 4, 8 ..., which share a sub-core, when each begins and ends that work; then how long a warp takes to hand so many operations to the XU: its count, the warps, cycles of the first and of the last warp.
//   nvcc -O3 -std=c++17 -arch=sm_90 -cudart shared -o issue_order issue_order.cu
//   ./issue_order; sassafras exec -- ./issue_order
// chain_*: each instruction waits for the one before, and nvcc gives it the yield hint; apart_*: none waits, and none has it.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>
#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { std::printf("%s: %s\n", #x, cudaGetErrorString(e)); std::exit(1); } } while (0)
enum Kind { chain_ffma, apart_ffma, chain_iadd, apart_iadd, chain_shared, chain_mufu, barrier_ffma };
template <int kind> __global__ void work(int rounds, long long* spent, float* sink) {
    __shared__ float words[1024];
    float x[8];
    int n[8];
    for (int k = 0; k < 8; ++k) { x[k] = threadIdx.x + k; n[k] = threadIdx.x * k; }
    words[threadIdx.x % 1024] = 0;
    __syncthreads();
    const long long from = clock64();
#pragma unroll 1
    for (int r = 0; r < rounds; ++r) {
#pragma unroll
        for (int k = 0; k < 32; ++k) {
            if (kind == chain_ffma || kind == barrier_ffma) asm volatile("fma.rn.f32 %0, %0, %0, %0;" : "+f"(x[0]));
            if (kind == apart_ffma) asm volatile("fma.rn.f32 %0, %0, %0, %0;" : "+f"(x[k % 8]));
            if (kind == chain_iadd) asm volatile("lop3.b32 %0, %0, %1, %2, 0x1b;" : "+r"(n[0]) : "r"(n[1]), "r"(n[2]));
            if (kind == apart_iadd) asm volatile("lop3.b32 %0, %0, %1, %2, 0x1b;" : "+r"(n[k % 6]) : "r"(n[6]), "r"(n[7]));
            if (kind == chain_mufu) asm volatile("ex2.approx.ftz.f32 %0, %0;" : "+f"(x[0]));
            if (kind == chain_shared && k % 8 == 0) x[0] = words[(threadIdx.x + int(x[0])) % 32];
        }
        if (kind == barrier_ffma) __syncthreads();
    }
    const long long to = clock64();
    unsigned sm;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    if (threadIdx.x % 32 == 0) { long long* own = spent + 3 * (blockIdx.x * blockDim.x / 32 + threadIdx.x / 32); own[0] = from; own[1] = to; own[2] = sm; }
    float sum = 0;
    for (int k = 0; k < 8; ++k) sum += x[k] + n[k];
    sink[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
template <int count, int kind> __global__ void hand_over(long long* spent, float* sink) {
    float x[16];
    for (int k = 0; k < 16; ++k) x[k] = threadIdx.x + k;
    long long times[2] = {0, 0};
    for (int pass = 0; pass < 2; ++pass) {
        __syncthreads();
        const long long from = clock64();
#pragma unroll
        for (int k = 0; k < count; ++k) {
            if (kind == 0) asm volatile("ex2.approx.ftz.f32 %0, %0;" : "+f"(x[k]));
            if (kind == 1) { double d; asm volatile("cvt.f64.f32 %0, %1;" : "=d"(d) : "f"(x[k])); x[k] = __int_as_float(__double2hiint(d)); }
            if (kind == 2) { unsigned n; asm volatile("popc.b32 %0, %1;" : "=r"(n) : "r"(__float_as_int(x[k]))); x[k] = __int_as_float(n); }
        }
        const long long to = clock64();
        times[pass] = to - from;
        for (int k = 0; k < 16; ++k) x[0] += x[k];
    }
    if (threadIdx.x % 32 == 0) spent[threadIdx.x / 32] = times[1];
    sink[threadIdx.x] = x[0];
}
long long* spent;
float* sink;
std::vector<long long> host;
/// `blocks` an SM; those of the SM that block 0 is on.
template <int kind> void order(const char* name, int sms) {
    for (int blocks : {1, 2})
        for (int warps : {8, 12, 16, 32}) {
            const int grid = blocks == 1 ? 1 : blocks * sms;
            for (int launch = 0; launch < 2; ++launch) {
                work<kind><<<grid, 32 * warps>>>(16, spent, sink);
                CHECK(cudaGetLastError());
                CHECK(cudaMemcpy(host.data(), spent, 24 * warps * grid, cudaMemcpyDeviceToHost));
            }
            long long first = host[0];
            std::vector<int> there;
            for (int b = 0; b < grid; ++b)
                if (host[3 * b * warps + 2] == host[2]) there.push_back(b);
            for (int b : there)
                for (int w = 0; w < warps; ++w) first = std::min(first, host[3 * (b * warps + w)]);
            for (int b : there) {
                std::printf("%s,%d,%d,%d", name, blocks, warps, b == there[0] ? 0 : 1);
                for (int w = 0; w < warps; w += 4) std::printf(",%lld-%lld", host[3 * (b * warps + w)] - first, host[3 * (b * warps + w) + 1] - first);
                std::printf("\n");
            }
        }
}
template <int count, int kind> void over(const char* name) {
    for (int warps : {1, 8}) {
        hand_over<count, kind><<<1, 32 * warps>>>(spent, sink);
        CHECK(cudaMemcpy(host.data(), spent, 8 * warps, cudaMemcpyDeviceToHost));
        std::printf("hand_over,%s,%d,%d,%lld,%lld\n", name, count, warps, host[0], host[warps - 1]);
    }
}
template <int kind> void overs(const char* name) { over<0, kind>(name); over<1, kind>(name); over<2, kind>(name); over<3, kind>(name); over<4, kind>(name); over<5, kind>(name); over<6, kind>(name); over<8, kind>(name); over<10, kind>(name); over<12, kind>(name); over<16, kind>(name); }
int main() {
    int sms = 0;
    CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    CHECK(cudaMalloc(&spent, 24 * 64 * sms));
    CHECK(cudaMalloc(&sink, 4 * 2048 * sms));
    host.resize(3 * 64 * sms);
    order<chain_ffma>("chain_ffma", sms); order<apart_ffma>("apart_ffma", sms); order<chain_iadd>("chain_lop3", sms); order<apart_iadd>("apart_lop3", sms); order<chain_shared>("chain_shared", sms); order<chain_mufu>("chain_mufu", sms); order<barrier_ffma>("barrier_ffma", sms);
    overs<0>("mufu"); overs<1>("f2f"); overs<2>("popc");
}
