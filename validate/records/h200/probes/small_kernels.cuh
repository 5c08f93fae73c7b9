// What small_blocks.cu and fork_ends.cu run: kernels of kernels_small.cu, with SM, begin and end of each block.
#pragma once

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

struct Block {
    unsigned long long begin, end;
    long long cycles;
    unsigned sm, pad;
};

__device__ unsigned long long now() {
    unsigned long long time;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
    return time;
}

__device__ void note(Block* blocks, unsigned long long begin, long long clock) {
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned sm;
        asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
        blocks[blockIdx.x] = {begin, now(), clock64() - clock, sm, 0};
    }
}

__global__ void arithmetic(Block* blocks, float* out, int rounds) {
    const unsigned long long begin = now();
    const long long clock = clock64();
    float value = static_cast<float>(threadIdx.x);
    for (int i = 0; i < rounds; ++i) value = value * 1.0001f + 0.5f;
    if (value < 0) out[0] = value;
    note(blocks, begin, clock);
}

__global__ void reading(Block* blocks, float* out, const float4* data, int vectors_a_block) {
    const unsigned long long begin = now();
    const long long clock = clock64();
    const float4* own = data + static_cast<std::size_t>(blockIdx.x) * vectors_a_block;
    float sum = 0;
    for (int i = static_cast<int>(threadIdx.x); i < vectors_a_block; i += static_cast<int>(blockDim.x)) {
        const float4 v = own[i];
        sum += v.x + v.y + v.z + v.w;
    }
    if (sum < 0) out[0] = sum;
    note(blocks, begin, clock);
}

__global__ void storing(Block* blocks, float4* data, int vectors_a_block) {
    const unsigned long long begin = now();
    const long long clock = clock64();
    float4* own = data + static_cast<std::size_t>(blockIdx.x) * vectors_a_block;
    for (int i = static_cast<int>(threadIdx.x); i < vectors_a_block; i += static_cast<int>(blockDim.x)) own[i] = float4{0, 0, 0, 0};
    note(blocks, begin, clock);
}

enum class Kind { arithmetic, reading, storing };

struct Case {
    const char* name;
    Kind kind;
    int blocks, threads, size;
    std::vector<int> streams;
    bool twice;
};

void run(const Case& c, cudaStream_t in, Block* blocks, float* out, float4* data) {
    if (c.kind == Kind::arithmetic) arithmetic<<<c.blocks, c.threads, 0, in>>>(blocks, out, c.size);
    if (c.kind == Kind::reading) reading<<<c.blocks, c.threads, 0, in>>>(blocks, out, data, c.size);
    if (c.kind == Kind::storing) storing<<<c.blocks, c.threads, 0, in>>>(blocks, data, c.size);
    CHECK(cudaGetLastError());
}
