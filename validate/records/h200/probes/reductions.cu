// What reductions (RED) of all SMs cost L2, by how many words, sectors and lines they go to.
//   nvcc -O3 -std=c++17 -arch=sm_90 -cudart shared -o reductions reductions.cu
//   ncu --cache-control all --clock-control none --metrics sm__cycles_elapsed.max,lts__t_sectors_op_red.sum,... --csv ./reductions
// Launches in order; the grid tells which is which:
//   flush    782 blocks of 256 threads: thread i adds to word i, i + 256, ... below `words`: what histograms do at their end
//   random   528 blocks of 256 threads, 8 times: each lane to any of `words` words
//   fullest  528 blocks of 256 threads, 8 times: `lanes` neighbouring lanes share a word, of one line for all warps
//   spread   as fullest with one lane a word, `lines` lines in turns of warps
#include <cstdio>
#include <cstdlib>
#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { std::printf("%s: %s\n", #x, cudaGetErrorString(e)); std::exit(1); } } while (0)
__device__ unsigned mixed(unsigned x) {
    x *= 2654435761u;
    x ^= x >> 15;
    x *= 2246822519u;
    return x ^ (x >> 13);
}
__global__ void flush(unsigned* out, unsigned words, unsigned one) {
    for (unsigned i = threadIdx.x; i < words; i += blockDim.x) atomicAdd(out + i, one);
}
__global__ void random(unsigned* out, unsigned words, unsigned one) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll
    for (unsigned r = 0; r < 8; ++r) atomicAdd(out + mixed(i * 8 + r) % words, one);
}
__global__ void fullest(unsigned* out, unsigned lanes, unsigned one) {
#pragma unroll
    for (unsigned r = 0; r < 8; ++r) atomicAdd(out + threadIdx.x % 32 / lanes, one);
}
__global__ void spread(unsigned* out, unsigned lines, unsigned one) {
    const unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
#pragma unroll
    for (unsigned r = 0; r < 8; ++r) atomicAdd(out + (warp + r) % lines * 32 + threadIdx.x % 32, one);
}
int main() {
    unsigned* out;
    CHECK(cudaMalloc(&out, 4u << 20));
    CHECK(cudaMemset(out, 0, 4u << 20));
    for (unsigned words : {32u, 64u, 128u, 256u, 512u, 768u, 1024u, 1536u, 3072u, 6144u, 24576u}) flush<<<782, 256>>>(out, words, 1);
    for (unsigned words : {1u, 8u, 16u, 32u, 64u, 128u, 256u, 512u, 1024u, 4096u, 16384u, 65536u, 1u << 20}) random<<<528, 256>>>(out, words, 1);
    for (unsigned lanes : {1u, 2u, 4u, 8u, 16u, 32u}) fullest<<<528, 256>>>(out, lanes, 1);
    for (unsigned lines : {1u, 2u, 3u, 4u, 6u, 8u, 12u, 16u, 24u, 32u, 48u, 64u, 96u, 128u, 1024u}) spread<<<528, 256>>>(out, lines, 1);
    CHECK(cudaDeviceSynchronize());
}
