// How long loads from and stores to shared memory take whose words conflict, alone and in turns, by several warps of an SM.
//
//   nvcc -O3 -std=c++17 -arch=sm_90 -cudart shared -o shared_mix shared_mix.cu && ./shared_mix > shared_mix.csv
//   sassafras exec -- ./shared_mix
//
// A row: what a round is (L: a load that waits for the one before, S: a store of what was loaded last, B: a barrier of the block), warps of a block,
// blocks of an SM, words between lanes of a load, of a store, lanes that take part; cycles of a round from the first warp's
// begin to the last one's end, and of the quickest warp.
#include <algorithm>
#include <cstdio>
#include <vector>

constexpr int rounds = 32;

__device__ __forceinline__ unsigned now() {
    unsigned t;
    asm volatile("mov.u32 %0, %%clock;" : "=r"(t)::"memory");
    return t;
}
__device__ __forceinline__ unsigned load(unsigned at) {
    unsigned value;
    asm volatile("ld.shared.u32 %0, [%1];" : "=r"(value) : "r"(at) : "memory");
    return value;
}
__device__ __forceinline__ void store(unsigned at, unsigned value) { asm volatile("st.shared.u32 [%0], %1;" ::"r"(at), "r"(value) : "memory"); }

template <int loads, int stores, bool barrier> __global__ void mix(int load_words, int store_words, unsigned lanes, unsigned* out) {
    extern __shared__ unsigned words[];
    for (int k = threadIdx.x; k < 1024; k += blockDim.x) words[k] = 0;
    const unsigned base = static_cast<unsigned>(__cvta_generic_to_shared(words));
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const unsigned from = base + lane * load_words % 1024 * 4;
    const unsigned to = base + lane * store_words % 1024 * 4;
    unsigned x = 0;
    __syncthreads();
    const unsigned begin = now();
#pragma unroll 1
    for (int r = 0; r < rounds; ++r) {
        if (lane < lanes) {
#pragma unroll
            for (int k = 0; k < loads; ++k) x = load(from + x);
#pragma unroll
            for (int k = 0; k < stores; ++k) store(to, x);
        }
        if (barrier) __syncthreads();
    }
    const unsigned end = now();
    if (lane == 0) {
        unsigned* mine = out + (blockIdx.x * (blockDim.x / 32) + warp) * 2;
        mine[0] = begin;
        mine[1] = end + (x == 77 ? 1 : 0);
    }
}
unsigned* out;
template <int loads, int stores, bool barrier> void rows(const char* name) {
    cudaFuncSetAttribute(mix<loads, stores, barrier>, cudaFuncAttributeMaxDynamicSharedMemorySize, 100 * 1024);
    for (int blocks : {1, 2})
        for (int warps : {1, 2, 4, 8, 16, 32}) {
            if (blocks == 2 && warps != 32) continue;
            for (int words : {1, 2, 4, 8, 16, 32})
                for (int lanes : {32, 8, 0}) {
                    if (lanes != 32 && words != 8 && words != 32) continue;
                    const bool alike = stores == 0 || words == 1 || words == 4 || words == 16;
                    for (int of_store : alike ? std::vector{words} : std::vector{words, 1}) {
                        std::vector<unsigned> host(warps * 2);
                        double least = 1e30, quickest = 1e30;
                        // With two blocks to each SM the first block is asked.
                        for (int again = 0; again < 2; ++again) {
                            mix<loads, stores, barrier><<<blocks == 1 ? 1 : 264, 32 * warps, 4096>>>(words, of_store, lanes, out);
                            cudaMemcpy(host.data(), out, host.size() * 4, cudaMemcpyDeviceToHost);
                            unsigned first = host[0], last = host[1], alone = ~0U;
                            for (int w = 0; w < warps; ++w) {
                                if (int(host[2 * w] - first) < 0) first = host[2 * w];
                                if (int(host[2 * w + 1] - last) > 0) last = host[2 * w + 1];
                                alone = std::min(alone, host[2 * w + 1] - host[2 * w]);
                            }
                            least = std::min(least, double(last - first) / rounds);
                            quickest = std::min(quickest, double(alone) / rounds);
                        }
                        std::printf("%s,%d,%d,%d,%d,%d,%.1f,%.1f\n", name, warps, blocks, words, of_store, lanes, least, quickest);
                    }
                }
        }
}
int main() {
    cudaMalloc(&out, 1 << 20);
    std::printf("round,warps,blocks,load_words,store_words,lanes,cycles,quickest\n");
    rows<1, 0, false>("L");
    rows<2, 0, false>("LL");
    rows<0, 1, false>("S");
    rows<0, 2, false>("SS");
    rows<1, 1, false>("LS");
    rows<2, 1, false>("LLS");
    rows<2, 1, true>("LLSB");
    rows<0, 1, true>("SB");
    rows<1, 0, true>("LB");
    if (cudaDeviceSynchronize() != cudaSuccess) std::printf("failed\n");
}
