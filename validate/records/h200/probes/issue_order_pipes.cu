// Which warps go on when all wait for a pipe that takes less than they could issue. Prints the kind of work, blocks an SM, warps a block, the block's number on its
// SM, the warp's in its block, and the cycle at which it has done each eighth of its work.
//   nvcc -O3 -std=c++17 -arch=sm_90 -cudart shared -o issue_order_pipes issue_order_pipes.cu
//   ./issue_order_pipes; sassafras exec -- ./issue_order_pipes
// load: lines of 128 bytes that L1 has; word: one word of L1; shared: words of shared memory; mufu: operations of the XU; load_ffma: two loads and a
// product, each behind the one before; wide_load: lines of 128 bytes, 16 of them under way at a time; global: sectors that only L2 has.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>
#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { std::printf("%s: %s\n", #x, cudaGetErrorString(e)); std::exit(1); } } while (0)
enum Kind { load, word, shared, mufu, load_ffma, wide_load, global };
constexpr int parts = 8;
struct Row { long long at[parts + 1]; unsigned sm; };
template <int kind> __global__ void work(const float* memory, Row* rows, float* sink) {
    __shared__ float words[1024];
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    words[threadIdx.x % 1024] = 0;
    const unsigned base = static_cast<unsigned>(__cvta_generic_to_shared(words));
    float sum = 0;
    for (int k = 0; k < 64; ++k) sum += memory[k * 32 + lane];
    float x[8];
    for (int k = 0; k < 8; ++k) x[k] = sum + k;
    int zero = int(sum);
    long long at[parts + 1];
    __syncthreads();
    at[0] = clock64();
#pragma unroll
    for (int p = 0; p < parts; ++p) {
#pragma unroll 1
        for (int r = 0; r < 8; ++r) {
            unsigned v[16];
            if (kind == load || kind == word || kind == shared || kind == global) {
#pragma unroll
                for (int k = 0; k < 4; ++k) {
                    if (kind == load) asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(v[k]) : "l"(memory + ((r * 4 + k) * 32 + lane + zero)));
                    if (kind == word) asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(v[k]) : "l"(memory + ((r * 4 + k) * 32 + zero)));
                    if (kind == global) asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v[k]) : "l"(memory + ((r * 4 + k) * 32 + lane + zero)));
                    if (kind == shared) asm volatile("ld.shared.u32 %0, [%1];" : "=r"(v[k]) : "r"(base + ((r * 4 + k) * 32 + (lane ^ zero)) * 4));
                }
#pragma unroll
                for (int k = 0; k < 4; ++k) zero += v[k];
            }
            if (kind == wide_load) {
#pragma unroll
                for (int k = 0; k < 16; ++k) asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(v[k]) : "l"(memory + ((r % 4 * 16 + k) * 32 + lane + zero)));
#pragma unroll
                for (int k = 0; k < 16; ++k) zero += v[k];
            }
            if (kind == mufu) {
#pragma unroll
                for (int k = 0; k < 8; ++k) asm volatile("ex2.approx.ftz.f32 %0, %0;" : "+f"(x[k]));
            }
            if (kind == load_ffma) {
#pragma unroll
                for (int k = 0; k < 4; ++k) {
                    asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(v[k]) : "l"(memory + ((r * 4 + k) * 32 + zero)));
                    asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(v[k + 4]) : "l"(memory + ((r * 4 + k) * 32 + lane + zero)));
                }
#pragma unroll
                for (int k = 0; k < 4; ++k) x[0] = x[0] * __uint_as_float(v[k]) + __uint_as_float(v[k + 4]);
            }
        }
        at[p + 1] = clock64();
    }
    unsigned sm; asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    if (lane == 0) { Row& row = rows[blockIdx.x * (blockDim.x / 32) + warp]; for (int p = 0; p <= parts; ++p) row.at[p] = at[p]; row.sm = sm; }
    for (int k = 1; k < 8; ++k) x[0] += x[k];
    sink[blockIdx.x * blockDim.x + threadIdx.x] = x[0] + zero;
}
template <int kind> void order(const char* name, int sms, const float* memory, Row* rows, float* sink) {
    struct Shape { int blocks, warps; };
    for (const Shape& s : {Shape{1, 8}, Shape{1, 32}, Shape{2, 32}, Shape{8, 8}}) {
        const int grid = s.blocks * sms;
        std::vector<Row> host(grid * s.warps);
        for (int launch = 0; launch < 2; ++launch) { work<kind><<<grid, 32 * s.warps>>>(memory, rows, sink); CHECK(cudaGetLastError()); CHECK(cudaDeviceSynchronize()); }
        CHECK(cudaMemcpy(host.data(), rows, host.size() * sizeof(Row), cudaMemcpyDeviceToHost));
        std::vector<int> there; long long first = host[0].at[0];
        for (int b = 0; b < grid; ++b) if (host[b * s.warps].sm == host[0].sm) there.push_back(b);
        for (int b : there) for (int w = 0; w < s.warps; ++w) first = std::min(first, host[b * s.warps + w].at[0]);
        for (size_t i = 0; i < there.size(); ++i)
            for (int w = 0; w < s.warps; ++w) {
                std::printf("%s,%d,%d,%zu,%d", name, s.blocks, s.warps, i, w);
                for (int p = 0; p <= parts; ++p) std::printf(",%lld", host[there[i] * s.warps + w].at[p] - first);
                std::printf("\n");
            }
    }
}
int main() {
    int sms = 0; CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    float *memory, *sink; Row* rows;
    CHECK(cudaMalloc(&memory, 1 << 20)); CHECK(cudaMemset(memory, 0, 1 << 20)); CHECK(cudaMalloc(&rows, sizeof(Row) * 64 * sms)); CHECK(cudaMalloc(&sink, 4 * 2048 * sms));
    std::printf("kind,blocks,warps,block,warp,at...\n");
    order<load>("load", sms, memory, rows, sink); order<word>("word", sms, memory, rows, sink); order<shared>("shared", sms, memory, rows, sink); order<mufu>("mufu", sms, memory, rows, sink);
    order<load_ffma>("load_ffma", sms, memory, rows, sink); order<wide_load>("wide_load", sms, memory, rows, sink); order<global>("global", sms, memory, rows, sink);
}
