// What stores cost an SM, by the lines and words that they touch, and what conflicts cost warps of one sub-core. Prints CSV: cycles of the SM for each instruction of a warp.
//   nvcc -O3 -std=c++17 -arch=sm_90 -cudart shared -o l1_stores l1_stores.cu
//   ./l1_stores; sassafras exec -- ./l1_stores
// global: lanes write words `lane` words apart, stores `step` words apart, warps `warp`. shared_load, shared_store, shared_atomic: words `lane` apart.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>
#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { std::printf("%s: %s\n", #x, cudaGetErrorString(e)); std::exit(1); } } while (0)
constexpr int rounds = 32, flight = 8;
enum Kind { store, load, shared_load, shared_store, shared_atomic, kinds };
const char* names[] = {"store", "load", "shared_load", "shared_store", "shared_atomic"};
template <int kind, int width, int one> __global__ void work(unsigned* memory, long long* spent, unsigned* sink, int lane_words, int step_words, int warp_words, unsigned zero) {
    extern __shared__ __align__(16) unsigned words[];
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    if (one && warp % 4 != 0) return;
    unsigned* at = memory + lane * lane_words + (one ? warp / 4 : warp) * warp_words;
    unsigned place = static_cast<unsigned>(__cvta_generic_to_shared(words)) + lane * lane_words * 4;
    unsigned sum = lane;
    if (kind >= shared_load) for (unsigned k = threadIdx.x; k < 12288; k += blockDim.x) words[k] = 0;
    __syncthreads();
    const long long begin = clock64();
#pragma unroll 1
    for (int r = 0; r < rounds; ++r) {
        unsigned v[flight][4];
#pragma unroll
        for (int k = 0; k < flight; ++k) {
            v[k][0] = v[k][1] = v[k][2] = v[k][3] = 0;
            if (kind == store && width == 4) asm volatile("st.global.u32 [%0], %1;" :: "l"(at), "r"(sum));
            if (kind == store && width == 16) asm volatile("st.global.v4.u32 [%0], {%1, %2, %3, %4};" :: "l"(at), "r"(sum), "r"(sum + 1), "r"(sum + 2), "r"(sum + 3));
            if (kind == load && width == 4) asm volatile("ld.global.u32 %0, [%1];" : "=r"(v[k][0]) : "l"(at));
            if (kind == shared_load && width == 4) asm volatile("ld.shared.u32 %0, [%1];" : "=r"(v[k][0]) : "r"(place + k * 4));
            if (kind == shared_load && width == 16) asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(v[k][0]), "=r"(v[k][1]), "=r"(v[k][2]), "=r"(v[k][3]) : "r"(place + k * 16));
            if (kind == shared_store && width == 4) asm volatile("st.shared.u32 [%0], %1;" :: "r"(place + k * 4), "r"(sum));
            if (kind == shared_store && width == 16) asm volatile("st.shared.v4.u32 [%0], {%1, %2, %3, %4};" :: "r"(place + k * 16), "r"(sum), "r"(sum + 1), "r"(sum + 2), "r"(sum + 3));
            if (kind == shared_atomic) asm volatile("atom.shared.add.u32 %0, [%1], %2;" : "=r"(v[k][0]) : "r"(place + k * 4), "r"(zero));
            if (kind == store || kind == load) at += step_words;
        }
        unsigned all = 0;
#pragma unroll
        for (int k = 0; k < flight; ++k) for (int i = 0; i < 4; ++i) all |= v[k][i];
        if (kind != store && kind != shared_store) sum += all;
        place += zero; at += zero;
    }
    const long long end = clock64();
    if (lane == 0) { spent[warp * 2] = begin; spent[warp * 2 + 1] = end; }
    sink[threadIdx.x] = sum;
}
unsigned *memory, *sink; long long* spent;
template <int kind, int width, int one> void run(int lane_words, int step_words, int warp_words) {
    std::vector<long long> host(64);
    for (int warps : {1, 2, 4, 8, 16, 32}) {
        if (one && warps > 8) continue;
        double least = 1e30;
        for (int launch = 0; launch < 2; ++launch) {
            CHECK(cudaMemset(spent, 0, 1024));
            CHECK(cudaFuncSetAttribute(work<kind, width, one>, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536));
            work<kind, width, one><<<1, 32 * warps * (one ? 4 : 1), kind >= shared_load ? 65536 : 0>>>(memory, spent, sink, lane_words, step_words, warp_words, 0);
            CHECK(cudaGetLastError());
            CHECK(cudaMemcpy(host.data(), spent, 512, cudaMemcpyDeviceToHost));
            long long first = 1LL << 62, last = 0;
            for (int w = 0; w < 32; ++w) if (host[2 * w] != 0) { first = std::min(first, host[2 * w]); last = std::max(last, host[2 * w + 1]); }
            least = std::min(least, double(last - first) / (rounds * flight * warps));
        }
        std::printf("%s,%d,%d,%d,%d,%d,%d,%.3f\n", names[kind], width, lane_words, step_words, warp_words, one, warps, least);
    }
}
template <int kind, int width> void both(int lane_words, int step_words = 0, int warp_words = 0) { run<kind, width, 0>(lane_words, step_words, warp_words); run<kind, width, 1>(lane_words, step_words, warp_words); }
int main() {
    CHECK(cudaMalloc(&memory, 256 << 20)); CHECK(cudaMemset(memory, 0, 256 << 20)); CHECK(cudaMalloc(&spent, 1024)); CHECK(cudaMalloc(&sink, 8192));
    std::printf("kind,width,lane,step,warp,one,warps,cycles\n");
    for (int lane : {0, 1, 2, 4, 8, 16, 32, 33}) {
        both<store, 4>(lane, 0, 0);                          // the same words again and again
        both<store, 4>(lane, lane == 0 ? 32 : 32 * lane, 256 * 32 * (lane == 0 ? 1 : lane));  // new ones each time
    }
    for (int lane : {4, 8, 32, 36}) { both<store, 16>(lane, 0, 0); both<store, 16>(lane, 32 * lane, 256 * 32 * lane); }
    for (int lane : {1, 2, 4, 8, 16, 32}) { both<shared_load, 4>(lane); both<shared_store, 4>(lane); both<shared_atomic, 4>(lane); }
    for (int lane : {4, 8, 16, 32}) { both<shared_load, 16>(lane); both<shared_store, 16>(lane); }
    for (int lane : {8, 16, 32}) both<load, 4>(lane, 0, 0);
}
