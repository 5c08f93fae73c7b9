// How often a sub-core, and an SM, hands an instruction to the memory unit, by its registers. Prints CSV: cycles for each instruction of a warp.
//   nvcc -O3 -std=c++17 -arch=sm_90 -cudart shared -o lsu_entry lsu_entry.cu
//   ./lsu_entry; sassafras exec -- ./lsu_entry
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>
#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { std::printf("%s: %s\n", #x, cudaGetErrorString(e)); std::exit(1); } } while (0)
constexpr int rounds = 64, flight = 8;
enum Kind { ldg4, ldg8, ldg16, ldl4, lds4, lds8, lds16, stg4, stg8, stg16, stl4, stl8, stl16, sts4, sts8, sts16, shfl, red, atoms, lds_atom, ldsm, kinds };
const char* names[] = {"ldg4", "ldg8", "ldg16", "ldl4", "lds4", "lds8", "lds16", "stg4", "stg8", "stg16", "stl4", "stl8", "stl16", "sts4", "sts8", "sts16", "shfl", "red", "atoms", "atoms_result", "ldsm"};
template <int kind, int one> __global__ void instructions(unsigned* memory, long long* spent, unsigned* sink, unsigned zero, int touch) {
    __shared__ __align__(16) unsigned words[8192];
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    if (one && warp % 4 != 0) return;
    for (unsigned k = threadIdx.x; k < 8192; k += blockDim.x) words[k] = 0;
    unsigned room[64];
    if (kind == ldl4 || kind == stl4 || kind == stl8 || kind == stl16) for (int k = 0; k < 64; k += touch) room[k] = k;
    unsigned* at = memory; unsigned place = static_cast<unsigned>(__cvta_generic_to_shared(words)), local = static_cast<unsigned>(__cvta_generic_to_local(room)), index = 0;
    if (kind == red) at += lane;
    unsigned sum = lane;
    __syncthreads();
    const long long begin = clock64();
#pragma unroll 1
    for (int r = 0; r < rounds; ++r) {
        unsigned v[flight][4];
#pragma unroll
        for (int k = 0; k < flight; ++k) {
            v[k][0] = v[k][1] = v[k][2] = v[k][3] = 0;
            const unsigned* g = at + k * 32; const unsigned s = place + k * 128, l = local + k * 32;
            if (kind == ldg4) asm volatile("ld.global.u32 %0, [%1];" : "=r"(v[k][0]) : "l"(g));
            if (kind == ldg8) asm volatile("ld.global.v2.u32 {%0, %1}, [%2];" : "=r"(v[k][0]), "=r"(v[k][1]) : "l"(g));
            if (kind == ldg16) asm volatile("ld.global.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(v[k][0]), "=r"(v[k][1]), "=r"(v[k][2]), "=r"(v[k][3]) : "l"(g));
            if (kind == ldl4) asm volatile("ld.local.u32 %0, [%1];" : "=r"(v[k][0]) : "r"(l));
            if (kind == lds4) asm volatile("ld.shared.u32 %0, [%1];" : "=r"(v[k][0]) : "r"(s));
            if (kind == lds8) asm volatile("ld.shared.v2.u32 {%0, %1}, [%2];" : "=r"(v[k][0]), "=r"(v[k][1]) : "r"(s));
            if (kind == lds16) asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(v[k][0]), "=r"(v[k][1]), "=r"(v[k][2]), "=r"(v[k][3]) : "r"(s));
            if (kind == stg4) asm volatile("st.global.u32 [%0], %1;" :: "l"(g), "r"(sum));
            if (kind == stg8) asm volatile("st.global.v2.u32 [%0], {%1, %2};" :: "l"(g), "r"(sum), "r"(sum + 1));
            if (kind == stg16) asm volatile("st.global.v4.u32 [%0], {%1, %2, %3, %4};" :: "l"(g), "r"(sum), "r"(sum + 1), "r"(sum + 2), "r"(sum + 3));
            if (kind == stl4) asm volatile("st.local.u32 [%0], %1;" :: "r"(l), "r"(sum));
            if (kind == stl8) asm volatile("st.local.v2.u32 [%0], {%1, %2};" :: "r"(l), "r"(sum), "r"(sum + 1));
            if (kind == stl16) asm volatile("st.local.v4.u32 [%0], {%1, %2, %3, %4};" :: "r"(l), "r"(sum), "r"(sum + 1), "r"(sum + 2), "r"(sum + 3));
            if (kind == sts4) asm volatile("st.shared.u32 [%0], %1;" :: "r"(s), "r"(sum));
            if (kind == sts8) asm volatile("st.shared.v2.u32 [%0], {%1, %2};" :: "r"(s), "r"(sum), "r"(sum + 1));
            if (kind == sts16) asm volatile("st.shared.v4.u32 [%0], {%1, %2, %3, %4};" :: "r"(s), "r"(sum), "r"(sum + 1), "r"(sum + 2), "r"(sum + 3));
            if (kind == shfl) asm volatile("shfl.sync.bfly.b32 %0, %1, %2, 0x1f, -1;" : "=r"(v[k][0]) : "r"(sum + k), "r"(k));
            if (kind == red) asm volatile("red.global.add.u32 [%0], %1;" :: "l"(g), "r"(zero));
            if (kind == atoms) asm volatile("red.shared.add.u32 [%0], %1;" :: "r"(s + lane * 4), "r"(zero));
            if (kind == lds_atom) asm volatile("atom.shared.add.u32 %0, [%1], %2;" : "=r"(v[k][0]) : "r"(s + lane * 4), "r"(zero));
            if (kind == ldsm) asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(v[k][0]) : "r"(s + lane % 8 * 16));
        }
        unsigned all = 0;
#pragma unroll
        for (int k = 0; k < flight; ++k) for (int i = 0; i < 4; ++i) all |= v[k][i];
        if (kind < stg4 || kind >= shfl) sum += all;
        at += zero; place += zero; local += zero; index += zero;
    }
    const long long end = clock64();
    if (lane == 0) { spent[warp * 2] = begin; spent[warp * 2 + 1] = end; }
    if (kind == ldl4 || kind == stl4 || kind == stl8 || kind == stl16) sum += room[zero];
    sink[threadIdx.x] = sum;
}
unsigned *memory, *sink; long long* spent;
template <int kind, int one> void run() {
    std::vector<long long> host(64);
    for (int warps : {1, 2, 4, 8, 16, 32}) {
        if (one && warps > 8) continue;
        double least = 1e30;
        for (int launch = 0; launch < 2; ++launch) {
            CHECK(cudaMemset(spent, 0, 1024));
            instructions<kind, one><<<1, 32 * warps * (one ? 4 : 1)>>>(memory, spent, sink, 0, 1);
            CHECK(cudaGetLastError());
            CHECK(cudaMemcpy(host.data(), spent, 512, cudaMemcpyDeviceToHost));
            long long first = 1LL << 62, last = 0;
            for (int w = 0; w < 32; ++w) if (host[2 * w] != 0) { first = std::min(first, host[2 * w]); last = std::max(last, host[2 * w + 1]); }
            least = std::min(least, double(last - first) / (rounds * flight * warps));
        }
        std::printf("%s,%d,%d,%.3f\n", names[kind], one, warps, least);
    }
}
template <int kind> void all() { run<kind, 0>(); run<kind, 1>(); if constexpr (kind + 1 < kinds) all<kind + 1>(); }
int main() {
    CHECK(cudaMalloc(&memory, 1 << 20)); CHECK(cudaMemset(memory, 0, 1 << 20)); CHECK(cudaMalloc(&spent, 1024)); CHECK(cudaMalloc(&sink, 8192));
    std::printf("instruction,one_subcore,warps,cycles\n");
    all<0>();
}
