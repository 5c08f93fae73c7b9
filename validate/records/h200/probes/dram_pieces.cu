// What DRAM takes for pieces of memory that lie anywhere, by their size, and what L2 does with sectors that are written in part. A launch for each row.
// Counted by Nsight Compute:
//   nvcc -O3 -std=c++17 -arch=sm_90 -cudart shared -o dram_pieces dram_pieces.cu
//   ncu --clock-control none --cache-control all --metrics sm__cycles_elapsed.max,dram__bytes_read.sum,dram__bytes_write.sum,lts__t_sectors_op_read.sum,lts__t_sectors_op_write.sum --csv ./dram_pieces
// Prints the launches in order: kind, bytes of a piece, its spacing (0: anywhere), warps an SM, pieces, cycles that each thread waits at the end.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { std::printf("%s: %s\n", #x, cudaGetErrorString(e)); std::exit(1); } } while (0)
__device__ unsigned mixed(unsigned x) {
    x *= 2654435761u;
    x ^= x >> 15;
    x *= 2246822519u;
    return x ^ (x >> 13);
}
// A lane takes a part of a piece: `bytes` of it, or 4; a warp has 32 parts at a time, of one piece or several, side by side.
template <bool writes, int bytes>
__global__ void pieces(char* base, unsigned piece_parts, unsigned part_bytes, unsigned spacing, unsigned mask, unsigned rounds, unsigned wait, unsigned* sink) {
    const unsigned lanes = gridDim.x * blockDim.x;
    const unsigned me = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned sum = 0;
    for (unsigned round = 0; round < rounds; round += 4) {
        unsigned value[4];
#pragma unroll
        for (unsigned j = 0; j < 4; ++j) {
            const unsigned number = (round + j) * lanes + me;
            const unsigned piece = number / piece_parts, part = number % piece_parts;
            const size_t at = (spacing != 0 ? size_t{piece} * spacing : size_t{mixed(piece) & mask} * (piece_parts * part_bytes)) + part * part_bytes;
            value[j] = 0;
            if (round + j < rounds) {
                if (writes && bytes == 4) asm volatile("st.global.u32 [%0], %1;" ::"l"(base + at), "r"(number) : "memory");
                if (writes && bytes == 16) asm volatile("st.global.v4.u32 [%0], {%1, %1, %1, %1};" ::"l"(base + at), "r"(number) : "memory");
                if (!writes) asm volatile("ld.global.u32 %0, [%1];" : "=r"(value[j]) : "l"(base + at + sum));
            }
        }
#pragma unroll
        for (unsigned j = 0; j < 4; ++j) sum += value[j];
    }
    if (wait != 0) {
        const long long begin = clock64();
        while (clock64() - begin < wait) {}
    }
    if (sum != 0) *sink = sum;
}
char* base;
unsigned* sink;
const char* only;
template <bool writes, int bytes>
void row(const char* name, unsigned piece_bytes, unsigned part_bytes, unsigned spacing, unsigned warps_an_sm, unsigned most_parts, unsigned wait = 0) {
    if (only != nullptr && std::strstr(name, only) == nullptr) return;
    const unsigned piece_parts = piece_bytes / part_bytes;
    const unsigned blocks = warps_an_sm < 8 ? 132 : 132 * (warps_an_sm / 8), threads = warps_an_sm < 8 ? warps_an_sm * 32 : 256;
    unsigned rounds = most_parts / (blocks * threads);
    if (rounds < 1) rounds = 1;
    pieces<writes, bytes><<<blocks, threads>>>(base, piece_parts, part_bytes, spacing, (512u << 20) / piece_bytes - 1, rounds, wait, sink);
    CHECK(cudaDeviceSynchronize());
    std::printf("launch,%s,%u,%u,%u,%u,%u\n", name, piece_bytes, spacing, warps_an_sm, blocks * threads * rounds / piece_parts, wait);
}
int main(int count, char** arguments) {
    only = count > 1 ? arguments[1] : nullptr;
    CHECK(cudaMalloc(&base, 1024u << 20)); CHECK(cudaMalloc(&sink, 4));
    CHECK(cudaMemset(base, 0, 1024u << 20));
    // Reads of 32-byte parts, pieces anywhere.
    for (unsigned piece : {32u, 64u, 128u, 256u, 512u, 1024u, 2048u, 4096u, 16384u})
        for (unsigned warps : {8u, 32u}) row<false, 4>("read", piece, 32, 0, warps, 1250000);
    // Reads of a sector at even distances: which of them share a row.
    for (unsigned spacing : {64u, 128u, 256u, 512u, 1024u, 2048u, 4096u, 8192u, 16384u}) row<false, 4>("read", 32, 32, spacing, spacing < 8192 ? 32 : 8, spacing > 512 ? (1u << 30) / spacing : 1250000);
    // Writes of pieces by 16 bytes, anywhere.
    for (unsigned piece : {16u, 32u, 64u, 128u, 256u, 512u, 2048u, 16384u})
        row<true, 16>("write", piece, 16, 0, 8, piece < 64 ? 1250000 * 16 / piece : 5000000);
    // Words, one in each sector, in each second, in each line; and sectors in full likewise.
    for (unsigned spacing : {32u, 64u, 128u, 256u}) {
        row<true, 4>("write_word", 4, 4, spacing, 8, spacing < 256 ? 2500000 : 1250000);
        row<true, 16>("write_sector", 32, 16, spacing, 8, spacing < 256 ? 5000000 : 2500000);
    }
    // From how much on do partly written sectors go to DRAM, and does it need time.
    for (unsigned words : {33792u, 67584u, 135168u, 202752u, 270336u, 405504u, 540672u}) {
        row<true, 4>("write_few", 4, 4, 128, 8, words);
        row<true, 4>("write_few", 4, 4, 128, 8, words, 100000);
        row<true, 4>("write_few", 4, 4, 32, 8, words);
        row<true, 4>("write_few", 4, 4, 32, 8, words, 100000);
        row<true, 16>("write_few_full", 128, 16, 128, 8, words * 8);
        row<true, 16>("write_few_full", 128, 16, 128, 8, words * 8, 100000);
        row<true, 16>("write_few_sector", 32, 16, 128, 8, words * 2);
        row<true, 16>("write_few_sector", 32, 16, 128, 8, words * 2, 100000);
    }
}
