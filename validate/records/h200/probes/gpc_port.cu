// How quickly SMs of one GPC read what L2 has, by how many of them read, and by the kind of load: does a GPC bound it, and what of it?
//   nvcc -std=c++17 -arch=sm_90 -cudart shared gpc_port.cu -o gpc_port && ./gpc_port > gpc_port.csv
// One block an SM; those on other SMs end at once. Every block reads its own bytes once; launches before have read them, too.
// Columns: load (weak, cg, no_allocate), where (A: the GPC of the SM of block 0, B: another, all: of each GPC so many), sms (of a GPC), threads, kib_a_block,
// repetition, slowest, quickest, mean (cycles of blocks). `# gpc` lines: SMs by GPC, as blocks of clusters of 16 and 8 tell.
// `./gpc_port SM...`: only B, which is of these SMs, and loads `weak`. SHARED: bytes of shared memory of a block, 102,400 if not said, which leave L1 less.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <numeric>
#include <vector>

#define CHECK(call)                                                                                          \
    do {                                                                                                     \
        if (const cudaError_t error = (call); error != cudaSuccess) {                                        \
            std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error));                              \
            std::exit(1);                                                                                    \
        }                                                                                                    \
    } while (false)

enum Load { weak, cg, no_allocate };

template <Load how>
__device__ float4 load(const float4* from) {
    float4 v;
    if (how == weak) asm volatile("ld.global.v4.f32 {%0,%1,%2,%3}, [%4];" : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "l"(from));
    if (how == cg) asm volatile("ld.global.cg.v4.f32 {%0,%1,%2,%3}, [%4];" : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "l"(from));
    if (how == no_allocate)
        asm volatile("ld.global.L1::no_allocate.v4.f32 {%0,%1,%2,%3}, [%4];" : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "l"(from));
    return v;
}

template <Load how>
__global__ void reading(long long* cycles, float* out, const float4* data, int vectors_a_block, const int* active) {
    unsigned sm;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    const int index = active[sm];
    if (index < 0) return;
    const float4* own = data + static_cast<std::size_t>(index) * vectors_a_block;
    __syncthreads();
    const long long begin = clock64();
    float sum = 0;
    constexpr int unroll = 4;
    for (int i = static_cast<int>(threadIdx.x); i < vectors_a_block; i += unroll * static_cast<int>(blockDim.x)) {
        float4 v[unroll];
#pragma unroll
        for (int u = 0; u < unroll; ++u) v[u] = load<how>(&own[i + u * blockDim.x]);
#pragma unroll
        for (int u = 0; u < unroll; ++u) sum += v[u].x + v[u].y + v[u].z + v[u].w;
    }
    if (sum < 0) out[0] = sum;
    __syncthreads();
    if (threadIdx.x == 0) cycles[index] = clock64() - begin;
}

__global__ void note(unsigned* sms) {
    unsigned sm;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    if (threadIdx.x == 0) sms[blockIdx.x] = sm;
    const long long until = clock64() + 100000;
    while (clock64() < until) {}
}

// SMs by GPC: as clusters have it, or as the arguments say.
std::map<int, std::vector<int>> gpcs_of(int sm_count, int argc, char** argv, unsigned* sms) {
    std::vector<int> group(sm_count);
    std::iota(group.begin(), group.end(), 0);
    const auto join = [&](int a, int b) {
        const int kept = group[a], gone = group[b];
        std::replace(group.begin(), group.end(), gone, kept);
    };
    if (argc == 1) CHECK(cudaFuncSetAttribute(note, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
    CHECK(cudaFuncSetAttribute(note, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 << 10));
    for (int i = 2; i < argc; ++i) join(std::atoi(argv[1]), std::atoi(argv[i]));
    for (const unsigned size : {16u, 8u, 4u, 2u})
        for (int round = 0; round < 20 && argc == 1; ++round) {
            cudaLaunchConfig_t config{};
            config.gridDim = size * (sm_count / size - round % 3);
            config.blockDim = 128;
            config.dynamicSmemBytes = 150 << 10;
            cudaLaunchAttribute attribute{};
            attribute.id = cudaLaunchAttributeClusterDimension;
            attribute.val.clusterDim = {size, 1, 1};
            config.attrs = &attribute;
            config.numAttrs = 1;
            CHECK(cudaLaunchKernelEx(&config, note, sms));
            CHECK(cudaDeviceSynchronize());
            std::vector<unsigned> found(config.gridDim.x);
            CHECK(cudaMemcpy(found.data(), sms, found.size() * sizeof(unsigned), cudaMemcpyDeviceToHost));
            for (std::size_t i = 0; i < found.size(); ++i) join(static_cast<int>(found[i / size * size]), static_cast<int>(found[i]));
        }
    std::map<int, std::vector<int>> gpcs;
    for (int sm = 0; sm < sm_count; ++sm) gpcs[group[sm]].push_back(sm);
    for (const auto& [first, of] : gpcs) {
        std::printf("# gpc %zu:", of.size());
        for (const int sm : of) std::printf(" %d", sm);
        std::printf("\n");
    }
    return gpcs;
}

int main(int argc, char** argv) {
    const int shared = std::getenv("SHARED") != nullptr ? std::atoi(std::getenv("SHARED")) : 100 << 10;
    int sm_count = 0;
    CHECK(cudaDeviceGetAttribute(&sm_count, cudaDevAttrMultiProcessorCount, 0));
    long long* cycles;
    float* out;
    float4* data;
    int* active;
    unsigned* sms;
    CHECK(cudaMalloc(&cycles, 256 * sizeof(long long)));
    CHECK(cudaMalloc(&out, 256));
    CHECK(cudaMalloc(&active, 256 * sizeof(int)));
    CHECK(cudaMalloc(&sms, 256 * sizeof(unsigned)));
    CHECK(cudaMalloc(&data, 72u << 20));
    CHECK(cudaMemset(data, 0, 72u << 20));
    const std::map<int, std::vector<int>> gpcs = gpcs_of(sm_count, argc, argv, sms);
    note<<<1, 32>>>(sms);
    CHECK(cudaGetLastError());
    unsigned first_sm;
    CHECK(cudaMemcpy(&first_sm, sms, sizeof first_sm, cudaMemcpyDeviceToHost));
    for (const auto kernel : {reading<weak>, reading<cg>, reading<no_allocate>})
        CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 << 10));
    std::printf("load,where,sms,threads,kib_a_block,repetition,slowest,quickest,mean\n");
    const char* names[] = {"weak", "cg", "no_allocate"};
    for (const Load how : argc == 1 ? std::vector<Load>{weak, cg, no_allocate} : std::vector<Load>{weak})
        for (const char* where : argc == 1 ? std::vector<const char*>{"A", "B", "all"} : std::vector<const char*>{"B"})
            for (const int threads : {512, 1024})
                for (const int count : {1, 2, 4, 6, 8, 10, 12, 14, 16, 18})
                    for (const int kib : where[1] == 0 ? std::vector<int>{256, 512} : std::vector<int>{64, 128}) {
                        std::vector<int> host(256, -1);
                        int used = 0, gpc = 0;
                        bool has_b = false;
                        for (const auto& [id, of] : gpcs) {
                            const bool is_a = std::find(of.begin(), of.end(), static_cast<int>(first_sm)) != of.end();
                            const bool chosen = where[1] != 0 || (where[0] == 'A' ? is_a : !is_a && !has_b && of.size() >= 16);
                            if (!chosen) continue;
                            if (where[0] == 'B') has_b = true;
                            ++gpc;
                            for (int i = 0; i < std::min<int>(count, static_cast<int>(of.size())); ++i) host[of[i]] = used++;
                        }
                        if (used < (where[1] == 0 ? count : 1)) continue;
                        if (static_cast<long>(used) * kib > 72 * 1024) continue;
                        CHECK(cudaMemcpy(active, host.data(), 256 * sizeof(int), cudaMemcpyHostToDevice));
                        for (int repetition = -2; repetition < 2; ++repetition) {
                            const auto kernel = how == weak ? reading<weak> : how == cg ? reading<cg> : reading<no_allocate>;
                            kernel<<<sm_count, threads, shared>>>(cycles, out, data, kib * 64, active);
                            CHECK(cudaGetLastError());
                            CHECK(cudaDeviceSynchronize());
                            std::vector<long long> took(used);
                            CHECK(cudaMemcpy(took.data(), cycles, used * sizeof(long long), cudaMemcpyDeviceToHost));
                            if (repetition < 0) continue;
                            std::printf("%s,%s,%d,%d,%d,%d,%lld,%lld,%.0f\n", names[how], where, count, threads, kib, repetition,
                                        *std::max_element(took.begin(), took.end()), *std::min_element(took.begin(), took.end()),
                                        std::accumulate(took.begin(), took.end(), 0.0) / used);
                        }
                    }
    return 0;
}
