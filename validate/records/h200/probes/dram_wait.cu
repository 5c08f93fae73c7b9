// How long single loads of DRAM wait while other SMs read or write it at some rate.
//   nvcc -O3 -std=c++17 -arch=sm_90 -cudart shared -o dram_wait dram_wait.cu && ./dram_wait
// Four blocks (of 132) have one warp that loads one line after the other, all over 128 MiB; the others read or write, each warp a request every four times
// `pause` cycles or so. A row: what, order, warps an SM, pause; bytes a cycle that the others moved; quantiles of the loads' latencies in cycles.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>
#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { std::printf("%s: %s\n", #x, cudaGetErrorString(e)); std::exit(1); } } while (0)
constexpr unsigned loads = 200;
enum Kind { nothing, reads, writes };
enum Order { in_order, any_line, any_sector };
__device__ unsigned mixed(unsigned x) {
    x *= 2654435761u;
    x ^= x >> 15;
    x *= 2246822519u;
    return x ^ (x >> 13);
}
template <int kind, int order>
__global__ void work(char* quiet, char* base, unsigned line_mask, unsigned rounds, unsigned pause, unsigned salt, unsigned* latencies, unsigned* took, unsigned* sink) {
    const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    unsigned sum = 0;
    if (blockIdx.x % 33 == 0) {
        if (warp != 0) return;
        const unsigned chaser = blockIdx.x / 33;
        for (unsigned i = 0; i < loads; ++i) {
            const size_t at = size_t{mixed(salt + chaser * loads + i) & 0xfffffu} * 128;
            const unsigned begin = clock();
            unsigned v;
            asm volatile("ld.global.u32 %0, [%1];" : "=r"(v) : "l"(quiet + at + sum) : "memory");
            sum += v;
            const unsigned end = clock() + (sum & 1);
            if (lane == 0) latencies[chaser * loads + i] = end - begin;
        }
    } else if (kind != nothing) {
        const unsigned warps = gridDim.x * blockDim.x / 32, me = blockIdx.x * (blockDim.x / 32) + warp;
        float chain = lane;
        unsigned value[4] = {0, 0, 0, 0};
        const unsigned begin = clock();
        for (unsigned round = 0; round < rounds; round += 4) {
#pragma unroll
            for (unsigned j = 0; j < 4; ++j) {
                const unsigned number = (round + j) * warps + me;
                size_t at;
                if (order == in_order) at = size_t{number & line_mask} * 128 + lane * 4;
                else if (order == any_line) at = size_t{mixed(number) & line_mask} * 128 + lane * 4;
                else at = size_t{mixed(number * 32 + lane) & (line_mask * 4 + 3)} * 32;
                if (kind == reads) {
                    sum += value[j];
                    asm volatile("ld.global.u32 %0, [%1];" : "=r"(value[j]) : "l"(base + at) : "memory");
                } else {
                    asm volatile("st.global.u32 [%0], %1;" ::"l"(base + at), "r"(number) : "memory");
                }
                for (unsigned k = 0; k < pause; ++k) chain = chain * 1.5f + 0.25f;
            }
        }
        if (threadIdx.x == 0) took[blockIdx.x] = clock() - begin;
        if (chain == 1234567.0f) sum = 1;
    }
    if (sum != 0) *sink = sum;
}
char *quiet, *base;
unsigned *latencies, *took, *sink;
template <int kind, int order>
void row(const char* name, unsigned warps, unsigned pause, unsigned rounds) {
    static unsigned salt = 0;
    CHECK(cudaMemset(took, 0, 132 * 4));
    work<kind, order><<<132, warps * 32>>>(quiet, base, (512u << 13) - 1, rounds, pause, salt += 4 * loads, latencies, took, sink);
    CHECK(cudaDeviceSynchronize());
    std::vector<unsigned> l(4 * loads), t(132);
    CHECK(cudaMemcpy(l.data(), latencies, l.size() * 4, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(t.data(), took, t.size() * 4, cudaMemcpyDeviceToHost));
    const double longest = *std::max_element(t.begin(), t.end());
    unsigned long long sum = 0;
    std::vector<unsigned> late;
    for (unsigned c = 0; c < 4; ++c) {
        unsigned long long since = 0;
        for (unsigned i = 0; i < loads; ++i) {
            since += l[c * loads + i];
            // The first few find cold code; the last may find that the others are done.
            if (i >= 8 && (kind == nothing || since < longest)) late.push_back(l[c * loads + i]);
        }
        sum += since;
    }
    std::sort(late.begin(), late.end());
    const double bytes = 128.0 * warps * rounds * 128 * (order == any_sector ? 16 : 1);
    std::printf("%s,%u,%u,%.0f,%zu", name, warps, pause, longest == 0 ? 0 : bytes / longest, late.size());
    for (double q : {0.02, 0.1, 0.25, 0.5, 0.75, 0.9, 0.98}) std::printf(",%u", late[static_cast<size_t>(q * (late.size() - 1))]);
    double mean = 0;
    for (unsigned v : late) mean += v;
    std::printf(",%.0f\n", mean / late.size());
}
int main() {
    CHECK(cudaMalloc(&quiet, 128u << 20)); CHECK(cudaMalloc(&base, 512u << 20)); CHECK(cudaMalloc(&latencies, 4 * loads * 4)); CHECK(cudaMalloc(&took, 132 * 4)); CHECK(cudaMalloc(&sink, 4));
    CHECK(cudaMemset(quiet, 0, 128u << 20)); CHECK(cudaMemset(base, 0, 512u << 20));
    std::printf("what,warps,pause,bytes_per_cycle,loads,q02,q10,q25,q50,q75,q90,q98,mean\n");
    row<nothing, in_order>("nothing", 4, 0, 0);
    row<reads, in_order>("read in_order", 8, 65, 600);
    row<reads, in_order>("read in_order", 16, 65, 600);
    row<reads, in_order>("read in_order", 32, 87, 480);
    row<reads, in_order>("read in_order", 32, 70, 560);
    row<reads, any_line>("read any_line", 8, 65, 600);
    row<reads, any_line>("read any_line", 16, 65, 600);
    row<reads, any_line>("read any_line", 32, 87, 480);
    row<reads, any_line>("read any_line", 32, 70, 560);
    row<reads, any_sector>("read any_sector", 8, 1820, 24);
    row<reads, any_sector>("read any_sector", 8, 910, 44);
    row<reads, any_sector>("read any_sector", 8, 606, 64);
    row<writes, in_order>("write in_order", 8, 130, 320);
    row<writes, in_order>("write in_order", 8, 65, 640);
    row<writes, in_order>("write in_order", 8, 33, 1280);
    row<writes, in_order>("write in_order", 8, 24, 1760);
    row<writes, any_line>("write any_line", 8, 130, 320);
    row<writes, any_line>("write any_line", 8, 65, 640);
    row<writes, any_line>("write any_line", 8, 33, 1280);
    row<writes, any_line>("write any_line", 8, 24, 1760);
}
