// How far DRAM may be behind with what L2 has to write before L2 takes no more stores, and what of it a launch and those behind it wait for.
//   nvcc -std=c++17 -arch=sm_90 -cudart shared write_backlog.cu -o write_backlog && ./write_backlog > write_backlog.csv
// At first all SMs store 69 MB side by side, so that L2 keeps as many dirty lines as it will. Then SECTORS sectors are stored, each in a KiB of its own: L2
// takes 80 of them a cycle, and DRAM 18. Behind this launch another loads eight lines that L2 does not have, one after the other, on each SM; or nothing does.
// Columns: sectors, width (lines a group: 1, or 8 side by side, which DRAM writes as quickly as it can), repetition, alone_us and both_us (between two events
// around the stores, and around both), first_ns, later_ns (mean times of the first and of the other seven loads), gap_ns (last store sent to the first load).
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

__device__ unsigned long long now() {
    unsigned long long time;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
    return time;
}

__global__ void wait_long(float* out) {
    float value = static_cast<float>(threadIdx.x);
    for (int i = 0; i < 20000; ++i) value = value * 1.0001f + 0.5f;
    if (value < 0) out[0] = value;
}

__global__ void fill(float4* data, int vectors_a_block) {
    float4* own = data + static_cast<std::size_t>(blockIdx.x) * vectors_a_block;
    for (int i = static_cast<int>(threadIdx.x); i < vectors_a_block; i += static_cast<int>(blockDim.x)) own[i] = float4{0, 0, 0, 0};
}

constexpr unsigned rows = 1U << 19U;  // of a KiB

/// Sixteen sectors a warp and round, two lanes each. Eight lines side by side are 32 sectors of one row.
__global__ void scatter(char* data, unsigned sectors, unsigned width, unsigned salt, unsigned long long* ends) {
    const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x / 2;
    for (unsigned i = thread / 2; i < sectors; i += step) {
        const unsigned group = width == 1 ? i : i / 32;
        const unsigned row = (group + salt) * 0x9e3779b1U % rows, sector = width == 1 ? group * 11 % 32 : i % 32;
        *reinterpret_cast<float4*>(data + std::size_t{row} * 1024 + sector * 32 + thread % 2 * 16) = float4{1, 1, 1, 1};
    }
    __syncthreads();
    if (threadIdx.x == 0) ends[blockIdx.x] = now();
}

__global__ void latencies(const char* data, unsigned salt, unsigned long long* times) {
    unsigned at = (blockIdx.x + salt) * 0x9e3779b1U % rows, sum = 0;
    unsigned long long* own = times + blockIdx.x * 9;
    unsigned long long seen[9];
    for (int i = 0; i < 8; ++i) {
        seen[i] = now();
        unsigned value;
        asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(value) : "l"(data + std::size_t{at} * 1024) : "memory");
        sum += value;
        at = (at + 97 + value) % rows;
    }
    seen[8] = now() + sum;
    for (int i = 0; i < 9; ++i) own[i] = seen[i];
}

int main(int argc, char** argv) {
    const int repetitions = argc > 1 ? std::atoi(argv[1]) : 5;
    constexpr int blocks = 132;
    constexpr std::size_t region = std::size_t{rows} * 1024;
    float* out;
    char *filled, *stored, *read;
    unsigned long long *ends, *times;
    CHECK(cudaMalloc(&out, 256));
    CHECK(cudaMalloc(&filled, std::size_t{blocks} * 512 * 1024));
    CHECK(cudaMalloc(&stored, region));
    CHECK(cudaMalloc(&read, region));
    CHECK(cudaMalloc(&ends, blocks * 8));
    CHECK(cudaMalloc(&times, blocks * 9 * 8));
    CHECK(cudaMemset(stored, 0, region));
    CHECK(cudaMemset(read, 0, region));
    cudaEvent_t first, last;
    CHECK(cudaEventCreate(&first));
    CHECK(cudaEventCreate(&last));
    std::vector<unsigned long long> end(blocks), time(blocks * 9);
    unsigned salt = 0;
    const auto launch = [&](unsigned sectors, unsigned width, bool reading) {
        fill<<<blocks, 512>>>(reinterpret_cast<float4*>(filled), 512 * 64);
        wait_long<<<1, 32>>>(out);
        CHECK(cudaEventRecord(first));
        if (sectors != 0) scatter<<<blocks, 512>>>(stored, sectors, width, salt, ends);
        if (reading) latencies<<<blocks, 1>>>(read, salt, times);
        CHECK(cudaEventRecord(last));
        CHECK(cudaDeviceSynchronize());
        salt += 60013;
        float milliseconds = 0;
        CHECK(cudaEventElapsedTime(&milliseconds, first, last));
        return milliseconds * 1000;
    };
    std::printf("sectors,width,repetition,alone_us,both_us,first_ns,later_ns,gap_ns\n");
    for (const unsigned width : {1U, 8U})
        for (const unsigned sectors : {0U, 2112U, 8448U, 16896U, 33792U, 50688U, 67584U, 101376U, 135168U, 202752U, 270336U, 405504U})
            for (int repetition = -1; repetition < repetitions; ++repetition) {
                const unsigned count = width == 1 ? sectors : sectors * 8;
                const float alone = sectors == 0 ? 0.0F : launch(count, width, false), both = launch(count, width, true);
                if (repetition < 0) continue;
                CHECK(cudaMemcpy(end.data(), ends, blocks * 8, cudaMemcpyDeviceToHost));
                CHECK(cudaMemcpy(time.data(), times, blocks * 72, cudaMemcpyDeviceToHost));
                double head = 0, later = 0;
                unsigned long long begin = ~0ULL;
                for (int b = 0; b < blocks; ++b) {
                    head += static_cast<double>(time[b * 9 + 1] - time[b * 9]) / blocks;
                    later += static_cast<double>(time[b * 9 + 8] - time[b * 9 + 1]) / 7 / blocks;
                    begin = std::min(begin, time[b * 9]);
                }
                const long long gap = sectors == 0 ? 0 : static_cast<long long>(begin - *std::max_element(end.begin(), end.end()));
                std::printf("%u,%u,%d,%.3f,%.3f,%.0f,%.0f,%lld\n", count, width, repetition, alone, both, head, later, gap);
            }
    return 0;
}
