// How long a load that hits L1 takes behind stores of many lines: of its own warp, and of others.
//
//   nvcc -O3 -std=c++17 -arch=sm_90 -cudart shared -o store_shadow store_shadow.cu && ./store_shadow > store_shadow.csv
//   sassafras exec -- ./store_shadow
//
// A row `own`: warps of the block, words between the lanes of a store, of a load, stores before the load, cycles between (FFMAs), then the mean and the
// greatest cycles from behind the stores to the load's result, of warp 0, and the mean of all warps. All warps begin behind a barrier.
// A row `chain`: warps, words between lanes of a store, of a load, loads a trip (each waits for the one before), stores a trip: cycles a trip of a warp.
// A row `other`: as `own`, but the stores are of warps 1 to `warps`, and the load of warp 0, which begins with them.
#include <algorithm>
#include <cstdio>
#include <vector>

constexpr int words = 4096, rounds = 32;

__device__ __forceinline__ unsigned clock_now() {
    unsigned now;
    asm volatile("mov.u32 %0, %%clock;" : "=r"(now)::"memory");
    return now;
}
__device__ __forceinline__ unsigned warmed(const unsigned* memory) {
    unsigned sum = 0;
    for (int k = threadIdx.x; k < words; k += blockDim.x) sum += memory[k];
    return sum;
}
__device__ __forceinline__ unsigned load(const unsigned* at) {
    unsigned value;
    asm volatile("ld.global.u32 %0, [%1];" : "=r"(value) : "l"(at) : "memory");
    return value;
}
template <int stores, int gap>
__global__ void shadow(const unsigned* memory, unsigned* out, int store_words, int load_words, bool others, unsigned* spent) {
    __shared__ volatile unsigned came[32];
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    unsigned sum = warmed(memory);
    const unsigned* at = memory + lane * load_words;
    unsigned* to = out + lane * store_words + warp * 65536;
    float x = static_cast<float>(lane);
    unsigned total = 0, most = 0;
#pragma unroll 1
    for (int r = 0; r < rounds; ++r) {
        for (const unsigned now = clock_now(); clock_now() - now < 1500;) {}  // until nothing is on its way
        __syncthreads();
        if (!others || warp != 0) {
#pragma unroll
            for (int k = 0; k < stores; ++k) asm volatile("st.global.u32 [%0], %1;" ::"l"(to + k * 8192), "r"(lane) : "memory");
        }
        const unsigned begin = clock_now();
#pragma unroll
        for (int k = 0; k < gap / 4; ++k) asm volatile("fma.rn.f32 %0, %0, %0, %0;" : "+f"(x));
        if (gap != 0) at += x == 77 ? 1 : 0;  // never, but the load waits for the sum
        const unsigned value = load(at);
        came[warp] = value;
        const unsigned took = clock_now() - begin;
        at += value;  // zero
        total += took;
        most = max(most, took);
    }
    if (lane == 0) {
        spent[2 * warp] = total;
        spent[2 * warp + 1] = most;
    }
    out[threadIdx.x + 1000000] = sum + static_cast<unsigned>(x);
}
template <int loads, int stores>
__global__ void chain(const unsigned* memory, unsigned* out, int store_words, int load_words, unsigned* spent) {
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    unsigned sum = warmed(memory);
    const unsigned* at = memory + lane * load_words;
    unsigned* to = out + lane * store_words + warp * 65536;
    __syncthreads();
    const unsigned begin = clock_now();
#pragma unroll 1
    for (int r = 0; r < rounds; ++r) {
#pragma unroll
        for (int k = 0; k < loads; ++k) at += load(at + k);
#pragma unroll
        for (int k = 0; k < stores; ++k) asm volatile("st.global.u32 [%0], %1;" ::"l"(to + k * 8192 + r), "r"(static_cast<unsigned>(reinterpret_cast<std::size_t>(at))) : "memory");
    }
    const unsigned took = clock_now() - begin;
    if (lane == 0) {
        spent[2 * warp] = took;
        spent[2 * warp + 1] = took;
    }
    out[threadIdx.x + 1000000] = sum + at[0];
}

unsigned *memory, *out, *spent;
struct Result { double first, most, all; };
Result result(int warps) {
    std::vector<unsigned> h(64);
    cudaMemcpy(h.data(), spent, 8 * warps, cudaMemcpyDeviceToHost);
    Result r{h[0] / double(rounds), double(h[1]), 0};
    for (int w = 0; w < warps; ++w) r.all += h[2 * w] / double(rounds) / warps;
    return r;
}
template <int stores, int gap>
void shadows(const char* name, bool others, std::initializer_list<int> warps) {
    for (int w : warps)
        for (int store : {1, 2, 4, 8, 15, 16, 17, 32, 33})
            for (int load : {1, 33}) {
                for (int again = 0; again < 2; ++again) shadow<stores, gap><<<1, 32 * w>>>(memory, out, store, load, others, spent);
                const Result r = result(w);
                std::printf("%s,%d,%d,%d,%d,%d,%.1f,%.0f,%.1f\n", name, w, store, load, stores, gap, r.first, r.most, r.all);
            }
}
template <int loads, int stores>
void chains() {
    for (int w : {1, 4, 8, 16})
        for (int store : {1, 8, 15, 16, 17, 32, 33})
            for (int load : {1, 16, 17, 32, 33}) {
                for (int again = 0; again < 2; ++again) chain<loads, stores><<<1, 32 * w>>>(memory, out, store, load, spent);
                std::printf("chain,%d,%d,%d,%d,%d,%.1f\n", w, store, load, loads, stores, result(w).all);
            }
}
int main() {
    cudaMalloc(&memory, 4 * 65536);
    cudaMemset(memory, 0, 4 * 65536);
    cudaMalloc(&out, 16 << 20);
    cudaMalloc(&spent, 1024);
    shadows<0, 0>("own", false, {1, 4, 8});
    shadows<0, 16>("own", false, {1});
    shadows<0, 32>("own", false, {1, 4});
    shadows<0, 64>("own", false, {1, 4});
    shadows<0, 128>("own", false, {4});
    shadows<1, 0>("own", false, {1, 2, 4, 8});
    shadows<1, 16>("own", false, {1});
    shadows<1, 32>("own", false, {1, 4});
    shadows<1, 64>("own", false, {1, 4});
    shadows<1, 128>("own", false, {4});
    shadows<2, 0>("own", false, {1, 4});
    shadows<4, 0>("own", false, {1, 4});
    shadows<8, 0>("own", false, {1});
    shadows<1, 0>("other", true, {2, 3, 5});
    shadows<1, 16>("other", true, {2, 5});
    shadows<2, 0>("other", true, {2, 5});
    shadows<4, 0>("other", true, {2, 5});
    chains<0, 1>();
    chains<1, 1>();
    chains<3, 1>();
    chains<3, 0>();
    return cudaDeviceSynchronize() != cudaSuccess;
}
