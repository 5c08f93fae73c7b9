// What a warp's chain of loads takes (of shared memory, of L1, of L2) while other warps of its SM ask L2 for lines, so many at a time: whether
// what waits for L2 holds up what does not go there, and how many lines an SM can have under way.
//   nvcc -arch=sm_90 -cudart shared -o loads_in_l1 loads_in_l1.cu && ./loads_in_l1 > loads_in_l1.csv
//   sassafras exec -- ./loads_in_l1 BLOCKS KIB    only these rows
// One block an SM, with so many KiB of shared memory; what that leaves is L1. `loaders`: warps, of which each asks for `loads` times `lines`
// lines and waits. Columns: chain, blocks, kib, loaders, lines, loads, cycles a link of block 0's chain, loads of one of its other warps in
// a million cycles meanwhile.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                                                          \
    do {                                                                                                     \
        if (const cudaError_t error = (call); error != cudaSuccess) {                                        \
            std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error));                              \
            std::exit(1);                                                                                    \
        }                                                                                                    \
    } while (false)

enum class Chain { shared, l1, l2 };
constexpr int links = 64;
constexpr unsigned bytes = 8u << 20;

struct Out {
    unsigned cycles, loads;
    int sink;
};

template <int loads>
__device__ int load(const char* data, unsigned at, unsigned step) {
    int value[loads];
#pragma unroll
    for (int i = 0; i < loads; ++i) value[i] = __ldcg(reinterpret_cast<const int*>(data + (at + i * step) % bytes));
    int sum = 0;
#pragma unroll
    for (int i = 0; i < loads; ++i) sum += value[i];
    return sum;
}

template <int loads>
__global__ void beside(Chain chain, int lines, const char* data, Out* out) {
    __shared__ int room[32];
    __shared__ volatile int done;
    __shared__ unsigned loaded;
    const int lane = threadIdx.x % 32;
    if (threadIdx.x < 32) room[lane] = lane;
    if (threadIdx.x == 0) done = 0, loaded = 0;
    __syncthreads();
    int value = lane;
    if (threadIdx.x < 32) {
        const int* ring = reinterpret_cast<const int*>(data) + 4096;
        for (int i = 0; i < 200; ++i) __nanosleep(20);  // the others have begun
        const unsigned before = clock();
        if (chain == Chain::shared)
            for (int i = 0; i < links; ++i) value = room[value & 31];
        if (chain == Chain::l1)
            for (int i = 0; i < links; ++i) value = __ldca(ring + (value & 31));
        if (chain == Chain::l2)
            for (int i = 0; i < links; ++i) value = __ldcg(ring + (value & 31));
        const unsigned cycles = clock() - before;
        __syncwarp();
        if (threadIdx.x == 0) {
            done = 1;
            out[blockIdx.x].cycles = cycles;
        }
    } else {
        const unsigned warp = blockIdx.x * 31 + threadIdx.x / 32 - 1;
        const unsigned spread = lane * lines / 32 * 128u + lane % 8 * 4;
        unsigned at = warp * 4096u * 37u;
        unsigned long long count = 0;
        const unsigned before = clock();
        while (!done) {
            value += load<loads>(data, at + spread, 128u * 32u);
            at += 128u * 32u * loads * 5;
            count += loads;
        }
        if (lane == 0) atomicMax(&loaded, static_cast<unsigned>(1000000 * count / (static_cast<unsigned>(clock()) - before)));
    }
    __syncthreads();
    if (threadIdx.x == 0) out[blockIdx.x].loads = loaded;
    if (value == -77) out[blockIdx.x].sink = value;
}

int main(int argc, char** argv) {
    char* data;
    Out* out;
    CHECK(cudaMalloc(&data, bytes));
    CHECK(cudaMemset(data, 0, bytes));
    CHECK(cudaMalloc(&out, 132 * sizeof(Out)));
    CHECK(cudaFuncSetAttribute(beside<1>, cudaFuncAttributeMaxDynamicSharedMemorySize, 220 << 10));
    CHECK(cudaFuncSetAttribute(beside<4>, cudaFuncAttributeMaxDynamicSharedMemorySize, 220 << 10));
    std::printf("chain,blocks,kib,loaders,lines,loads,cycles_a_link,loads_a_megacycle\n");
    const char* names[] = {"shared", "l1", "l2"};
    const auto one = [&](Chain chain, int blocks, int kib, int loaders, int lines, int loads) {
        Out first{};
        for (int r = 0; r < 2; ++r) {
            const dim3 block(32 * (1 + loaders));
            if (loads == 1) beside<1><<<blocks, block, kib << 10>>>(chain, lines, data, out);
            if (loads == 4) beside<4><<<blocks, block, kib << 10>>>(chain, lines, data, out);
            CHECK(cudaDeviceSynchronize());
        }
        CHECK(cudaMemcpy(&first, out, sizeof first, cudaMemcpyDeviceToHost));
        std::printf("%s,%d,%d,%d,%d,%d,%.1f,%u\n", names[static_cast<int>(chain)], blocks, kib, loaders, lines, loads, 1.0 * first.cycles / links, first.loads);
        std::fflush(stdout);
    };
    for (const int blocks : {1, 132})
        for (const int kib : {0, 120, 220})
            for (const Chain chain : {Chain::shared, Chain::l1, Chain::l2}) {
                if (argc > 2 && (std::atoi(argv[1]) != blocks || std::atoi(argv[2]) != kib)) continue;
                for (const int loads : {1, 4})
                    for (const int loaders : {0, 4, 8, 16, 24, 31}) one(chain, blocks, kib, loaders, 32, loads);
                for (const int loaders : {8, 16, 24, 31}) one(chain, blocks, kib, loaders, 4, 4);
            }
}
