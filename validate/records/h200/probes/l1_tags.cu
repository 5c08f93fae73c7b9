// Which lines L1 can look up in one cycle, and what loads that miss it cost. Prints CSV.
//   nvcc -O3 -std=c++17 -arch=sm_90 -cudart shared -o l1_tags l1_tags.cu
//   ./l1_tags; sassafras exec -- ./l1_tags
// pair: two lanes read lines that differ in one bit of the address or two; cycles of the SM for each load (1: looked up together, 2: one after the other).
// miss: a warp's load reads so many lines, of each so many sectors, that only L2 has (ca: through L1, cg: past it); cycles of the SM for each, one SM alone. Simulated
// this takes seven minutes, most of them for the 1 GiB in which the pairs lie.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>
#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { std::printf("%s: %s\n", #x, cudaGetErrorString(e)); std::exit(1); } } while (0)
constexpr int rounds = 16, flight = 16;
__global__ void pair_of_lines(const unsigned* memory, unsigned long long a, unsigned long long b, long long* spent, unsigned* sink, unsigned zero) {
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const unsigned* at = memory + (lane == 0 ? a : b) / 4 + lane;
    unsigned sum = 0;
    if (lane > 1) at = memory + a / 4;
    for (int k = 0; k < flight; ++k) sum += at[k];
    __syncthreads();
    const long long begin = clock64();
#pragma unroll 1
    for (int r = 0; r < rounds; ++r) {
        unsigned v[flight];
#pragma unroll
        for (int k = 0; k < flight; ++k) asm volatile("ld.global.u32 %0, [%1];" : "=r"(v[k]) : "l"(at + k));
#pragma unroll
        for (int k = 0; k < flight; ++k) sum |= v[k];
        at += zero;
    }
    const long long end = clock64();
    if (lane == 0) { spent[warp * 2] = begin; spent[warp * 2 + 1] = end; }
    sink[threadIdx.x] = sum;
}
// Each load of a warp reads `lines` lines, of each `sectors` sectors, that no other load reads.
template <int past> __global__ void misses(const unsigned* memory, unsigned lines, unsigned sectors, long long* spent, unsigned* sink) {
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    const unsigned lanes_a_line = 32 / lines, word = lane % lanes_a_line * (sectors * 8 / lanes_a_line == 0 ? 1 : sectors * 8 / lanes_a_line) % (sectors * 8);
    const unsigned* base = memory + lane / lanes_a_line * 32 + word;
    unsigned sum = 0;
    __syncthreads();
    const long long begin = clock64();
#pragma unroll 1
    for (int r = 0; r < 4; ++r) {
        unsigned v[8];
#pragma unroll
        for (int k = 0; k < 8; ++k) {
            const unsigned* at = base + ((r * 8 + k) * warps + warp) * lines * 32;
            if (past) asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v[k]) : "l"(at)); else asm volatile("ld.global.u32 %0, [%1];" : "=r"(v[k]) : "l"(at));
        }
#pragma unroll
        for (int k = 0; k < 8; ++k) sum |= v[k];
    }
    const long long end = clock64();
    if (lane == 0) { spent[warp * 2] = begin; spent[warp * 2 + 1] = end; }
    sink[threadIdx.x] = sum;
}
__global__ void touch(const unsigned* memory, size_t words, unsigned* sink) { unsigned s = 0; for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < words; i += size_t{gridDim.x} * blockDim.x) s += __ldcg(memory + i); if (s == 12345) *sink = s; }
__global__ void fill_l1(const unsigned* memory, unsigned* sink) { unsigned s = 0; for (int i = threadIdx.x; i < 131072; i += blockDim.x) s += memory[i]; if (s == 12345) *sink = s; }
unsigned *memory, *sink, *other; long long* spent;
int main() {
    const size_t bytes = size_t{1} << 30;
    CHECK(cudaMalloc(&memory, 2 * bytes));
    memory = reinterpret_cast<unsigned*>((reinterpret_cast<std::size_t>(memory) + bytes - 1) / bytes * bytes);  // so that an offset's bits are the address's
    CHECK(cudaMemset(memory, 0, bytes)); CHECK(cudaMalloc(&spent, 65536)); CHECK(cudaMalloc(&sink, 1 << 20)); CHECK(cudaMalloc(&other, 1 << 20)); CHECK(cudaMemset(other, 0, 1 << 20));
    std::vector<long long> h(64);
    auto pair = [&](unsigned long long a, unsigned long long b) {
        double least = 1e30;
        for (int l = 0; l < 2; ++l) {
            pair_of_lines<<<1, 1024>>>(memory, a, b, spent, sink, 0); CHECK(cudaGetLastError());
            CHECK(cudaMemcpy(h.data(), spent, 512, cudaMemcpyDeviceToHost));
            long long first = h[0], last = 0; for (int w = 0; w < 32; ++w) { first = std::min(first, h[2 * w]); last = std::max(last, h[2 * w + 1]); }
            least = std::min(least, double(last - first) / (rounds * flight * 32));
        }
        return least;
    };
    for (int i = 7; i < 30; ++i) std::printf("pair,%d,,%.2f\n", i, pair(0, 1ull << i));
    for (int i = 7; i < 30; ++i) for (int j = i + 1; j < 30; ++j) std::printf("pair,%d,%d,%.2f\n", i, j, pair(0, 1ull << i | 1ull << j));
    for (int past = 0; past < 2; ++past)
        for (int warps : {1, 4, 8, 16, 32})
            for (int lines : {1, 2, 4, 8, 16, 32})
                for (int sectors : {1, 2, 4}) {
                    double least = 1e30;
                    for (int l = 0; l < 2; ++l) {
                        touch<<<132, 256>>>(memory, 1u << 20, sink);
                        fill_l1<<<132, 256>>>(other, sink);
                        if (past) misses<1><<<1, 32 * warps>>>(memory, lines, sectors, spent, sink); else misses<0><<<1, 32 * warps>>>(memory, lines, sectors, spent, sink);
                        CHECK(cudaGetLastError());
                        CHECK(cudaMemcpy(h.data(), spent, 16 * warps, cudaMemcpyDeviceToHost));
                        long long first = h[0], last = 0; for (int w = 0; w < warps; ++w) { first = std::min(first, h[2 * w]); last = std::max(last, h[2 * w + 1]); }
                        least = std::min(least, double(last - first) / (32 * warps));
                    }
                    std::printf("miss,%s,1,%d,%d,%d,%.2f\n", past ? "cg" : "ca", warps, lines, sectors, least);
                }
}
