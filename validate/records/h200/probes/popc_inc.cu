// How many wavefronts does an ATOMS.POPC.INC take, and how many cycles: a count of shared memory without its result, one warp, places
// and lanes drawn.
//
//   nvcc -O3 -std=c++17 -arch=sm_90 -cudart shared -o popc_inc popc_inc.cu
//   ./popc_inc patterns > popc_inc_patterns.csv       mask (hexadecimal) and 32 byte offsets by lane, a row a launch
//   ./popc_inc > popc_inc_cycles.csv                  cycles of each launch's 16 accesses in a row, of the second of two such launches
//   ncu --csv --cache-control none --clock-control none --metrics l1tex__data_pipe_lsu_wavefronts_mem_shared.sum ./popc_inc launches
//
// The first launch, of one lane, has 16 wavefronts of the accesses; what else it has, all have (tests/golden/access/count_wavefronts.csv).
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

constexpr int words = 4096;
constexpr int accesses = 16;

struct Pattern {
    unsigned mask;
    unsigned offset[32];
};

/// `mode` 1 counts, 2 adds a number that is not one (an ATOMS.ADD).
extern "C" __global__ void __launch_bounds__(32) count(Pattern pattern, int* sink, long long* spent, unsigned addend, int mode) {
    __shared__ unsigned counters[words];
    for (int k = static_cast<int>(threadIdx.x); k < words; k += 32) counters[k] = 0;
    __syncthreads();
    const unsigned at = pattern.offset[threadIdx.x] / 4;
    if (at >= words) return;  // so it is there before the clock is read
    long long begin = 0, end = 0;
    if ((pattern.mask >> threadIdx.x & 1) != 0) {
        begin = clock64();
        if (mode == 1) {
#pragma unroll
            for (int k = 0; k < accesses; ++k) {
                atomicAdd(&counters[at], 1U);
                asm volatile("" ::: "memory");
            }
        } else {
#pragma unroll
            for (int k = 0; k < accesses; ++k) {
                atomicAdd(&counters[at], addend);
                asm volatile("" ::: "memory");
            }
        }
        end = *const_cast<volatile unsigned*>(&counters[at]) == ~0U ? 0 : clock64();  // a load comes behind them
    }
    __syncwarp();
    unsigned sum = 0;
    for (int k = static_cast<int>(threadIdx.x); k < words; k += 32) sum += counters[k] * static_cast<unsigned>(k + 1);
    sink[threadIdx.x] = static_cast<int>(sum);
    if ((pattern.mask >> threadIdx.x & 1) != 0) *spent = end - begin;
}

int main(int argc, char** argv) {
    std::uint64_t state = 1;
    const auto draw = [&](unsigned below) {  // splitmix64
        std::uint64_t z = state += 0x9e3779b97f4a7c15U;
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9U;
        z = (z ^ z >> 27) * 0x94d049bb133111ebU;
        return static_cast<unsigned>((z ^ z >> 31) % below);
    };
    std::vector<Pattern> patterns;
    const auto add = [&](unsigned mask, auto word_of) {
        Pattern pattern{mask, {}};
        for (unsigned lane = 0; lane < 32; ++lane) pattern.offset[lane] = 4 * word_of(lane);
        patterns.push_back(pattern);
    };
    const unsigned all = ~0U;
    add(1, [](unsigned lane) { return lane; });
    for (unsigned stride : {0U, 1U, 2U, 4U, 8U, 16U, 32U, 33U, 64U}) add(all, [&](unsigned lane) { return lane * stride; });
    for (unsigned same : {2U, 4U, 8U, 16U}) {
        add(all, [&](unsigned lane) { return lane / same; });             // neighbours share a word, words in banks of their own
        add(all, [&](unsigned lane) { return lane / same * 32; });        // words in one bank
        add(all, [&](unsigned lane) { return lane % same; });
        add(all, [&](unsigned lane) { return lane % same * 32; });
    }
    for (unsigned first = 0; first < 32; ++first) {  // two lanes of the same word, or the same bank, the others apart
        add(all, [&](unsigned lane) { return lane == first ? (lane + 1) % 32 : lane; });
        add(all, [&](unsigned lane) { return lane == first ? 32 + (lane + 1) % 32 : lane; });
        add(all, [&](unsigned lane) { return lane == first ? (lane + 5) % 32 : lane; });
    }
    for (unsigned lanes = 1; lanes <= 32; lanes += lanes < 8 ? 1 : 4) {
        const unsigned mask = lanes == 32 ? all : (1U << lanes) - 1;
        add(mask, [](unsigned) { return 0U; });
        add(mask, [](unsigned lane) { return lane * 32; });
        add(mask, [](unsigned lane) { return lane % 2 * 32; });
        add(mask, [](unsigned lane) { return lane / 2 * 32; });
    }
    for (unsigned range : {2U, 3U, 4U, 6U, 8U, 12U, 16U, 24U, 32U, 48U, 64U, 96U, 128U, 256U, 512U, 1024U, 4096U})
        for (int run = 0; run < 10; ++run) {
            unsigned at[32];
            for (unsigned& word : at) word = draw(range);
            const unsigned mask = run < 7 ? all : draw(~0U) | 1;
            add(mask, [&](unsigned lane) { return at[lane]; });
            if (range <= 128) add(mask, [&](unsigned lane) { return at[lane] * 32; });  // all in one bank
            if (range <= 64) add(mask, [&](unsigned lane) { return at[lane] * 8; });    // in four banks
        }
    const char* mode = argc > 1 ? argv[1] : "";
    if (std::strcmp(mode, "patterns") == 0) {
        for (const Pattern& pattern : patterns) {
            std::printf("%x", pattern.mask);
            for (const unsigned offset : pattern.offset) std::printf(",%u", offset);
            std::printf("\n");
        }
        return 0;
    }
    int* sink;
    long long* spent;
    cudaMalloc(&sink, 128);
    cudaMallocManaged(&spent, 8);
    const bool launches = std::strcmp(mode, "launches") == 0;
    for (std::size_t k = 0; k < patterns.size(); ++k) {
        if (launches) {
            count<<<1, 32>>>(patterns[k], sink, spent, 3, 1);
            continue;
        }
        long long took[2];
        for (int add = 0; add < 2; ++add) {
            for (int again = 0; again < 2; ++again) count<<<1, 32>>>(patterns[k], sink, spent, 3, 1 + add);
            cudaDeviceSynchronize();
            took[add] = *spent;
        }
        std::printf("%zu,%lld,%lld\n", k, took[0], took[1]);
    }
    const cudaError_t error = cudaDeviceSynchronize();
    if (error != cudaSuccess) std::printf("error,%s\n", cudaGetErrorString(error));
    return error != cudaSuccess;
}
