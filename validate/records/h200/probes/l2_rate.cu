// How fast SMs read L2 in the long run, past L1. Prints CSV: bytes a cycle of each SM that reads (mean over them), of `sms` SMs with a block of
// 1,024 threads each, 16 bytes a lane, four loads of a warp under way at least.
//   own      each reads `kib` KiB of its own again and again, `stride` KiB from the next SM's
//   shared   all read the same `kib` KiB again and again, each from a place of its own on
// `who`: spread (every so manyth SM), near (neighbours by %smid). After a pass that brings everything and a barrier of the grid.
//   nvcc -O3 -std=c++17 -arch=sm_90 -cudart shared -o l2_rate l2_rate.cu
//   ./l2_rate; sassafras exec -- ./l2_rate quick
#include <cstdio>
#include <cstdlib>
#include <vector>
#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { std::printf("%s: %s\n", #x, cudaGetErrorString(e)); std::exit(1); } } while (0)
constexpr int most_sms = 132;
struct Plan { int sms, near; unsigned vectors, stride, shared, rounds; };
__device__ unsigned arrived;
__global__ void __launch_bounds__(1024) reads(const float4* memory, Plan plan, long long* spent, float* sink) {
    unsigned sm;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    const bool takes_part = plan.near ? sm < plan.sms : sm * plan.sms / most_sms != (sm + 1) * plan.sms / most_sms || plan.sms == most_sms;
    const unsigned number = plan.near ? sm : sm * plan.sms / most_sms;
    const float4* own = memory + (plan.shared ? 0 : number * plan.stride);
    unsigned at = plan.shared ? number * 997 * 1024 % plan.vectors : 0;
    float sum = 0;
    if (takes_part) for (unsigned i = threadIdx.x; i < plan.vectors; i += 1024) sum += __ldcg(own + i).x;
    __syncthreads();
    if (threadIdx.x == 0) { atomicAdd(&arrived, 1); while (atomicAdd(&arrived, 0) < gridDim.x) {} }
    __syncthreads();
    if (!takes_part) return;
    const long long from = clock64();
    for (unsigned r = 0; r < plan.rounds; ++r) {
        float4 v[4];
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            v[k] = __ldcg(own + at + threadIdx.x);
            at = at + 1024 == plan.vectors ? 0 : at + 1024;
        }
#pragma unroll
        for (int k = 0; k < 4; ++k) sum += v[k].x + v[k].y + v[k].z + v[k].w;
    }
    __syncthreads();
    if (threadIdx.x == 0) spent[sm] = clock64() - from;
    if (sum == 1234) *sink = sum;
}
int main(int argc, char**) {
    const bool quick = argc > 1;
    float4* memory; long long* spent; float* sink;
    CHECK(cudaMalloc(&memory, 256 << 20));
    CHECK(cudaMemset(memory, 0, 256 << 20));
    CHECK(cudaMalloc(&spent, most_sms * 8));
    CHECK(cudaMalloc(&sink, 64));
    std::printf("kind,who,kib,stride,sms,bytes_a_cycle\n");
    std::vector<long long> host(most_sms);
    struct Case { const char* kind; unsigned kib, stride; };
    for (const Case& c : {Case{"own", 16, 16}, {"own", 16, 256}, {"own", 64, 64}, {"own", 64, 256}, {"shared", 4096, 0}, {"shared", 16384, 0}})
        for (int near : {0, 1})
            for (int sms : {1, 2, 4, 8, 16, 33, 66, 100, 132}) {
                if (sms == 132 && near) continue;
                if (quick && sms != 1 && sms != 16 && sms != 132) continue;
                const Plan plan{sms, near, c.kib * 64, c.stride * 64, c.kind[0] == 's', quick ? 32u : 256u};
                double best = 0;
                for (int launch = 0; launch < (quick ? 1 : 3); ++launch) {
                    CHECK(cudaMemset(spent, 0, most_sms * 8));
                    const unsigned zero = 0;
                    CHECK(cudaMemcpyToSymbol(arrived, &zero, 4));
                    reads<<<most_sms, 1024, 100 << 10 >> 2>>>(memory, plan, spent, sink);
                    CHECK(cudaMemcpy(host.data(), spent, most_sms * 8, cudaMemcpyDeviceToHost));
                    double sum = 0; int count = 0;
                    for (long long s : host) if (s != 0) { sum += 65536.0 * plan.rounds / double(s); ++count; }
                    if (sum / count > best) best = sum / count;
                }
                std::printf("%s,%s,%u,%u,%d,%.2f\n", c.kind, near ? "near" : "spread", c.kib, c.stride, sms, best);
                std::fflush(stdout);
            }
}
