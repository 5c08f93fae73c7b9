// Who issues when two blocks share an SM: one chain a sub-core, whose instructions each wait for the one before, and several others of another kind. Blocks
// of the first half of a grid of two blocks an SM begin first; SMs that have got two of one half are left out.
//   nvcc -std=c++17 -arch=sm_90 -cudart shared chains_beside.cu -o chains_beside && ./chains_beside > chains_beside.csv
//   ./chains_beside NUMBER: the row of kinds of that number, from 0
// Columns: kind of the chain, kind of the others, how many of these a sub-core, whether the chain's block is the older or the younger; cycles an operation
// of the chain while the others go on, of each of the others while the chain goes on, and of the chain meanwhile (far above all others: it stands still).
// An instruction of lop3 and imad reads three registers: the others' banks follow from ptxas (sassafras disasm). apart_*: four chains in a warp in turn.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                                          \
    do {                                                                                                     \
        if (const cudaError_t error = (call); error != cudaSuccess) {                                        \
            std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error));                              \
            std::exit(1);                                                                                    \
        }                                                                                                    \
    } while (false)

enum Kind { ffma_chain, lop3_chain, imad_chain, dfma_chain, mufu_chain, ffma_apart, lop3_apart };
const char* const names[] = {"ffma", "lop3", "imad", "dfma", "mufu", "apart_ffma", "apart_lop3"};
constexpr int operations = 32;  // a round

template <int kind>
__device__ __forceinline__ float work(int rounds, int thread) {
    float x[4];
    int n[4];
    double wide = thread;
    for (int k = 0; k < 4; ++k) {
        x[k] = static_cast<float>(thread + k);
        n[k] = thread * (k + 1);
    }
#pragma unroll 1
    for (int round = 0; round < rounds; ++round) {
#pragma unroll
        for (int k = 0; k < operations; ++k) {
            if constexpr (kind == ffma_chain) asm volatile("fma.rn.f32 %0, %0, %0, %0;" : "+f"(x[0]));
            if constexpr (kind == ffma_apart) asm volatile("fma.rn.f32 %0, %0, %0, %0;" : "+f"(x[k % 4]));
            if constexpr (kind == lop3_chain) asm volatile("lop3.b32 %0, %0, %1, %2, 0x1b;" : "+r"(n[0]) : "r"(n[1]), "r"(n[2]));
            if constexpr (kind == lop3_apart) asm volatile("lop3.b32 %0, %0, %0, %0, 0x1b;" : "+r"(n[k % 4]));
            if constexpr (kind == imad_chain) asm volatile("mad.lo.s32 %0, %0, %1, %2;" : "+r"(n[0]) : "r"(n[1]), "r"(n[2]));
            if constexpr (kind == dfma_chain) asm volatile("fma.rn.f64 %0, %0, %0, %0;" : "+d"(wide));
            if constexpr (kind == mufu_chain) asm volatile("ex2.approx.ftz.f32 %0, %0;" : "+f"(x[0]));
        }
    }
    return x[0] + x[1] + x[2] + x[3] + static_cast<float>(n[0] + n[1] + n[2] + n[3]) + static_cast<float>(wide);
}

struct OfSm {
    unsigned arrived, halves;  // blocks; 1 for each of the first half, 256 of the second
    unsigned long long start;
    long long took[2];  // cycles: the chain, the others
};

template <int a, int b>
__global__ void __launch_bounds__(1024, 2) beside(OfSm* all, float* out, int chain_first, int others, int rounds_chain, int rounds_others) {
    __shared__ unsigned long long start;
    unsigned sm;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    OfSm& own = all[sm];
    const bool first_half = blockIdx.x < gridDim.x / 2;
    if (threadIdx.x == 0) {
        atomicAdd(&own.halves, first_half ? 1u : 256u);
        if (atomicAdd(&own.arrived, 1u) == 1) atomicExch(&own.start, static_cast<unsigned long long>(clock64()) + 4000);
        for (int tries = 0; tries < 1000 && (start = *static_cast<volatile unsigned long long*>(&own.start)) == 0; ++tries) __nanosleep(100);
    }
    __syncthreads();
    const unsigned long long begin = start;
    const bool is_chain = first_half == (chain_first != 0);
    if (static_cast<int>(threadIdx.x) >= (is_chain ? 128 : 128 * others)) return;
    while (static_cast<unsigned long long>(clock64()) < begin) __nanosleep(20);
    const int thread = static_cast<int>(threadIdx.x);
    const float value = is_chain ? work<a>(rounds_chain, thread) : work<b>(rounds_others, thread);
    const long long end = clock64();
    if (value == 12345.678f) out[0] = value;
    if (threadIdx.x % 32 == 0) atomicMax(&own.took[is_chain ? 0 : 1], end - static_cast<long long>(begin));
}

int sms;
OfSm* of_sms;
float* out;

struct Took {
    double chain, others;
};

template <int a, int b>
Took run(bool older, int others, int rounds_chain, int rounds_others) {
    auto* kernel = beside<a, b>;
    CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 100 << 10));
    CHECK(cudaMemset(of_sms, 0, sizeof(OfSm) * sms));
    kernel<<<2 * sms, 128 * std::max(1, others), 90 << 10>>>(of_sms, out, older, others, rounds_chain, rounds_others);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    std::vector<OfSm> host(sms);
    CHECK(cudaMemcpy(host.data(), of_sms, sizeof(OfSm) * sms, cudaMemcpyDeviceToHost));
    std::vector<long long> took[2];
    for (const OfSm& each : host)
        for (int side = 0; side < 2; ++side)
            if (each.halves == 257) took[side].push_back(each.took[side]);
    if (took[0].empty()) std::exit(2);
    for (auto& each : took) std::sort(each.begin(), each.end());
    return {static_cast<double>(took[0][took[0].size() / 2]), static_cast<double>(took[1][took[1].size() / 2])};
}

template <int a, int b>
void rows(int& number, int only) {
    if (only >= 0 && number++ != only) return;
    constexpr int rounds = a == ffma_chain || a == lop3_chain || a == imad_chain ? 12 : 8;
    constexpr int long_rounds = 12 * rounds;
    constexpr double each = operations * rounds;
    // Differences leave out how a run begins and ends.
    const double alone = (run<a, b>(true, 0, 2 * rounds, 0).chain - run<a, b>(true, 0, rounds, 0).chain) / each;
    std::printf("%s,%s,0,older,%.2f,,\n", names[a], names[b], alone);
    for (const bool older : {true, false})
        for (const int others : {1, 2, 3, 5, 7}) {
            const double chain = (run<a, b>(older, others, 2 * rounds, long_rounds).chain - run<a, b>(older, others, rounds, long_rounds).chain) / each;
            const Took once = run<a, b>(older, others, long_rounds, rounds), twice = run<a, b>(older, others, long_rounds, 2 * rounds);
            const double more = twice.others - once.others;
            // What the chain has left when the others have ended takes it its time alone.
            const double done = ((once.chain - once.others) - (twice.chain - twice.others)) / alone;
            std::printf("%s,%s,%d,%s,%.2f,%.2f,%.2f\n", names[a], names[b], others, older ? "older" : "younger", chain, more / each, more / done);
            std::fflush(stdout);
        }
}

template <int a>
void beside_all(int& number, int only) {
    rows<a, ffma_chain>(number, only);
    rows<a, lop3_chain>(number, only);
    rows<a, imad_chain>(number, only);
    rows<a, dfma_chain>(number, only);
    rows<a, mufu_chain>(number, only);
    rows<a, ffma_apart>(number, only);
    rows<a, lop3_apart>(number, only);
}

int main(int argc, char** argv) {
    const int only = argc > 1 ? std::atoi(argv[1]) : -1;
    cudaDeviceProp properties;
    CHECK(cudaGetDeviceProperties(&properties, 0));
    sms = properties.multiProcessorCount;
    CHECK(cudaMalloc(&of_sms, sizeof(OfSm) * sms));
    CHECK(cudaMalloc(&out, 256));
    std::printf("chain,others,count,order,chain_cycles,others_cycles,chain_cycles_meanwhile\n");
    int number = 0;
    beside_all<ffma_chain>(number, only);
    beside_all<lop3_chain>(number, only);
    beside_all<imad_chain>(number, only);
    beside_all<dfma_chain>(number, only);
    beside_all<mufu_chain>(number, only);
    return 0;
}
