// Which SMs' reads of the same lines become one on their way to L2. The SMs of a launch (a mask) read the same memory, line after line, from the same moment
// on; Nsight Compute counts the sectors that L2 was asked for. Prints the launches in order. With arguments, SMs of one GPC, only rows of the first 1, 2, 3
// ... of them: which SMs are of one GPC differs from card to card (who_runs_where.cu).
//   nvcc -O3 -std=c++17 -arch=sm_90 -cudart shared -o coalescer coalescer.cu
//   ncu --csv --page raw --cache-control none --clock-control none --metrics lts__t_sectors_srcunit_tex_op_read.sum,lts__t_requests_srcunit_tex_op_read.sum ./coalescer
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>
#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { std::printf("%s: %s\n", #x, cudaGetErrorString(e)); std::exit(1); } } while (0)
struct Mask { unsigned bits[5]; unsigned delay[5][1]; };
struct Arguments { unsigned char chosen[132]; unsigned short delay[132]; unsigned count; };
// Each chosen SM: `warps` warps, each `deep` loads under way; lines of `bytes` together are read once by each SM.
template <int deep, bool through_l1> __global__ void read(Arguments a, const char* memory, unsigned lines, unsigned warps, unsigned* arrived, unsigned long long* when, unsigned* sink) {
    unsigned sm; asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    if (!a.chosen[sm]) return;
    __shared__ unsigned long long start;
    if (threadIdx.x == 0) {
        unsigned long long now;
        if (atomicAdd(arrived, 1) == a.count - 1) { asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now)); atomicExch(when, now + 3000); }
        while ((start = *(volatile unsigned long long*)when) == 0) {}
    }
    __syncthreads();
    unsigned long long now; const unsigned long long until = start;
    do asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now)); while (now < until);
    const long long from = clock64(); while (clock64() < from + a.delay[sm]) {}
    const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (warp >= warps) return;
    unsigned x = 0;
    for (unsigned i = warp * deep; i < lines; i += warps * deep) {
        unsigned v[deep];
#pragma unroll
        for (int k = 0; k < deep; ++k)
            if (through_l1) asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(v[k]) : "l"(memory + (i + k) * 128ull + lane * 4 + x) : "memory");
            else asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v[k]) : "l"(memory + (i + k) * 128ull + lane * 4 + x) : "memory");
#pragma unroll
        for (int k = 0; k < deep; ++k) x += v[k];
    }
    if (x == 77) *sink = x;
}
char* memory; unsigned* arrived; unsigned long long* when; unsigned* sink;
template <int deep, bool ca> void launch(const std::string& name, const std::vector<unsigned>& sms, const std::vector<unsigned>& delays, unsigned lines, unsigned warps) {
    Arguments a{}; a.count = sms.size();
    for (size_t i = 0; i < sms.size(); ++i) { a.chosen[sms[i]] = 1; a.delay[sms[i]] = i < delays.size() ? delays[i] : 0; }
    CHECK(cudaMemset(arrived, 0, 4)); CHECK(cudaMemset(when, 0, 8));
    read<deep, ca><<<132, 1024>>>(a, memory, lines, warps, arrived, when, sink);
    CHECK(cudaDeviceSynchronize());
    std::printf("%s,%zu,%u,%u,%d,%d\n", name.c_str(), sms.size(), lines, warps, deep, ca);
}
int main(int argc, char** argv) {
    CHECK(cudaMalloc(&memory, 64u << 20)); CHECK(cudaMemset(memory, 0, 64u << 20)); CHECK(cudaMalloc(&arrived, 4)); CHECK(cudaMalloc(&when, 8)); CHECK(cudaMalloc(&sink, 4));
    CHECK(cudaFuncSetAttribute(read<1, false>, cudaFuncAttributeMaxDynamicSharedMemorySize, 0));
    std::printf("name,sms,lines,warps,deep,ca\n");
    if (argc > 1) {
        std::vector<unsigned> s;
        for (int m = 1; m < argc; ++m) {
            s.push_back(std::atoi(argv[m]));
            launch<1, false>("gpc " + std::to_string(m), s, {}, 512, 1);
            launch<8, false>("gpc deep " + std::to_string(m), s, {}, 2048, 8);
        }
        return 0;
    }
    for (unsigned j = 1; j < 132; ++j) launch<1, false>("pair 0 " + std::to_string(j), {0, j}, {}, 512, 1);
    for (unsigned j : {0u, 1u, 2u, 3u, 4u, 5u, 6u, 8u, 16u, 18u, 20u, 32u, 34u, 64u, 122u, 124u, 128u, 130u}) if (j != 2) launch<1, false>("pair 2 " + std::to_string(j), {2, j}, {}, 512, 1);
    for (unsigned d : {0u, 20u, 50u, 100u, 150u, 200u, 250u, 300u, 400u, 600u, 1000u, 2000u, 4000u}) launch<1, false>("delay 16 " + std::to_string(d), {0, 16}, {0, d}, 512, 1);
    for (unsigned d : {0u, 20u, 50u, 100u, 150u, 200u, 250u, 300u, 400u, 600u, 1000u, 2000u, 4000u}) launch<1, false>("delay 1 " + std::to_string(d), {0, 1}, {0, d}, 512, 1);
    for (unsigned d : {0u, 20u, 50u, 100u, 150u, 200u, 250u, 300u, 400u, 600u, 1000u, 2000u, 4000u}) launch<8, false>("deep delay 16 " + std::to_string(d), {0, 16}, {0, d}, 2048, 8);
    for (unsigned d : {0u, 50u, 200u, 600u, 2000u}) launch<8, false>("deep delay 1 " + std::to_string(d), {0, 1}, {0, d}, 2048, 8);
    for (unsigned m = 1; m <= 9; ++m) { std::vector<unsigned> s; for (unsigned i = 0; i < m; ++i) s.push_back(16 * (i / 2) + i % 2); if (s.back() < 132) launch<1, false>("gpc " + std::to_string(m), s, {}, 512, 1); }
    for (unsigned m = 1; m <= 9; ++m) { std::vector<unsigned> s; for (unsigned i = 0; i < m; ++i) s.push_back(16 * (i / 2) + i % 2); if (s.back() < 132) launch<8, false>("gpc deep " + std::to_string(m), s, {}, 2048, 8); }
    for (unsigned m : {2u, 4u, 6u, 8u, 12u, 16u, 32u, 64u, 132u}) { std::vector<unsigned> s; for (unsigned i = 0; i < m; ++i) s.push_back(i); launch<1, false>("first " + std::to_string(m), s, {}, 512, 1); launch<8, false>("first deep " + std::to_string(m), s, {}, 2048, 8); launch<8, true>("first deep ca " + std::to_string(m), s, {}, 2048, 8); }
}
