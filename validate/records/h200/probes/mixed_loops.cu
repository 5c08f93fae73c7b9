// How long the loops of kernels_mixed.cu take, alone on their SMs, by how many warps a sub-core has: cycles of an SM for a round of all its warps.
//   nvcc -std=c++17 -arch=sm_90 -cudart shared mixed_loops.cu -o mixed_loops && ./mixed_loops > mixed_loops.csv
// `./mixed_loops PART`: loops shorter by that factor, 8 blocks only (for a simulation).
// Columns: kind, blocks, warps a sub-core, cycles a round (the difference of two lengths; the median of the SMs' blocks), ns by %globaltimer.
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

enum class What { ffma, dfma, mufu, integer, shared, chase };
const char* const names[] = {"ffma", "dfma", "mufu", "integer", "shared", "chase"};

extern __shared__ float room[];

__device__ unsigned long long now() {
    unsigned long long time;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
    return time;
}

template <What what>
__global__ void work(long long* took, unsigned long long* ns, float* out, const float4* data, int rounds) {
    __shared__ long long last;
    if (threadIdx.x == 0) last = 0;
    const int thread = static_cast<int>(threadIdx.x);
    const int global = static_cast<int>(blockIdx.x * blockDim.x) + thread;
    float value = static_cast<float>(thread);
    if constexpr (what == What::shared) room[thread] = value;
    __syncthreads();
    const unsigned long long begin_ns = now();
    const long long begin = clock64();
    if constexpr (what == What::ffma)
        for (int i = 0; i < rounds; ++i) value = value * 1.0001f + 0.5f;
    if constexpr (what == What::dfma) {
        double wide = thread;
        for (int i = 0; i < rounds; ++i) wide = wide * 1.0001 + 0.5;
        value = static_cast<float>(wide);
    }
    if constexpr (what == What::mufu)
        for (int i = 0; i < rounds; ++i) value = __cosf(value);
    if constexpr (what == What::integer) {
        unsigned word = static_cast<unsigned>(thread);
        for (int i = 0; i < rounds; ++i) word = (word ^ static_cast<unsigned>(i)) & (word + 0x9e3779b9u);
        value = static_cast<float>(word);
    }
    if constexpr (what == What::shared) {
        int at = thread;
        for (int i = 0; i < rounds; ++i) at = (static_cast<int>(room[(at * 2) & 255]) + i) & 255;  // two lanes a bank
        value = static_cast<float>(at);
    }
    if constexpr (what == What::chase) {
        std::size_t at = static_cast<std::size_t>(global);
        for (int i = 0; i < rounds; ++i) at = (at * 64 + static_cast<std::size_t>(__ldcg(&data[at % (8u << 16)]).x) + 977) % (8u << 16);
        value = static_cast<float>(at);
    }
    if (value == 77.0f) out[0] = value;
    const long long end = clock64();
    atomicMax(reinterpret_cast<unsigned long long*>(&last), static_cast<unsigned long long>(end - begin));
    __syncthreads();
    if (threadIdx.x == 0) {
        took[blockIdx.x] = last;
        ns[blockIdx.x] = now() - begin_ns;
    }
}

long long* took;
unsigned long long* ns;
float* out;
float4* data;

template <What what>
void once(int blocks, int threads, int rounds, double* cycles, double* nanoseconds) {
    work<what><<<blocks, threads, 8192>>>(took, ns, out, data, rounds);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    std::vector<long long> c(static_cast<std::size_t>(blocks));
    std::vector<unsigned long long> n(static_cast<std::size_t>(blocks));
    CHECK(cudaMemcpy(c.data(), took, sizeof(long long) * c.size(), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(n.data(), ns, sizeof(long long) * n.size(), cudaMemcpyDeviceToHost));
    std::sort(c.begin(), c.end());
    std::sort(n.begin(), n.end());
    *cycles = static_cast<double>(c[c.size() / 2]);
    *nanoseconds = static_cast<double>(n[n.size() / 2]);
}

template <What what>
void rows(int rounds, int blocks) {
    for (const int warps : {1, 2, 3, 4, 6, 8}) {
        double c1 = 0, n1 = 0, c2 = 0, n2 = 0;
        once<what>(blocks, 128 * warps, rounds, &c1, &n1);
        once<what>(blocks, 128 * warps, rounds, &c1, &n1);
        once<what>(blocks, 128 * warps, 2 * rounds, &c2, &n2);
        std::printf("%s,%d,%d,%.2f,%.2f\n", names[static_cast<int>(what)], blocks, warps, (c2 - c1) / rounds, (n2 - n1) / rounds);
    }
}

int main(int argc, char** argv) {
    const int part = argc > 1 ? std::atoi(argv[1]) : 1;
    CHECK(cudaMalloc(&took, 1024 * sizeof(long long)));
    CHECK(cudaMalloc(&ns, 1024 * sizeof(long long)));
    CHECK(cudaMalloc(&out, 256));
    CHECK(cudaMalloc(&data, static_cast<std::size_t>(8) << 20));
    CHECK(cudaMemset(data, 0, static_cast<std::size_t>(8) << 20));
    std::printf("kind,blocks,warps,cycles,ns\n");
    for (const int blocks : {8, 132}) {
        if (part != 1 && blocks == 132) break;
        rows<What::integer>(2048 / part, blocks);
        rows<What::mufu>(512 / part, blocks);
        rows<What::ffma>(2048 / part, blocks);
        rows<What::dfma>(2048 / part, blocks);
        rows<What::shared>(512 / part, blocks);
        rows<What::chase>(128 / (part > 8 ? 8 : part), blocks);
    }
    return 0;
}
