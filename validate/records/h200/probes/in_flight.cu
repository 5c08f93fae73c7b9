// How many lines an SM may have under way: loads that L2 answers at once or late, and stores and reductions that L2 takes slowly.
//   nvcc -O3 -std=c++17 -arch=sm_90 -cudart shared -o in_flight in_flight.cu
//   ./in_flight > in_flight.csv; sassafras exec -- ./in_flight
// Rows:
//   loads,where,warps,each,k,cycles,first,last   one SM: each warp loads `each` times 32 lines and waits; cycles until all have, from the first's begin, k-th repetition; when the first
//                     and the last warp had theirs. where: cold (from DRAM) or hit (from L2). Unbounded, a line a cycle and the latency; bounded by B, cold takes lines * latency / B
//   stores,what,sms,order,t...   a lane of each of so many SMs stores 512 times to lines of one slice; cycles since the first store after every eighth, in the SM that is `order`-th when all are
//                     sorted by their last. Where the time of one begins to grow, so many are under way. what: st (each to another word of 8 lines), volatile (the same, strong),
//                     red (to one word), red_lines (each SM a word of its own in one line)
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>
#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { std::printf("%s: %s\n", #x, cudaGetErrorString(e)); std::exit(1); } } while (0)
constexpr unsigned many = 512, step = 8;

template <unsigned times> __global__ void __launch_bounds__(1024) loads(const char* base, unsigned* begin, unsigned* end, unsigned* sink) {
    const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    unsigned v[times];
    const char* at = base + (warp * times * 32 + lane) * 128;
    __syncthreads();
    const unsigned t0 = clock();
#pragma unroll
    for (unsigned k = 0; k < times; ++k) asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v[k]) : "l"(at + k * 32 * 128));
    unsigned sum = 0;
#pragma unroll
    for (unsigned k = 0; k < times; ++k) sum += v[k];
    asm volatile("" : "+r"(sum) :: "memory");
    const unsigned t1 = clock() + (sum & 0);
    if (sum == 1) *sink = sum;
    __syncwarp();
    if (lane == 0) { begin[warp] = t0; end[warp] = clock(); }
    if (t1 == 0) *sink = 0;
}
__global__ void fill(uint4* at, std::size_t count) {
    for (std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; i < count; i += std::size_t(gridDim.x) * blockDim.x) at[i] = make_uint4(0, 0, 0, 0);
}
template <int what> __global__ void stores(unsigned* base, const unsigned* lines, unsigned* times, unsigned* arrived, unsigned sms) {
    __shared__ unsigned t[many / step + 1];
    if (blockIdx.x >= sms || threadIdx.x != 0) return;
    unsigned* line[8];
#pragma unroll
    for (int k = 0; k < 8; ++k) line[k] = base + lines[k] * 32 + (what == 2 ? 0 : blockIdx.x % 32);
    unsigned value = blockIdx.x;
    atomicAdd(arrived, 1);
    while (*static_cast<volatile unsigned*>(arrived) < sms) {}
    t[0] = clock();
#pragma unroll 1
    for (unsigned i = 0; i < many / step; ++i) {
#pragma unroll
        for (unsigned k = 0; k < step; ++k) {
            if (what == 0) asm volatile("st.global.u32 [%0], %1;" :: "l"(line[k]), "r"(value) : "memory");
            if (what == 1) asm volatile("st.volatile.global.u32 [%0], %1;" :: "l"(line[k]), "r"(value) : "memory");
            if (what >= 2) asm volatile("red.global.add.u32 [%0], %1;" :: "l"(line[0]), "r"(value) : "memory");
        }
        t[i + 1] = clock();
    }
    for (unsigned i = 0; i <= many / step; ++i) times[blockIdx.x * (many / step + 1) + i] = t[i] - t[0];
}

char* base;
unsigned *begin, *end, *sink;
uint4* other;
const std::size_t other_bytes = 256U << 20U;
template <unsigned times> void run_loads(int warps, bool cold, int repetition) {
    fill<<<264, 1024>>>(other, other_bytes / 16);
    const char* at = base + (repetition + (cold ? 8 : 0)) * (1U << 20U) * 4;
    // Of each page a word that is not asked for again: its translation is known.
    loads<1><<<1, 32>>>(at + (3U << 19U), begin, end, sink);
    if (!cold) loads<times><<<1, 32 * warps>>>(at, begin, end, sink);
    loads<times><<<1, 32 * warps>>>(at, begin, end, sink);
    std::vector<unsigned> b(warps), there(warps);
    CHECK(cudaMemcpy(b.data(), begin, warps * 4, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(there.data(), end, warps * 4, cudaMemcpyDeviceToHost));
    const unsigned first = *std::min_element(b.begin(), b.end());
    for (unsigned& t : there) t -= first;
    std::sort(there.begin(), there.end());
    std::printf("loads,%s,%d,%u,%d,%u,%u,%u\n", cold ? "cold" : "hit", warps, times, repetition, there.back(), there.front(), there.back());
}
template <unsigned times> void all_loads() {
    for (int warps : {1, 4, 8, 16, 32})
        for (int cold = 0; cold < 2; ++cold)
            for (int repetition = 0; repetition < 3; ++repetition) run_loads<times>(warps, cold != 0, repetition);
}
unsigned *lines, *times, *arrived;
template <int what> void run_stores(const char* name) {
    for (unsigned sms : {1U, 8U, 33U, 132U}) {
        std::vector<unsigned> host(132 * (many / step + 1));
        for (int launch = 0; launch < 2; ++launch) {
            CHECK(cudaMemset(arrived, 0, 4));
            stores<what><<<132, 32>>>(reinterpret_cast<unsigned*>(base), lines, times, arrived, sms);
            CHECK(cudaMemcpy(host.data(), times, host.size() * 4, cudaMemcpyDeviceToHost));
        }
        std::vector<unsigned> order(sms);
        for (unsigned i = 0; i < sms; ++i) order[i] = i;
        std::sort(order.begin(), order.end(), [&](unsigned a, unsigned b) { return host[(a + 1) * (many / step + 1) - 1] < host[(b + 1) * (many / step + 1) - 1]; });
        for (unsigned k : {0U, sms / 2, sms - 1}) {
            std::printf("stores,%s,%u,%u", name, sms, k);
            for (unsigned i = 0; i <= many / step; ++i) std::printf(",%u", host[order[k] * (many / step + 1) + i]);
            std::printf("\n");
        }
    }
}
int main() {
    CHECK(cudaMalloc(&base, 128U << 20U));
    CHECK(cudaMemset(base, 0, 128U << 20U));
    CHECK(cudaMalloc(&other, other_bytes));
    CHECK(cudaMalloc(&begin, 4096));
    CHECK(cudaMalloc(&end, 4096));
    CHECK(cudaMalloc(&sink, 4096));
    CHECK(cudaMalloc(&lines, 64));
    CHECK(cudaMalloc(&times, 132 * (many / step + 1) * 4));
    CHECK(cudaMalloc(&arrived, 4));
    all_loads<1>(); all_loads<2>(); all_loads<4>(); all_loads<8>();
    // Eight lines of one slice, of 128 KiB that begin at a multiple of it, by the rule of slice_map.cu: bits 7 to 16 of an address.
    const unsigned slice_bits[] = {0, 8, 0, 20, 33, 8, 21, 34, 4, 31}, partition_bits[] = {0, 0, 0, 0, 0, 1, 1, 0, 1, 0};
    std::vector<unsigned> found;
    for (unsigned line = 0; line < 1024 && found.size() < 8; ++line) {
        unsigned slice = 0, partition = 0;
        for (unsigned bit = 0; bit < 10; ++bit) if (line >> bit & 1U) { slice ^= slice_bits[bit]; partition ^= partition_bits[bit]; }
        if (slice == 0 && partition == 0) found.push_back(line);
    }
    std::printf("lines,%zu", found.size());
    for (unsigned line : found) std::printf(",%u", line);
    std::printf("\n");
    while (found.size() < 8) found.push_back(found[found.size() / 2]);
    CHECK(cudaMemcpy(lines, found.data(), 32, cudaMemcpyHostToDevice));
    run_stores<0>("st"); run_stores<1>("volatile"); run_stores<2>("red"); run_stores<3>("red_lines");
}
