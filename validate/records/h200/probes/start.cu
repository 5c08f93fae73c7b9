// How a launch begins: when each warp of an SM reads its first clock, and what Nsight Compute says warps of kernels that do next to nothing
// wait for (instructions, constants).
//
//   nvcc -O3 -std=c++17 -arch=sm_90 -cudart shared -o start start.cu
//   ./start > start.csv        blocks, warps a block, warps of an SM in the order in which they begin: cycles since the first of that SM, means over SMs
//                              that have as many warps as most; 16 numbers at most, evenly taken, the last one included
//   ncu --cache-control all --clock-control none --csv --page raw --metrics smsp__average_warps_issue_stalled_no_instruction_per_issue_active.ratio,\
//     smsp__average_warps_issue_stalled_imc_miss_per_issue_active.ratio,smsp__issue_active.sum,... ./start launches
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>
#include <vector>

extern "C" __global__ void nothing() {}
extern "C" __global__ void argument(float* to) {
    if (to == nullptr) return;
    if (reinterpret_cast<unsigned long long>(to) == 1) *to = 1;
}
extern "C" __global__ void shape(float* to) {
    if (blockDim.x * gridDim.x == 77 && to != nullptr) *to = 1;
}
extern "C" __global__ void store(float* to) { to[(blockIdx.x * blockDim.x + threadIdx.x) & 1023] = 1; }

/// The clock first of all; then SR_SMID.
extern "C" __global__ void begins(unsigned* to, int turns) {
    unsigned now, sm;
    asm volatile("mov.u32 %0, %%clock;" : "=r"(now)::"memory");
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm)::"memory");
    const unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    unsigned x = now;
    for (int k = 0; k < turns; ++k) x = x * 3 + 1;  // so that all are there together
    if (threadIdx.x % 32 == 0) {
        to[2 * warp] = now;
        to[2 * warp + 1] = sm | (x == 1 ? 1U << 30 : 0U);
    }
}

int main(int argc, char** argv) {
    const int shapes[][2] = {{1, 1}, {1, 4}, {1, 8}, {1, 16}, {1, 32}, {16, 8}, {66, 8}, {132, 1}, {132, 2}, {132, 4}, {132, 8}, {132, 16}, {132, 32},
                             {264, 4}, {264, 8}, {528, 1}, {528, 4}, {528, 8}, {1056, 4}, {1056, 8}, {2112, 1}, {2112, 4}, {4224, 1}, {4224, 2}};
    float* to;
    unsigned* out;
    cudaMalloc(&to, 4096);
    cudaMalloc(&out, 1 << 20);
    if (argc > 1 && std::strcmp(argv[1], "launches") == 0) {
        for (const auto& s : shapes) {
            nothing<<<s[0], 32 * s[1]>>>();
            argument<<<s[0], 32 * s[1]>>>(to);
            shape<<<s[0], 32 * s[1]>>>(to);
            store<<<s[0], 32 * s[1]>>>(to);
        }
        return cudaDeviceSynchronize() != cudaSuccess;
    }
    std::vector<unsigned> host(1 << 18);
    for (const auto& s : shapes) {
        const unsigned warps = s[0] * s[1];
        begins<<<s[0], 32 * s[1]>>>(out, 2000);
        cudaMemcpy(host.data(), out, std::size_t{8} * warps, cudaMemcpyDeviceToHost);
        std::map<unsigned, std::vector<unsigned>> of_sm;
        for (unsigned w = 0; w < warps; ++w) of_sm[host[2 * w + 1]].push_back(host[2 * w]);
        std::map<std::size_t, int> counts;
        for (const auto& [sm, begun] : of_sm) ++counts[begun.size()];
        const std::size_t most = std::max_element(counts.begin(), counts.end(), [](auto a, auto b) { return a.second < b.second; })->first;
        std::vector<double> mean(most);
        for (auto& [sm, begun] : of_sm) {
            if (begun.size() != most) continue;
            const unsigned first = *std::min_element(begun.begin(), begun.end(), [](unsigned a, unsigned b) { return int(a - b) < 0; });
            for (unsigned& clock : begun) clock -= first;
            std::sort(begun.begin(), begun.end());
            for (std::size_t k = 0; k < most; ++k) mean[k] += begun[k] / double(counts[most]);
        }
        std::printf("%d,%d,%zu", s[0], s[1], most);
        for (std::size_t k = 1; k <= 16; ++k)
            if (k * most / 16 >= 1 && (k == 1 || k * most / 16 != (k - 1) * most / 16)) std::printf(",%.0f", mean[k * most / 16 - 1]);
        std::printf("\n");
    }
    return cudaDeviceSynchronize() != cudaSuccess;
}
