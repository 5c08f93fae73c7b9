// What loads that hit L1 cost an SM, by which words the lanes read. Prints CSV: cycles of an SM for each load of a warp, with 1, 8 and 32 warps of 16 loads under way.
//   nvcc -O3 -std=c++17 -arch=sm_90 -cudart shared -o l1_gather l1_gather.cu
//   ./l1_gather; sassafras exec -- ./l1_gather
//   ncu --metrics l1tex__data_pipe_lsu_wavefronts_mem_lg.sum,... ./l1_gather 1
// Each load of a lane lies 512 bytes behind the one before, so all have one pattern.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <random>
#include <string>
#include <vector>
#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { std::printf("%s: %s\n", #x, cudaGetErrorString(e)); std::exit(1); } } while (0)
constexpr int rounds = 32, flight = 16, memory_words = 36864;
template <int width> __global__ void gather(const unsigned* memory, const unsigned* places, unsigned mask, long long* spent, unsigned* sink, unsigned zero) {
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    unsigned sum = 0;
    for (int k = threadIdx.x; k < memory_words; k += blockDim.x) sum += memory[k];
    const unsigned* at = memory + places[lane];
    const unsigned on = mask >> lane & 1;
    __syncthreads();
    const long long begin = clock64();
#pragma unroll 1
    for (int r = 0; r < rounds; ++r) {
        unsigned v[flight][4];
#pragma unroll
        for (int k = 0; k < flight; ++k) {
            v[k][0] = v[k][1] = v[k][2] = v[k][3] = 0;
            if (width == 4) asm volatile("{.reg .pred p; setp.ne.u32 p, %2, 0; @p ld.global.u32 %0, [%1];}" : "+r"(v[k][0]) : "l"(at + k * 128), "r"(on));
            if (width == 8) asm volatile("{.reg .pred p; setp.ne.u32 p, %3, 0; @p ld.global.v2.u32 {%0, %1}, [%2];}" : "+r"(v[k][0]), "+r"(v[k][1]) : "l"(at + k * 128), "r"(on));
            if (width == 16) asm volatile("{.reg .pred p; setp.ne.u32 p, %5, 0; @p ld.global.v4.u32 {%0, %1, %2, %3}, [%4];}" : "+r"(v[k][0]), "+r"(v[k][1]), "+r"(v[k][2]), "+r"(v[k][3]) : "l"(at + k * 128), "r"(on));
        }
        unsigned all = 0;
#pragma unroll
        for (int k = 0; k < flight; ++k) for (int i = 0; i < width / 4; ++i) all |= v[k][i];
        sum += all;
        at += zero;
    }
    const long long end = clock64();
    if (lane == 0) { spent[warp * 2] = begin; spent[warp * 2 + 1] = end; }
    sink[threadIdx.x] = sum;
}
unsigned *memory, *sink, *places; long long* spent; bool once = false;
template <int width> void row(const std::string& name, const std::function<unsigned(unsigned)>& place, unsigned mask = ~0U) {
    std::vector<unsigned> host(32);
    for (unsigned l = 0; l < 32; ++l) { host[l] = place(l) * (width / 4); if (host[l] + flight * 128 > memory_words) { std::printf("%s: too far\n", name.c_str()); std::exit(1); } }
    CHECK(cudaMemcpy(places, host.data(), 128, cudaMemcpyHostToDevice));
    std::printf("%s,%d", name.c_str(), width);
    for (int warps : {1, 8, 32}) {
        if (once && warps != 32) continue;
        double least = 1e30;
        for (int launch = 0; launch < (once ? 1 : 2); ++launch) {
            std::vector<long long> h(64);
            gather<width><<<1, 32 * warps>>>(memory, places, mask, spent, sink, 0);
            CHECK(cudaGetLastError());
            CHECK(cudaMemcpy(h.data(), spent, 16 * warps, cudaMemcpyDeviceToHost));
            long long first = h[0], last = 0;
            for (int w = 0; w < warps; ++w) { first = std::min(first, h[2 * w]); last = std::max(last, h[2 * w + 1]); }
            least = std::min(least, double(last - first) / (rounds * flight * warps));
        }
        std::printf(",%.3f", least);
    }
    std::printf("\n");
}
template <int width> void rows() {
    row<width>("one word", [](unsigned) { return 0; });
    for (unsigned s : {1, 2, 3, 4, 5, 8, 9, 16, 17, 32, 33, 34, 36, 40, 48, 64, 65, 66, 68, 96, 97, 128, 129, 130, 160, 161, 192, 193, 256, 257, 258, 288, 289, 513}) {
        if (s * 31 * (width / 4) + flight * 128 > memory_words) continue;
        row<width>("stride " + std::to_string(s), [s](unsigned l) { return s * l; });
    }
    std::mt19937 random(7);
    for (unsigned reach : {64, 128, 256, 512, 1024, 2048, 4096, 8192})
        for (int draw = 0; draw < 3; ++draw) {
            std::vector<unsigned> w(32); for (unsigned& x : w) x = random() % reach;
            row<width>("random words of " + std::to_string(reach), [&](unsigned l) { return w[l]; });
        }
    for (unsigned lines : {4, 8, 16, 32, 64, 128, 256})
        for (int draw = 0; draw < 2; ++draw) {
            std::vector<unsigned> w(32); for (unsigned l = 0; l < 32; ++l) w[l] = random() % lines * 32 + l;
            row<width>("own bank in random lines of " + std::to_string(lines), [&](unsigned l) { return w[l]; });
        }
    std::vector<unsigned> order(32); for (unsigned l = 0; l < 32; ++l) order[l] = l;
    std::shuffle(order.begin(), order.end(), random);
    row<width>("a line in any order", [&](unsigned l) { return order[l]; });
    row<width>("stride 33 in any order", [&](unsigned l) { return order[l] * 33; });
    row<width>("stride 129 in any order", [&](unsigned l) { return order[l] * 129; });
    for (unsigned each : {2, 4, 8, 16}) {
        row<width>(std::to_string(each) + " lanes a line; lines in a row", [each](unsigned l) { return l / each * 32 + l; });
        row<width>(std::to_string(each) + " lanes a line; lines 512 bytes apart", [each](unsigned l) { return l / each * 128 + l; });
        row<width>(std::to_string(each) + " lanes a word; lines in a row", [each](unsigned l) { return l / each * 32; });
        row<width>(std::to_string(each) + " lanes a word; lines 512 bytes apart", [each](unsigned l) { return l / each * 128; });
        row<width>(std::to_string(each) + " lanes a word; own banks", [each](unsigned l) { return l / each * 33; });
        row<width>("a line; " + std::to_string(each) + " lanes on", [](unsigned l) { return l; }, (1U << each) - 1);
        row<width>("stride 33; " + std::to_string(each) + " lanes on", [](unsigned l) { return 33 * l; }, (1U << each) - 1);
        row<width>("stride 129; " + std::to_string(each) + " lanes on", [](unsigned l) { return 129 * l; }, (1U << each) - 1);
        row<width>("stride 32; " + std::to_string(each) + " lanes on", [](unsigned l) { return 32 * l; }, (1U << each) - 1);
    }
    for (unsigned hop : {1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 32, 64})  // four lines, so many lines apart
        row<width>("four lines; " + std::to_string(hop) + " apart", [hop](unsigned l) { return l / 8 * hop * 32 + l; });
    for (unsigned hop : {1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 32, 64}) row<width>("four lines from the second; " + std::to_string(hop) + " apart", [hop](unsigned l) { return 32 + l / 8 * hop * 32 + l; });
}
int main(int argc, char**) {
    once = argc > 1;
    CHECK(cudaMalloc(&memory, 4 * memory_words)); CHECK(cudaMemset(memory, 0, 4 * memory_words)); CHECK(cudaMalloc(&spent, 1024)); CHECK(cudaMalloc(&sink, 8192)); CHECK(cudaMalloc(&places, 128));
    std::printf("lanes,width,one_warp,eight_warps,cycles\n");
    rows<4>(); rows<8>(); rows<16>();
}
