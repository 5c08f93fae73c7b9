// What loads from local memory wait for when stores to it come shortly before, as spilled registers make them. Prints CSV: cycles
// that a round takes, from the first warp's start to the last one's end, the least of three launches, with a first round before it that warms L1.
//   nvcc -O3 -std=c++17 -arch=sm_90 -cudart shared -o spills spills.cu
//   ./spills [blocks, 1]; sassafras exec -- ./spills
// A round is, of `words` words of each thread:
//   chain    a load, an addition and a store of one word, each behind the one before
//   loads    a load of each                       stores   a store of each
//   both     a store of each, then a load of each
//   apart    a store of each of the first half, a load of each of the second
//   behind   a store of each, with a load of the word stored eight stores before behind it
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { std::printf("%s: %s\n", #x, cudaGetErrorString(e)); std::exit(1); } } while (0)

enum Pattern { chain, loads, stores, both, apart, behind };
constexpr int words = 32, rounds = 64;

// What is loaded has a base of its own, of which the compiler cannot know that it is the same: it would keep the values in registers.
struct Local {
    unsigned base, same;
    __device__ void store(int k, unsigned value) const { asm volatile("st.local.u32 [%0], %1;" ::"r"(base + 4 * k), "r"(value) : "memory"); }
    __device__ unsigned load(int k) const { unsigned value; asm volatile("ld.local.u32 %0, [%1];" : "=r"(value) : "r"(same + 4 * k) : "memory"); return value; }
};
struct Global {
    unsigned *base, *same;  // words of the threads of a block lie side by side
    __device__ void store(int k, unsigned value) const { asm volatile("st.global.u32 [%0], %1;" ::"l"(base + k * blockDim.x), "r"(value) : "memory"); }
    __device__ unsigned load(int k) const { unsigned value; asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(value) : "l"(same + k * blockDim.x) : "memory"); return value; }
};

template <int pattern, class Space> __device__ unsigned one_round(const Space& space, unsigned x) {
    unsigned got[words] = {};
    if constexpr (pattern == chain) {
        for (int k = 0; k < words; ++k) { x += space.load(0) + 1; space.store(0, x); }
    } else {
        constexpr int half = words / 2;
#pragma unroll
        for (int k = 0; k < (pattern == apart ? half : words); ++k) {
            if constexpr (pattern != loads) space.store(k, x + k);
            if constexpr (pattern == behind) if (k >= 8) got[k] = space.load(k - 8);
        }
#pragma unroll
        for (int k = pattern == apart ? half : 0; k < words; ++k)
            if constexpr (pattern == loads || pattern == both || pattern == apart) got[k] = space.load(k);
    }
#pragma unroll
    for (int k = 0; k < words; ++k) x ^= got[k];
    return x;
}

template <int pattern, class Space> __device__ void run(const Space& space, long long* begin, long long* end, unsigned* sink) {
    unsigned x = threadIdx.x;
    for (int k = 0; k < words; ++k) space.store(k, x);
    x = one_round<pattern>(space, x);
    __syncthreads();
    const long long from = clock64();
#pragma unroll 1
    for (int r = 0; r < rounds; ++r) x = one_round<pattern>(space, x);
    const long long to = clock64();
    if (threadIdx.x % 32 == 0) { begin[blockIdx.x * 32 + threadIdx.x / 32] = from; end[blockIdx.x * 32 + threadIdx.x / 32] = to; }
    sink[blockIdx.x * blockDim.x + threadIdx.x] = x;
}

template <int pattern> __global__ void local_words(unsigned*, long long* begin, long long* end, unsigned* sink, int one) {
    unsigned room[words];
    for (int k = 0; k < words; k += one) room[k] = k;
    const auto base = static_cast<unsigned>(__cvta_generic_to_local(room));
    Local space{base, base + 4 * (one - 1)};
    run<pattern>(space, begin, end, sink);
    sink[blockIdx.x * blockDim.x + threadIdx.x] += room[sink[0] % words];
}
template <int pattern> __global__ void global_words(unsigned* memory, long long* begin, long long* end, unsigned* sink, int one) {
    unsigned* const base = memory + blockIdx.x * blockDim.x * words + threadIdx.x;
    run<pattern>(Global{base, base + one - 1}, begin, end, sink);
}

using Kernel = void (*)(unsigned*, long long*, long long*, unsigned*, int);

int main(int argc, char** argv) {
    const int most_blocks = argc > 1 ? std::atoi(argv[1]) : 1;
    unsigned *memory, *sink;
    long long *begin, *end;
    CHECK(cudaMalloc(&memory, sizeof(unsigned) * most_blocks * 1024 * words));
    CHECK(cudaMalloc(&sink, sizeof(unsigned) * most_blocks * 1024));
    CHECK(cudaMalloc(&begin, sizeof(long long) * most_blocks * 32));
    CHECK(cudaMalloc(&end, sizeof(long long) * most_blocks * 32));
    std::vector<long long> begun(32), ended(32);
    const char* names[] = {"chain", "loads", "stores", "both", "apart", "behind"};
    const Kernel kernels[2][6] = {
        {local_words<chain>, local_words<loads>, local_words<stores>, local_words<both>, local_words<apart>, local_words<behind>},
        {global_words<chain>, global_words<loads>, global_words<stores>, global_words<both>, global_words<apart>, global_words<behind>}};
    std::printf("space,pattern,blocks,warps,cycles_a_round\n");
    for (int space = 0; space < 2; ++space)
        for (int pattern = 0; pattern < 6; ++pattern)
            for (int warps : {1, 4, 8, 32}) {
                if (space == 1 && warps == 32) continue;  // so many threads of theirs do not fit into an SM
                double least = 1e30;
                for (int launch = 0; launch < 3; ++launch) {
                    kernels[space][pattern]<<<most_blocks, 32 * warps>>>(memory, begin, end, sink, 1);
                    CHECK(cudaGetLastError());
                    CHECK(cudaMemcpy(begun.data(), begin, sizeof(long long) * warps, cudaMemcpyDeviceToHost));
                    CHECK(cudaMemcpy(ended.data(), end, sizeof(long long) * warps, cudaMemcpyDeviceToHost));
                    least = std::min(least, double(*std::max_element(ended.begin(), ended.begin() + warps) - *std::min_element(begun.begin(), begun.begin() + warps)) / rounds);
                }
                std::printf("%s,%s,%d,%d,%.1f\n", space == 0 ? "local" : "global", names[pattern], most_blocks, warps, least);
            }
}
