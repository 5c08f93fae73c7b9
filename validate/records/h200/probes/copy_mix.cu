// What loads and stores of whole lines do to each other, by where either go: DRAM or lines that L2 has. A launch for each row, behind two that empty L2 and fill it.
//   nvcc -O3 -std=c++17 -arch=sm_90 -cudart shared -o copy_mix copy_mix.cu
//   ncu --clock-control none --cache-control none -k regex:work --metrics sm__cycles_elapsed.max,dram__bytes_read.sum,dram__bytes_write.sum,lts__t_sectors_op_read.sum,lts__t_sectors_op_write.sum --csv ./copy_mix
// Prints the launches in order: loads of, stores to, warps an SM, loads of a warp under way, lines of all warps.
#include <cstdio>
#include <cstdlib>
#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { std::printf("%s: %s\n", #x, cudaGetErrorString(e)); std::exit(1); } } while (0)
template <bool loads, bool stores, int ilp>
__global__ void work(const char* from, char* to, unsigned from_mask, unsigned to_mask, unsigned rounds, unsigned* sink) {
    const unsigned warps = gridDim.x * blockDim.x / 32;
    const unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    const unsigned lane = threadIdx.x % 32;
    unsigned sum = 0;
    for (unsigned round = 0; round < rounds; ++round) {
        unsigned value[ilp];
#pragma unroll
        for (int j = 0; j < ilp; ++j) {
            const unsigned number = (round * ilp + j) * warps + warp;
            value[j] = 0;
            if (loads) asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(value[j]) : "l"(from + size_t{number & from_mask} * 128 + lane * 4 + sum));
        }
#pragma unroll
        for (int j = 0; j < ilp; ++j) {
            const unsigned number = (round * ilp + j) * warps + warp;
            if (stores) asm volatile("st.global.u32 [%0], %1;" ::"l"(to + size_t{number & to_mask} * 128 + lane * 4), "r"(value[j]) : "memory");
            sum += value[j];
        }
    }
    if (sum != 0) *sink = sum;
}
__global__ void touch(const uint4* from, size_t count, unsigned* sink) {
    unsigned sum = 0;
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) sum += from[i].x;
    if (sum == 12345) *sink = sum;
}
char *from, *to;
unsigned* sink;
template <bool loads, bool stores, int ilp>
void row(const char* name, bool from_l2, bool to_l2, unsigned warps_an_sm, unsigned lines) {
    const unsigned blocks = 132 * (warps_an_sm / 8), warps = blocks * 8;
    const unsigned mask_l2 = (8u << 13) - 1, mask_dram = (256u << 13) - 1;
    touch<<<1056, 256>>>(reinterpret_cast<const uint4*>(from + (256u << 20)), (256u << 20) / 16, sink);
    for (int i = 0; i < 2; ++i) {
        if (from_l2) touch<<<1056, 256>>>(reinterpret_cast<const uint4*>(from), (8u << 20) / 16, sink);
        if (to_l2) touch<<<1056, 256>>>(reinterpret_cast<const uint4*>(to), (8u << 20) / 16, sink);
    }
    const unsigned rounds = lines / warps / ilp == 0 ? 1 : lines / warps / ilp;
    work<loads, stores, ilp><<<blocks, 256>>>(from, to, from_l2 ? mask_l2 : mask_dram, to_l2 ? mask_l2 : mask_dram, rounds, sink);
    CHECK(cudaDeviceSynchronize());
    std::printf("launch,%s,%u,%d,%u\n", name, warps_an_sm, ilp, warps * rounds * ilp);
}
template <int ilp>
void rows(unsigned warps) {
    for (unsigned lines : {68000u, 136000u}) {
        row<true, false, ilp>("dram,-", false, false, warps, lines);
        row<true, false, ilp>("l2,-", true, false, warps, lines);
        row<false, true, ilp>("-,new", false, false, warps, lines);
        row<false, true, ilp>("-,l2", false, true, warps, lines);
        row<true, true, ilp>("dram,new", false, false, warps, lines);
        row<true, true, ilp>("dram,l2", false, true, warps, lines);
        row<true, true, ilp>("l2,new", true, false, warps, lines);
        row<true, true, ilp>("l2,l2", true, true, warps, lines);
    }
}
int main() {
    CHECK(cudaMalloc(&from, 512u << 20)); CHECK(cudaMalloc(&to, 256u << 20)); CHECK(cudaMalloc(&sink, 4));
    CHECK(cudaMemset(from, 0, 512u << 20)); CHECK(cudaMemset(to, 0, 256u << 20));
    for (unsigned warps : {8u, 32u, 64u}) {
        rows<1>(warps);
        rows<4>(warps);
    }
}
