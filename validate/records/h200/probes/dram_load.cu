// How fast DRAM answers by how much of it is asked for at once, and in which order: a launch for each row of the table in main().
// Each warp has `ilp` accesses under way, and goes on when all of them have come. Counted by Nsight Compute:
//   nvcc -O3 -std=c++17 -arch=sm_90 -cudart shared -o dram_load dram_load.cu
//   ncu --clock-control none --cache-control all --metrics sm__cycles_elapsed.max,dram__bytes_read.sum,dram__bytes_write.sum,lts__t_sectors_op_read.sum,lts__t_sectors_op_write.sum --csv ./dram_load
// Prints the launches in order: kind, order, warps an SM, accesses under way, requests of all warps, MiB they are drawn from.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { std::printf("%s: %s\n", #x, cudaGetErrorString(e)); std::exit(1); } } while (0)
enum Kind { reads, writes, copies };
enum Order { in_order, in_chunks, any_line, any_sector, sectors_64, sectors_128, any_word };
__device__ unsigned mixed(unsigned x) {
    x *= 2654435761u;
    x ^= x >> 15;
    x *= 2246822519u;
    return x ^ (x >> 13);
}
template <int kind, int order, int ilp>
__global__ void work(char* base, char* to, unsigned line_mask, unsigned rounds, unsigned* sink) {
    const unsigned warps = gridDim.x * blockDim.x / 32;
    const unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    const unsigned lane = threadIdx.x % 32;
    unsigned sum = 0;
    for (unsigned round = 0; round < rounds; ++round) {
        unsigned value[ilp];
#pragma unroll
        for (int j = 0; j < ilp; ++j) {
            const unsigned turn = round * ilp + j;
            const unsigned number = turn * warps + warp;
            size_t at;
            if (order == in_order) at = size_t{number & line_mask} * 128 + lane * 4;
            else if (order == in_chunks) at = size_t{(warp * rounds * ilp + turn) & line_mask} * 128 + lane * 4;
            else if (order == any_line) at = size_t{mixed(number) & line_mask} * 128 + lane * 4;
            else if (order == any_sector || order == any_word) at = size_t{mixed(number * 32 + lane) & (line_mask * 4 + 3)} * 32;
            else if (order == sectors_64) at = size_t{(number * 32 + lane) & (line_mask * 2 + 1)} * 64;
            else at = size_t{(number * 32 + lane) & line_mask} * 128;
            if (kind != writes) asm volatile("ld.global.u32 %0, [%1];" : "=r"(value[j]) : "l"(base + at + sum));
            if (kind == writes) {
                if (order == any_sector || order == sectors_64 || order == sectors_128)
                    asm volatile("{st.global.v4.u32 [%0], {%1, %1, %1, %1};\n st.global.v4.u32 [%0 + 16], {%1, %1, %1, %1};}" ::"l"(to + at), "r"(turn) : "memory");
                else asm volatile("st.global.u32 [%0], %1;" ::"l"(to + at), "r"(turn) : "memory");
            }
            if (kind == copies) value[j] = value[j] + 0;
        }
        if (kind == copies) {
#pragma unroll
            for (int j = 0; j < ilp; ++j) {
                const unsigned number = (round * ilp + j) * warps + warp;
                const size_t at = order == any_line ? size_t{mixed(number) & line_mask} * 128 + lane * 4 : size_t{number & line_mask} * 128 + lane * 4;
                asm volatile("st.global.u32 [%0], %1;" ::"l"(to + at), "r"(value[j]) : "memory");
            }
        }
        if (kind != writes)
#pragma unroll
            for (int j = 0; j < ilp; ++j) sum += value[j];
    }
    if (sum != 0) *sink = sum;
}
char *from, *to;
unsigned* sink;
const char* only;
template <int kind, int order, int ilp>
void row(const char* name, unsigned warps_an_sm, unsigned mib, unsigned most_requests) {
    if (only != nullptr && std::strstr(name, only) == nullptr) return;
    const unsigned blocks = warps_an_sm < 8 ? 132 : 132 * (warps_an_sm / 8), threads = warps_an_sm < 8 ? warps_an_sm * 32 : 256;
    const unsigned warps = blocks * threads / 32;
    unsigned rounds = most_requests / warps / ilp;
    if (rounds > 200) rounds = 200;
    if (rounds < 1) rounds = 1;
    work<kind, order, ilp><<<blocks, threads>>>(from, to, mib * 8192 - 1, rounds, sink);
    CHECK(cudaDeviceSynchronize());
    std::printf("launch,%s,%u,%d,%u,%u\n", name, warps_an_sm, ilp, warps * rounds * ilp, mib);
}
int main(int count, char** arguments) {
    only = count > 1 ? arguments[1] : nullptr;
    CHECK(cudaMalloc(&from, 512u << 20)); CHECK(cudaMalloc(&to, 512u << 20)); CHECK(cudaMalloc(&sink, 4));
    CHECK(cudaMemset(from, 0, 512u << 20));
    for (unsigned warps : {1u, 4u, 8u, 16u, 32u, 64u}) {
        row<reads, in_order, 1>("read,in_order", warps, 512, 400000);
        row<reads, in_order, 4>("read,in_order", warps, 512, 400000);
        row<reads, in_chunks, 1>("read,in_chunks", warps, 512, 400000);
        row<reads, in_chunks, 4>("read,in_chunks", warps, 512, 400000);
        row<reads, any_line, 1>("read,any_line", warps, 512, 400000);
        row<reads, any_line, 4>("read,any_line", warps, 512, 400000);
        row<reads, any_sector, 1>("read,any_sector", warps, 512, 40000);
        row<reads, any_sector, 4>("read,any_sector", warps, 512, 40000);
        row<reads, sectors_64, 1>("read,sectors_64", warps, 512, 40000);
        row<reads, sectors_128, 1>("read,sectors_128", warps, 512, 40000);
    }
    row<reads, in_order, 8>("read,in_order", 64, 512, 800000);
    for (unsigned mib : {16u, 32u, 64u, 128u, 256u}) {
        row<reads, any_line, 1>("read,any_line", 32, mib, 800000);
        row<reads, any_sector, 1>("read,any_sector", 32, mib, 80000);
    }
    for (unsigned lines : {200000u, 800000u, 2000000u}) {
        for (unsigned warps : {8u, 64u}) {
            row<writes, in_order, 4>("write,in_order", warps, 512, lines);
            row<writes, in_chunks, 4>("write,in_chunks", warps, 512, lines);
            row<writes, any_line, 4>("write,any_line", warps, 512, lines);
            row<writes, any_word, 4>("write,any_word", warps, 512, lines / 16);
            row<writes, any_sector, 4>("write,any_sector", warps, 512, lines / 16);
            row<writes, sectors_64, 4>("write,sectors_64", warps, 512, lines / 16);
            row<writes, sectors_128, 4>("write,sectors_128", warps, 512, lines / 16);
        }
    }
    for (unsigned lines : {100000u, 800000u}) {
        for (unsigned warps : {8u, 32u, 64u}) {
            row<copies, in_order, 1>("copy,in_order", warps, 512, lines);
            row<copies, in_order, 4>("copy,in_order", warps, 512, lines);
            row<copies, any_line, 4>("copy,any_line", warps, 512, lines);
        }
    }
}
